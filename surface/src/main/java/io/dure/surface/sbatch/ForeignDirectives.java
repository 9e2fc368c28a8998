package io.dure.surface.sbatch;

import io.dure.surface.lsf.LsfFault;
import io.dure.surface.lsf.LsfJob;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.pbs.PbsJob;
import io.dure.surface.value.WallClock;
import java.util.List;

/**
 * The lines of a script that were written for another workload manager.
 *
 * @param prefix what they begin with
 * @param lines the words of each
 */
public record ForeignDirectives(String prefix, List<List<String>> lines) {
  private static final String PBS = "#PBS";

  /** What lines of other workload managers begin with. */
  static final List<String> PREFIXES = List.of(PBS, "#BSUB");

  /** Sets what they ask for. What has no equal is passed over. */
  void set(SbatchSettings settings, WallClock clock, String program) throws CommandException {
    OptionParser<SbatchOption> parser =
        new OptionParser<>(
            program, SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, words(clock));
    for (ParsedOption<SbatchOption> option : parser.all()) {
      settings.set(
          option.key(),
          "--" + option.key().longName(),
          option.value(),
          SbatchSettings.Source.SCRIPT);
    }
  }

  private List<String> words(WallClock clock) throws CommandException {
    if (prefix.equals(PBS)) {
      PbsJob job = new PbsJob(clock);
      for (List<String> line : lines) {
        job.take(line);
      }
      return job.directiveWords();
    }
    try {
      LsfJob job = new LsfJob(clock);
      for (List<String> line : lines) {
        job.take(line);
      }
      return job.batchWords();
    } catch (LsfFault e) {
      throw CommandException.error(prefix + " " + e.text());
    }
  }
}
