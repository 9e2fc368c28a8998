package io.dure.cli.sbatch;

import io.dure.cli.allocation.SubmitCommand;
import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CommandContext;
import io.dure.cli.filter.SiteFilter;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchOptionCheck;
import java.util.ArrayList;
import java.util.List;

/** Submits a batch script. */
public final class Sbatch implements SubmitCommand {
  /** Stands between the components of a heterogeneous job. */
  private static final String SEPARATOR = ":";

  @Override
  public int execute(CommandContext context) throws CommandException {
    List<List<ParsedOption<SbatchOption>>> components = new ArrayList<>();
    List<String> words = context.arguments();
    while (true) {
      CallOptions<SbatchOption> call =
          new CallOptions<>(
              context.out(),
              Sbatch.class,
              "",
              new OptionParser<>(
                  context.program(),
                  SbatchOption.specs(),
                  OptionParser.Operands.END_OPTIONS,
                  words));
      components.add(call.all());
      words = call.operands();
      if (words.isEmpty() || !words.getFirst().equals(SEPARATOR)) {
        break;
      }
      words = words.subList(1, words.size());
    }
    new OptionHelp(context, new SbatchOptionCheck(context.clock())).show(components);
    try (SiteFilter filter = SiteFilter.of(context)) {
      JobSubmission submission = new JobSubmissionReader(context, filter).read(components, words);
      return new JobSubmitter(context, submission, filter).run();
    }
  }
}
