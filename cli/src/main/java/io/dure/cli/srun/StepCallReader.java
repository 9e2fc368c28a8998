package io.dure.cli.srun;

import io.dure.cli.allocation.AllocationRequest;
import io.dure.cli.allocation.OptionMistake;
import io.dure.cli.allocation.RootOption;
import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CommandContext;
import io.dure.cli.filter.SiteFilter;
import io.dure.cli.sbcast.FileMove;
import io.dure.model.step.StepSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchOptionCheck;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.srun.HetGroups;
import io.dure.surface.srun.SrunEnvironment;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import io.dure.surface.srun.StepSpecReader;
import io.dure.surface.srun.TaskHosts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads the arguments of {@code srun}; a colon parts those of components. */
final class StepCallReader {
  private static final List<SrunOption> OF_ROOT =
      List.of(SrunOption.UID, SrunOption.GID, SrunOption.NO_ALLOCATE);

  private final CommandContext context;
  private final SiteFilter filter;
  private final HetGroups groups;

  StepCallReader(CommandContext context, SiteFilter filter) {
    this.context = context;
    this.filter = filter;
    this.groups = new HetGroups(context.environment());
  }

  /** The components in their order; there is one where nothing parts them. */
  List<StepCall> read() throws CommandException {
    List<StepCall> calls = new ArrayList<>();
    List<List<String>> parts = HetGroups.parts(context.arguments());
    for (int i = 0; i < parts.size(); i++) {
      calls.addAll(component(parts.get(i), parts.size() == 1 ? 0 : i));
    }
    return StepCall.together(calls);
  }

  private List<StepCall> component(List<String> arguments, int place) throws CommandException {
    CallOptions<SrunOption> call =
        new CallOptions<>(
            context.out(),
            StepCallReader.class,
            "",
            new OptionParser<>(
                context.program(),
                SrunOption.specs(),
                OptionParser.Operands.END_OPTIONS,
                arguments));
    List<ParsedOption<SrunOption>> options = options(call);
    String asked = null;
    for (ParsedOption<SrunOption> option : options) {
      BindHelp.showIfAsked(context.out(), option.key(), option.value());
      asked = option.key() == SrunOption.HET_GROUP ? option.value() : asked;
    }
    List<StepCall> calls = new ArrayList<>();
    for (int group : groups.chosen(asked, place)) {
      calls.add(call(settings(options, group), call.operands(), group));
    }
    return calls;
  }

  /** What is no option ends with the code that srun alone has for it. */
  private static List<ParsedOption<SrunOption>> options(CallOptions<SrunOption> call)
      throws CommandException {
    try {
      return call.all();
    } catch (CommandException e) {
      throw OptionMistake.of(e);
    }
  }

  private SrunSettings settings(List<ParsedOption<SrunOption>> options, int group)
      throws CommandException {
    SrunSettings settings =
        new SrunSettings(new SbatchOptionCheck(context.clock(), AllocationRequest.REFUSED));
    Map<String, String> environment = groups.environment(group);
    filter.setupDefaults(new SrunFilteredOptions(settings, SbatchSettings.Source.SITE));
    try {
      SrunEnvironment.apply(environment, settings);
      for (ParsedOption<SrunOption> option : options) {
        if (OF_ROOT.contains(option.key())) {
          throw RootOption.refused(context, option.key().longName());
        }
        settings.set(
            option.key(),
            option.key().longName(),
            option.value(),
            SbatchSettings.Source.COMMAND_LINE);
      }
    } catch (CommandException e) {
      throw OptionMistake.of(e);
    }
    filter.preSubmit(new SrunFilteredOptions(settings, SbatchSettings.Source.COMMAND_LINE), group);
    return settings;
  }

  private StepCall call(SrunSettings settings, List<String> words, int group)
      throws CommandException {
    if (MpiType.isListed(settings)) {
      context.out().print(MpiType.LIST);
      throw CommandException.done();
    }
    new FileMove(context).checkCompression(settings.valueOr(SrunOption.COMPRESS, ""));
    if (words.isEmpty()) {
      throw CommandException.fatal("No command given to execute.");
    }
    StepProgram program = StepProgram.of(context, words, settings.has(SrunOption.MULTI_PROG));
    boolean inside = settings.has(SrunOption.JOBID);
    if (!inside && settings.has(SrunOption.RELATIVE)) {
      throw CommandException.fatal("--relative option invalid for job allocation request");
    }
    List<String> hosts =
        new TaskHosts(settings, context.directory(), context.caller())
            .read(context.environment().get("SLURM_HOSTFILE"));
    StepSpecReader reader =
        new StepSpecReader(
            settings, new NodeListOptions(context.directory(), context.caller()), hosts);
    StepSpec spec =
        reader
            .spec(name(settings, program, inside), context.caller().hostName())
            .with()
            .processId(context.caller().processId())
            .submitLine(context.submitLine())
            .build();
    reader.warnings().forEach(context::report);
    if (spec.tasks() > 0) {
      program.of(spec.tasks()); // so that a mistake in its file is told before anything is made
    }
    return new StepCall(
        settings, program, Streams.of(context, settings), MpiType.service(settings), spec, group);
  }

  /** Inside a job the variable names the job, not its steps. */
  private String name(SrunSettings settings, StepProgram program, boolean inside) {
    String given = settings.value(SrunOption.JOB_NAME);
    boolean ofJob =
        inside && given != null && given.equals(context.environment().get("SLURM_JOB_NAME"));
    return given == null || ofJob ? program.baseName() : given;
  }
}
