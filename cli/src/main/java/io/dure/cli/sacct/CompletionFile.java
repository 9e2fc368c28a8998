package io.dure.cli.sacct;

import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.completion.CompletionListing;
import io.dure.surface.completion.CompletionRow;
import io.dure.surface.message.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lists what JobCompType has recorded, from its file on this machine. */
final class CompletionFile {
  private final CommandContext context;
  private final SacctCall call;

  CompletionFile(CommandContext context, SacctCall call) {
    this.context = context;
    this.call = call;
  }

  String list() throws CommandException {
    List<String> unknown = new ArrayList<>();
    CompletionListing listing = CompletionListing.of(call.format(), call.table(), unknown);
    if (listing == null) {
      throw CommandException.error("Invalid field requested: \"" + unknown.getFirst() + "\"");
    }
    String self = Integer.toUnsignedString(context.caller().uid());
    List<CompletionRow> rows =
        CompletionRow.all(lines(context.directory().resolve(place()))).stream()
            .filter(call.completions(self, context.caller().uid() == 0))
            .toList();
    return listing.text(rows);
  }

  private String place() throws CommandException {
    String asked = call.file();
    if (asked != null) {
      return asked;
    }
    List<String> settings =
        Question.ask(
                context,
                CommandException::error,
                null,
                new Request.ShowConfig(),
                Response.Text.class)
            .lines();
    String type = value(settings, "JobCompType");
    return switch (type.substring(type.indexOf('/') + 1)) {
      case "", "none", "(null)" -> throw CommandException.plain("Slurm job completion is disabled");
      case "filetxt", "jsonlines" -> value(settings, "JobCompLoc");
      default -> throw CommandException.error(type + " keeps no records that could be listed");
    };
  }

  private static String value(List<String> settings, String key) {
    for (String line : settings) {
      int at = line.indexOf('=');
      if (at > 0 && line.substring(0, at).strip().equals(key)) {
        return line.substring(at + 1).strip();
      }
    }
    return "";
  }

  private static List<String> lines(Path file) throws CommandException {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (NoSuchFileException e) {
      throw CommandException.error("open: No such file or directory");
    } catch (IOException e) {
      throw CommandException.error("open: " + file + " cannot be read");
    }
  }
}
