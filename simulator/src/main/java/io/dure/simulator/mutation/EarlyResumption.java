package io.dure.simulator.mutation;

import io.dure.controller.loop.StateKeeper;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Event;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.simulator.world.Wiring;
import java.util.List;

/** What stands still for another goes on with the next tick that has nothing else to do. */
final class EarlyResumption implements Wiring {
  @Override
  public StateKeeper.Rules rules(StateKeeper.Rules real) {
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
