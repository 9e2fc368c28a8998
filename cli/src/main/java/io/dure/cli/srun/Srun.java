package io.dure.cli.srun;

import io.dure.cli.allocation.AllocationRequest;
import io.dure.cli.allocation.DisplayForwarding;
import io.dure.cli.allocation.SteadyConnection;
import io.dure.cli.allocation.SubmitCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.filter.SiteFilter;
import io.dure.cli.request.ClusterCheck;
import io.dure.model.request.JobSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sbatch.JobSpecBuilder;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.srun.HetGroups;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import io.dure.surface.value.NumberParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs tasks on nodes, in the allocation around it or in one of its own. */
public final class Srun implements SubmitCommand {
  @Override
  public int execute(CommandContext context) throws CommandException {
    try (SiteFilter filter = SiteFilter.of(context)) {
      return execute(context, filter);
    }
  }

  private static int execute(CommandContext context, SiteFilter filter) throws CommandException {
    List<StepCall> calls = new StepCallReader(context, filter).read();
    SrunSettings first = calls.getFirst().settings();
    DisplayForwarding displays =
        DisplayForwarding.of(
            context, first.has(SrunOption.X11) ? first.valueOr(SrunOption.X11, "") : null);
    StepLauncher launcher = new StepLauncher(context, calls, displays, filter);
    try (ControllerConnection connection = new SteadyConnection(context.controller())) {
      checkCluster(first.value(SrunOption.CLUSTERS), connection);
      BindSupport.check(context, first, connection);
      if (displays != null) {
        displays.check(connection, AllocationRequest.REFUSED);
      }
      if (first.has(SrunOption.JOBID)) {
        checkComponents(context, calls);
        if (first.has(SrunOption.TEST_ONLY)) {
          throw CommandException.error("--test-only is for a new job, not for a step of one");
        }
        int jobId = (int) NumberParser.leading(first.valueOr(SrunOption.JOBID, "0"));
        return launcher.inJob(connection, jobId);
      }
      List<JobSpec> specs = new ArrayList<>();
      for (StepCall call : calls) {
        specs.add(jobSpec(context, call));
      }
      return launcher.inNewJob(connection, specs);
    } catch (IOException e) {
      throw CommandException.error(AllocationRequest.REFUSED + e.getMessage());
    }
  }

  /** A job of one component has nothing for a second one. */
  private static void checkComponents(CommandContext context, List<StepCall> calls)
      throws CommandException {
    int size = new HetGroups(context.environment()).size();
    StepCall last = calls.getLast();
    if (last.group() >= size) {
      int nodes = Math.max(1, last.spec().minNodes());
      throw CommandException.error(
          "Allocation failure of "
              + nodes
              + " nodes: job size of "
              + size
              + ", already allocated "
              + size
              + " nodes to previous components.");
    }
  }

  private static void checkCluster(@Nullable String names, ControllerConnection connection)
      throws IOException, CommandException {
    if (names == null) {
      return;
    }
    try {
      ClusterCheck.check(names, connection);
    } catch (CommandException e) {
      throw e.and(StderrMessage.error("No cluster '" + names + "' known by database."));
    }
  }

  private static JobSpec jobSpec(CommandContext context, StepCall call) throws CommandException {
    SrunSettings settings = call.settings();
    if (settings.has(SrunOption.EXCLUSIVE)) {
      // Of a step it says something else than of a job.
      settings
          .shared()
          .set(
              SbatchOption.EXCLUSIVE,
              "--exclusive",
              settings.value(SrunOption.EXCLUSIVE),
              SbatchSettings.Source.COMMAND_LINE);
    }
    NodeListOptions nodes = new NodeListOptions(context.directory(), context.caller());
    return new JobSpecBuilder(settings.shared(), context.clock(), nodes)
        .spec(call.program().baseName());
  }
}
