package io.dure.cli.sacct;

import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.completion.CompletionListing;
import io.dure.surface.completion.CompletionRow;
import io.dure.surface.message.CommandException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Lists what JobCompType has recorded, from its file on this machine. */
final class CompletionFile {
  private static final int PART = 1 << 16;
  private static final int LONGEST_LINE = 1 << 20;

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
    return listing.text(
        rows(
            context.directory().resolve(place()),
            call.completions(self, context.caller().uid() == 0)));
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

  /** With the rights of the caller, which the process that runs this command need not have. */
  private List<CompletionRow> rows(Path file, Predicate<CompletionRow> wanted)
      throws CommandException {
    List<CompletionRow> rows = new ArrayList<>();
    try (InputStream in = context.caller().read(file)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      byte[] part = new byte[PART];
      for (int size = in.read(part); size >= 0; size = in.read(part)) {
        int begin = 0;
        for (int i = 0; i < size; i++) {
          if (part[i] == '\n') {
            add(line, part, begin, i);
            take(line, wanted, rows);
            begin = i + 1;
          }
        }
        add(line, part, begin, size);
      }
      take(line, wanted, rows);
      return rows;
    } catch (NoSuchFileException e) {
      throw CommandException.error("open: No such file or directory");
    } catch (AccessDeniedException e) {
      throw CommandException.error("open: Permission denied");
    } catch (IOException e) {
      throw CommandException.error("open: " + file + " cannot be read");
    }
  }

  /** Of a line that is too long to be one of such a file no more than that is kept. */
  private static void add(ByteArrayOutputStream line, byte[] part, int from, int until) {
    line.write(part, from, Math.min(until - from, LONGEST_LINE + 1 - line.size()));
  }

  private static void take(
      ByteArrayOutputStream line, Predicate<CompletionRow> wanted, List<CompletionRow> rows) {
    CompletionRow row =
        line.size() > LONGEST_LINE
            ? null
            : CompletionRow.parse(line.toString(StandardCharsets.UTF_8));
    line.reset();
    if (row != null && wanted.test(row)) {
      rows.add(row);
    }
  }
}
