package io.dure.cli.sbatch;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.CommandException;
import io.dure.cli.command.Message;
import io.dure.cli.option.Occurrence;
import io.dure.cli.option.OptionParser;
import io.dure.core.model.JobSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a submission of a command line: the script's directives, then the environment, then the
 * command line, each over the one before.
 */
final class SubmissionReader {

  private static final int INVALID_DIRECTIVE = 255;

  private final CommandContext context;
  private final SbatchSettings settings;
  private final List<Message> warnings = new ArrayList<>();

  SubmissionReader(CommandContext context) {
    this.context = context;
    this.settings = new SbatchSettings(new OptionCheck(context.clock()));
  }

  /**
   * Reads everything and checks it.
   *
   * @param options the options of the command line
   * @param operands the script and its arguments
   */
  Submission read(List<Occurrence<SbatchOption>> options, List<String> operands)
      throws CommandException {
    String wrapped = lastValue(options, SbatchOption.WRAP);
    if (wrapped != null && !operands.isEmpty()) {
      throw CommandException.fatal("Script arguments not permitted with --wrap option");
    }
    if (!operands.isEmpty() && operands.get(0).equals(":")) {
      throw CommandException.fatal("heterogeneous jobs are not supported yet");
    }
    BatchScript script =
        wrapped == null
            ? new ScriptReader(context).read(operands.isEmpty() ? null : operands.get(0))
            : ScriptReader.wrap(wrapped);
    String foreign = wrapped == null ? applyDirectives(script) : null;
    SbatchEnvironment.apply(context.environment(), settings);
    for (Occurrence<SbatchOption> option : options) {
      set(option, SbatchSettings.Source.COMMAND_LINE);
    }
    if (foreign != null && !settings.has(SbatchOption.IGNORE_PBS)) {
      throw CommandException.error(
          foreign
              + " directives are not supported by this version of Dure yet;"
              + " --ignore-pbs passes over them");
    }
    return submission(script, operands.isEmpty() ? operands : operands.subList(1, operands.size()));
  }

  private Submission submission(BatchScript script, List<String> arguments)
      throws CommandException {
    SpecBuilder builder =
        new SpecBuilder(
            settings, context.clock(), new NodeNames(context.directory(), context.caller()));
    JobSpec spec = builder.spec(script.jobName());
    BatchBuilder.Body body =
        new BatchBuilder(context, settings).body(script, arguments, spec.name());
    warnings.addAll(builder.warnings());
    return new Submission(
        spec,
        body.batch(),
        settings.value(SbatchOption.UID),
        settings.has(SbatchOption.TEST_ONLY),
        settings.has(SbatchOption.WAIT),
        settings.has(SbatchOption.PARSABLE),
        settings.has(SbatchOption.QUIET),
        settings.verbosity(),
        settings.value(SbatchOption.CLUSTERS),
        warnings,
        body.texts());
  }

  /** Sets the options of the script's lines; returns the prefix of another dialect, if any. */
  private @Nullable String applyDirectives(BatchScript script) throws CommandException {
    ScriptDirectives directives = ScriptDirectives.scan(script);
    if (directives.oldPrefix()) {
      warnings.add(Message.warning("#SLURM lines are read as #SBATCH lines; use #SBATCH"));
    }
    for (List<String> words : directives.lines()) {
      OptionParser<SbatchOption> parser =
          new OptionParser<>(
              context.program(), SbatchOption.specs(), OptionParser.Operands.END_OPTIONS, words);
      List<Occurrence<SbatchOption>> options = parser.all();
      for (Occurrence<SbatchOption> option : options) {
        set(option, SbatchSettings.Source.SCRIPT);
      }
      if (!parser.operands().isEmpty()) {
        throw CommandException.error(
                "Invalid directive found in batch script: " + parser.operands().get(0))
            .withExitCode(INVALID_DIRECTIVE);
      }
    }
    return directives.foreign();
  }

  private void set(Occurrence<SbatchOption> option, SbatchSettings.Source source)
      throws CommandException {
    settings.set(option.key(), "--" + option.key().longName(), option.value(), source);
  }

  private static @Nullable String lastValue(
      List<Occurrence<SbatchOption>> options, SbatchOption key) {
    String value = null;
    for (Occurrence<SbatchOption> option : options) {
      if (option.key() == key) {
        value = option.value();
      }
    }
    return value;
  }
}
