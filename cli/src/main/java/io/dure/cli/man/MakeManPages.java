package io.dure.cli.man;

import io.dure.cli.command.CapturedCall;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionKey;
import io.dure.surface.srun.SallocOption;
import io.dure.surface.srun.SrunOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes the manual pages of all commands, and that of slurm.conf, below a directory in which
 * {@code man1} and {@code man5} are. Part of the build.
 */
public final class MakeManPages implements CliCommand {
  private static final int MOST_BYTES = 1 << 20;

  private final Function<String, @Nullable CliCommand> commands;

  /** Pages of commands that are found so by their names. */
  public MakeManPages(Function<String, @Nullable CliCommand> commands) {
    this.commands = commands;
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    List<String> words = context.arguments();
    if (words.size() != 2) {
      context.err().print("Usage: make-man-pages DIRECTORY SETTINGS\n");
      return 2;
    }
    Path directory = context.directory().resolve(words.getFirst());
    for (Map.Entry<String, String> one : summaries().entrySet()) {
      String name = one.getKey();
      String page =
          CommandPage.of(name, one.getValue(), help(context, name), shared(context, name));
      write(context, directory.resolve("man1").resolve(name + ".1"), page);
    }
    Path settings = context.directory().resolve(words.getLast());
    try (InputStream in = context.caller().read(settings)) {
      String reference = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      write(context, directory.resolve("man5/slurm.conf.5"), SettingsPage.of(reference));
    } catch (IOException e) {
      throw CommandException.error("cannot read " + settings + ": " + e.getMessage());
    }
    return 0;
  }

  /** All commands with what each is for, in a line. */
  static Map<String, String> summaries() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String line : HelpText.of(MakeManPages.class, "summaries.txt").lines().toList()) {
      int blank = line.indexOf(' ');
      all.put(line.substring(0, blank), line.substring(blank).strip());
    }
    return all;
  }

  /** What a command prints for {@code --help}. */
  String help(CommandContext context, String name) throws CommandException {
    CliCommand command = commands.apply(name);
    if (command == null) {
      throw CommandException.error("there is no command " + name);
    }
    CommandContext plain = context.withEnvironment(Map.of());
    CapturedCall call = CapturedCall.of(command, plain, name, List.of("--help"));
    if (call.code() != 0 || call.printed().isEmpty()) {
      throw CommandException.error(name + " --help: " + call.complaints());
    }
    return call.printed();
  }

  /** What a command takes beside its own options, as {@code sbatch} explains it. */
  private List<HelpParts.Part.Entry> shared(CommandContext context, String name)
      throws CommandException {
    List<? extends OptionKey> keys =
        switch (name) {
          case "salloc" -> List.of(SallocOption.values());
          case "srun" -> List.of(SrunOption.values());
          default -> List.of();
        };
    return keys.isEmpty()
        ? List.of()
        : CommandPage.missing(keys, help(context, name), help(context, "sbatch"));
  }

  private static void write(CommandContext context, Path file, String page)
      throws CommandException {
    try (OutputStream out = context.caller().write(file)) {
      out.write(page.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw CommandException.error("cannot write " + file + ": " + e.getMessage());
    }
  }
}
