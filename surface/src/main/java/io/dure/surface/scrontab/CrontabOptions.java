package io.dure.surface.scrontab;

import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.SbatchOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The options that {@code #SCRON} lines take: those of sbatch but for some. */
public final class CrontabOptions {
  private static final Set<SbatchOption> OF_SBATCH_ALONE =
      EnumSet.of(
          SbatchOption.ARRAY,
          SbatchOption.BATCH,
          SbatchOption.BB,
          SbatchOption.BBF,
          SbatchOption.BEGIN,
          SbatchOption.CLUSTER_CONSTRAINT,
          SbatchOption.CLUSTERS,
          SbatchOption.EXPORT_FILE,
          SbatchOption.EXTERNAL,
          SbatchOption.GET_USER_ENV,
          SbatchOption.GID,
          SbatchOption.HELP,
          SbatchOption.HOLD,
          SbatchOption.IGNORE_PBS,
          SbatchOption.KILL_ON_INVALID_DEP,
          SbatchOption.NO_REQUEUE,
          SbatchOption.PARSABLE,
          SbatchOption.PREFER,
          SbatchOption.PROPAGATE,
          SbatchOption.REQUEUE,
          SbatchOption.TEST_ONLY,
          SbatchOption.UID,
          SbatchOption.USAGE,
          SbatchOption.VERSION,
          SbatchOption.WAIT,
          SbatchOption.WAIT_ALL_NODES,
          SbatchOption.WRAP);

  private CrontabOptions() {}

  /**
   * The options of an entry.
   *
   * @param program the command in whose messages they are told of
   * @throws CommandException if a word is none, or one that an entry does not take
   */
  public static List<ParsedOption<SbatchOption>> parse(String program, List<String> words)
      throws CommandException {
    OptionParser<SbatchOption> parser =
        new OptionParser<>(program, SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, words);
    List<ParsedOption<SbatchOption>> options = parser.all();
    if (!parser.operands().isEmpty()) {
      throw CommandException.error(
          "Invalid directive found in crontab: " + parser.operands().getFirst());
    }
    for (ParsedOption<SbatchOption> option : options) {
      if (OF_SBATCH_ALONE.contains(option.key())) {
        throw CommandException.error("--" + option.key().longName() + " is not for crontabs");
      }
    }
    return options;
  }
}
