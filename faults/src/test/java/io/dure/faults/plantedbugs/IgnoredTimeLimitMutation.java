package io.dure.faults.plantedbugs;

import io.dure.cluster.Decision;
import io.dure.cluster.Event;
import io.dure.model.command.Command;
import io.dure.model.job.JobOutcome;

/** Time passes without ending anything. */
final class IgnoredTimeLimitMutation extends RulesMutation {
  @Override
  Decision decision(Command command, Decision decision) {
    return decision.events().stream().anyMatch(IgnoredTimeLimitMutation::isTimeout)
        ? nothing(decision)
        : decision;
  }

  private static boolean isTimeout(Event event) {
    return event instanceof Event.JobEnding ending
        && ending.outcome() instanceof JobOutcome.TimedOut;
  }
}
