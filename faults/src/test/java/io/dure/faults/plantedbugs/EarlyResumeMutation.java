package io.dure.faults.plantedbugs;

import io.dure.cluster.Decision;
import io.dure.cluster.DecisionFunction;
import io.dure.cluster.Event;
import io.dure.faults.world.FaultHooks;
import io.dure.model.command.Command;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import java.util.List;

/** What stands still for another goes on with the next tick that has nothing else to do. */
final class EarlyResumeMutation implements FaultHooks {
  @Override
  public DecisionFunction rules(DecisionFunction real) {
    return (state, command, caller, now) -> {
      Decision decision = real.decide(state, command, caller, now);
      if (command instanceof Command.Tick && decision.events().isEmpty()) {
        for (Job job : state.active().values()) {
          if (job.state() instanceof JobState.Suspended suspended
              && suspended.cause() == JobState.Suspended.Cause.PREEMPTION) {
            Event resumed = new Event.JobResumed(job.id(), job.run(), now, suspended.run().end());
            return Decision.of(state, List.of(resumed), decision.effects(), decision.reply());
          }
        }
      }
      return decision;
    };
  }
}
