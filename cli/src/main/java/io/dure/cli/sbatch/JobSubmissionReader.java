package io.dure.cli.sbatch;

import io.dure.cli.command.CommandContext;
import io.dure.cli.filter.SiteFilter;
import io.dure.model.command.Command;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.request.JobSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.BatchScript;
import io.dure.surface.sbatch.BatchScriptReader;
import io.dure.surface.sbatch.JobSpecBuilder;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchEnvironment;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.sbatch.ScriptDirectives;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a submission of a command line: the script's directives, then the environment, then the
 * command line, each over the one before.
 */
final class JobSubmissionReader {
  /** The exit code of a wrong option that only root may use. */
  private static final int ONLY_ROOT = 255;

  private static final String IGNORE_PBS = "SBATCH_IGNORE_PBS";

  /** More than a job may bring is refused by the controller. */
  private static final int MOST_OF_BURST_BUFFER = 1 << 17;

  private final CommandContext context;
  private final SiteFilter filter;
  private final SbatchSettings settings;
  private final List<StderrMessage> warnings = new ArrayList<>();

  JobSubmissionReader(CommandContext context, SiteFilter filter) {
    this.context = context;
    this.filter = filter;
    this.settings =
        new SbatchSettings(new OptionHelp(context, new SbatchOptionCheck(context.clock())));
  }

  /**
   * Reads everything and checks it.
   *
   * @param commandLine the options of the command line, for each component of a heterogeneous job
   * @param operands the script and its arguments
   */
  JobSubmission read(List<List<ParsedOption<SbatchOption>>> commandLine, List<String> operands)
      throws CommandException {
    String wrapped = lastValue(commandLine, SbatchOption.WRAP);
    if (wrapped != null && !operands.isEmpty()) {
      throw CommandException.fatal("Script arguments not permitted with --wrap option");
    }
    BatchScript script =
        wrapped == null
            ? new BatchScriptReader(context.scripts())
                .read(operands.isEmpty() ? null : operands.get(0))
            : BatchScriptReader.wrap(wrapped);
    ScriptDirectives directives = wrapped == null ? directives(script) : ScriptDirectives.NONE;
    if (context.environment().containsKey(IGNORE_PBS)
        || commandLine.stream()
            .flatMap(List::stream)
            .anyMatch(option -> option.key() == SbatchOption.IGNORE_PBS)) {
      directives = directives.withoutForeign();
    }
    List<String> arguments = operands.isEmpty() ? operands : operands.subList(1, operands.size());
    int size = Math.max(commandLine.size(), directives.components().size());
    if (size > HetComponent.MOST) {
      throw CommandException.error(
          "Batch job submission failed: a heterogeneous job has at most "
              + HetComponent.MOST
              + " components");
    }
    if (size > 1) {
      foresee(commandLine);
    }
    List<Command.Component> components = new ArrayList<>();
    List<BatchSpecBuilder.BatchBody> bodies = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      set(directives, commandLine, i);
      if (i > 0) {
        // Mail is about the whole job.
        settings.unset(SbatchOption.MAIL_TYPE);
        settings.unset(SbatchOption.MAIL_USER);
      }
      filter.preSubmit(new SbatchFilteredOptions(settings, SbatchSettings.Source.COMMAND_LINE), i);
      JobSpec spec = spec(script);
      BatchSpecBuilder.BatchBody body =
          new BatchSpecBuilder(context, settings).body(script, arguments, spec.name());
      components.add(new Command.Component(spec, body.batch()));
      bodies.add(body);
    }
    return submission(components, bodies.getFirst());
  }

  /** What concerns the whole job may stand at any component: the first knows of it too. */
  private void foresee(List<List<ParsedOption<SbatchOption>>> commandLine) throws CommandException {
    for (List<ParsedOption<SbatchOption>> options : commandLine) {
      settings.startComponent();
      for (ParsedOption<SbatchOption> option : options) {
        if (option.key() != SbatchOption.VERBOSE) {
          set(option, SbatchSettings.Source.COMMAND_LINE);
        }
      }
    }
  }

  /** Sets the options of one component; the last of the command line are those of all behind. */
  private void set(
      ScriptDirectives directives,
      List<List<ParsedOption<SbatchOption>>> commandLine,
      int component)
      throws CommandException {
    settings.startComponent();
    filter.setupDefaults(new SbatchFilteredOptions(settings, SbatchSettings.Source.SITE));
    directives.set(component, settings, context.program());
    directives.setForeign(settings, context.clock(), context.program());
    SbatchEnvironment.apply(context.environment(), settings);
    for (ParsedOption<SbatchOption> option :
        commandLine.get(Math.min(component, commandLine.size() - 1))) {
      if (component == 0 || option.key() != SbatchOption.VERBOSE) {
        set(option, SbatchSettings.Source.COMMAND_LINE);
      }
    }
  }

  private JobSpec spec(BatchScript script) throws CommandException {
    JobSpecBuilder builder =
        new JobSpecBuilder(
            settings, context.clock(), new NodeListOptions(context.directory(), context.caller()));
    JobSpec spec = builder.spec(script.jobName());
    warnings.addAll(builder.warnings());
    return spec;
  }

  private JobSubmission submission(
      List<Command.Component> components, BatchSpecBuilder.BatchBody body) {
    Command.Component first = components.getFirst();
    return new JobSubmission(
        first.spec(),
        body.batch(),
        runAs(),
        settings.has(SbatchOption.TEST_ONLY),
        settings.has(SbatchOption.WAIT),
        settings.has(SbatchOption.PARSABLE),
        settings.has(SbatchOption.QUIET),
        settings.verbosity(),
        settings.value(SbatchOption.CLUSTERS),
        warnings,
        body.texts(),
        components.size() == 1 ? List.of() : List.copyOf(components));
  }

  /** The user and the group that the job is for, as {@code chown} writes them. */
  private @Nullable String runAs() {
    String user = settings.value(SbatchOption.UID);
    String group = settings.value(SbatchOption.GID);
    return group == null ? user : (user == null ? "" : user) + ":" + group;
  }

  /** The script's lines, with what there is to be said of them. */
  private ScriptDirectives directives(BatchScript script) throws CommandException {
    ScriptDirectives directives = ScriptDirectives.scan(script);
    if (directives.oldPrefix()) {
      warnings.add(StderrMessage.warning("#SLURM lines are read as #SBATCH lines; use #SBATCH"));
    }
    if (directives.oldSeparator()) {
      warnings.add(
          StderrMessage.warning(
              "the \"packjob\" component separator is being deprecated. "
                  + "Please, use \"hetjob\" instead."));
    }
    return directives;
  }

  private void set(ParsedOption<SbatchOption> option, SbatchSettings.Source source)
      throws CommandException {
    if (option.key() == SbatchOption.UID || option.key() == SbatchOption.GID) {
      checkOther(option);
    }
    if (option.key() == SbatchOption.BBF) {
      settings.set(SbatchOption.BB, "--bbf", burstBuffer(option.value()), source);
      return;
    }
    settings.set(option.key(), "--" + option.key().longName(), option.value(), source);
  }

  /** Only root submits for others, and only for those whom this machine knows. */
  private void checkOther(ParsedOption<SbatchOption> option) throws CommandException {
    String name = "--" + option.key().longName();
    if (context.caller().uid() != 0) {
      throw CommandException.error(name + " only permitted by root user").withExitCode(ONLY_ROOT);
    }
    String who = option.value() == null ? "" : option.value();
    if (option.key() == SbatchOption.UID && !context.caller().knowsUser(who)) {
      throw CommandException.error("Invalid --uid specification").withExitCode(ONLY_ROOT);
    }
    if (option.key() == SbatchOption.GID && !context.caller().knowsGroup(who)) {
      throw CommandException.error("Invalid --gid specification").withExitCode(ONLY_ROOT);
    }
  }

  /** What a file says of burst buffers. */
  private String burstBuffer(@Nullable String file) throws CommandException {
    Path path = context.directory().resolve(file == null ? "" : file);
    try (InputStream in = context.caller().read(path)) {
      return new String(in.readNBytes(MOST_OF_BURST_BUFFER), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw CommandException.error("Invalid --bbf specification");
    }
  }

  private static @Nullable String lastValue(
      List<List<ParsedOption<SbatchOption>>> components, SbatchOption key) {
    String value = null;
    for (List<ParsedOption<SbatchOption>> options : components) {
      for (ParsedOption<SbatchOption> option : options) {
        if (option.key() == key) {
          value = option.value();
        }
      }
    }
    return value;
  }
}
