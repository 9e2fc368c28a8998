package io.dure.cli.sbcast;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Copies a file to each node of a job. */
public final class Sbcast implements CliCommand {
  private static final Pattern SIZE = Pattern.compile("[0-9]+[bBkKmMgG]?");

  @Override
  public int execute(CommandContext context) throws CommandException {
    Map<SbcastOption, String> options = new EnumMap<>(SbcastOption.class);
    fromEnvironment(context, options);
    CallOptions<SbcastOption> call = context.options(Sbcast.class, SbcastOption.values());
    for (ParsedOption<SbcastOption> option = call.next(); option != null; option = call.next()) {
      options.put(option.key(), Objects.requireNonNullElse(option.value(), ""));
    }
    check(context, options);
    List<String> names = call.operands();
    if (names.size() != 2) {
      throw CommandException.plain(
          "Need two file names, have " + names.size() + " names",
          "Try \"" + context.program() + " --help\" for more information");
    }
    String target = names.get(1);
    if (target.endsWith("/")) {
      throw CommandException.error("Target filename cannot be a directory.");
    }
    FileMove files = new FileMove(context);
    String job = files.job(options.get(SbcastOption.JOBID));
    List<String> entries = new ArrayList<>();
    entries.add("source=" + names.get(0));
    entries.add("path=" + context.directory().resolve(target));
    int flags = options.containsKey(SbcastOption.FORCE) ? FileMove.FORCE : 0;
    flags |= options.containsKey(SbcastOption.PRESERVE) ? FileMove.TIMES : 0;
    entries.add("flags=" + flags);
    entries.addAll(
        FileMove.libraries(options.get(SbcastOption.SEND_LIBS), options.get(SbcastOption.EXCLUDE)));
    return files.run(job, entries);
  }

  private static void fromEnvironment(CommandContext context, Map<SbcastOption, String> options) {
    for (SbcastOption option :
        List.of(
            SbcastOption.COMPRESS,
            SbcastOption.EXCLUDE,
            SbcastOption.FANOUT,
            SbcastOption.FORCE,
            SbcastOption.PRESERVE,
            SbcastOption.SEND_LIBS,
            SbcastOption.SIZE,
            SbcastOption.TIMEOUT)) {
      String value = context.environment().get("SBCAST_" + option.name());
      if (value != null) {
        options.put(option, value);
      }
    }
  }

  /** What is wrong and does not matter is said, and the file is sent. */
  private static void check(CommandContext context, Map<SbcastOption, String> options) {
    String size = options.get(SbcastOption.SIZE);
    if (size != null && !SIZE.matcher(size).matches()) {
      context.report(StderrMessage.plain("size specification is invalid, ignored"));
    }
    new FileMove(context).checkCompression(options.getOrDefault(SbcastOption.COMPRESS, ""));
    String libraries = options.getOrDefault(SbcastOption.SEND_LIBS, "");
    if (!List.of("", "yes", "no", "y", "n", "1", "0")
        .contains(libraries.toLowerCase(Locale.ROOT))) {
      context.report(
          StderrMessage.error("Ignoring unrecognized --send-libs value '" + libraries + "'"));
    }
  }
}
