package io.dure.faults.plantedbugs;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.Event;
import io.dure.faults.world.FaultHooks;
import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.command.Command;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.command.StepPartEnds;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import io.dure.protocol.NodeToControllerMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be wrong about numbered steps. */
final class StepMutations {
  private StepMutations() {}

  /** A step that was lost has ended well. */
  static final class LostIsWell extends RulesMutation {
    @Override
    Command command(ClusterState state, Command command) {
      if (command instanceof Command.StepPartEnded(int job, int run, int step, StepEnd end)) {
        return new Command.StepPartEnded(job, run, step, well(end));
      }
      if (command
          instanceof
          Command.StepPartsEnded(int job, int run, int step, long batch, var parts, var used)) {
        List<StepPartEnds> told =
            parts.stream().map(part -> new StepPartEnds(part.nodes(), well(part.end()))).toList();
        return new Command.StepPartsEnded(job, run, step, batch, told, used);
      }
      return command;
    }

    private static StepEnd well(StepEnd end) {
      return end instanceof StepEnd.Lost ? new StepEnd.Ran(ExitStatus.OK, false) : end;
    }
  }

  /** A step is over when the first of its nodes says so. */
  static final class FirstEndIsAll extends RulesMutation {
    @Override
    Decision decision(Command command, Decision decision) {
      List<Event> events = new ArrayList<>();
      for (Event event : decision.events()) {
        events.add(event);
        if (event instanceof Event.StepPartEnded e) {
          Job job = decision.after().job(e.jobId());
          LaunchedStep left = job == null ? null : job.runSteps().step(e.step());
          if (left != null) {
            String others = HostList.compressInOrder(left.nodesLeft());
            events.add(
                new Event.StepPartEnded(
                    e.jobId(), e.run(), e.step(), others, e.exit(), e.at(), null));
          }
        }
      }
      return new Decision(decision.after(), events, decision.effects(), decision.reply());
    }
  }

  /** Each step gets cores from the first on. */
  static final class SameStepCores extends RulesMutation {
    @Override
    Decision decision(Command command, Decision decision) {
      List<Event> events =
          decision.events().stream().map(event -> moved(event, decision.after())).toList();
      return new Decision(decision.after(), events, decision.effects(), decision.reply());
    }

    private static Event moved(Event event, ClusterState after) {
      if (!(event instanceof Event.StepCreated e)) {
        return event;
      }
      Job job = after.job(e.jobId());
      Allocation held = job == null ? null : job.state().allocated();
      List<StepShare> shares =
          e.step().shares().stream()
              .map(share -> first(share, held == null ? null : held.shareOn(share.node())))
              .toList();
      return new Event.StepCreated(e.jobId(), e.run(), e.step().with().shares(shares).build());
    }

    private static StepShare first(StepShare share, @Nullable NodeShare whole) {
      return whole == null
          ? share
          : new StepShare(
              share.node(),
              whole.cores().subList(0, share.cores().size()),
              share.cpus(),
              share.memoryMib(),
              share.ranks());
    }
  }

  /** Nodes list no steps. */
  static FaultHooks withoutLists() {
    return new FaultHooks() {
      @Override
      public @Nullable NodeToControllerMessage fromNode(NodeToControllerMessage message) {
        return switch (message) {
          case NodeToControllerMessage.Inventory(var runs) ->
              new NodeToControllerMessage.Inventory(bare(runs));
          case NodeToControllerMessage.Report(Command.RegisterNode(var facts, var runs, var own)) ->
              new NodeToControllerMessage.Report(new Command.RegisterNode(facts, bare(runs), own));
          case NodeToControllerMessage.Report _,
              NodeToControllerMessage.Heartbeat _,
              NodeToControllerMessage.JobsOfUser _,
              NodeToControllerMessage.Hello _ ->
              message;
        };
      }
    };
  }

  private static List<RunReport> bare(List<RunReport> runs) {
    return runs.stream().map(run -> run.with(List.of())).toList();
  }
}
