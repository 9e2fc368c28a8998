package io.dure.faults.plantedbugs;

import io.dure.cluster.Decision;
import io.dure.cluster.Event;
import io.dure.model.command.Command;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import java.util.List;
import java.util.stream.IntStream;

/** Each job gets cores from the first on. */
final class SameCoresMutation extends RulesMutation {
  @Override
  Decision decision(Command command, Decision decision) {
    List<Event> events = decision.events().stream().map(SameCoresMutation::moved).toList();
    return new Decision(decision.after(), events, decision.effects(), decision.reply());
  }

  private static Event moved(Event event) {
    return event instanceof Event.JobStarted e
        ? new Event.JobStarted(
            e.jobId(),
            e.run(),
            first(e.allocation()),
            e.at(),
            e.end(),
            e.configuring(),
            e.contained())
        : event;
  }

  private static Allocation first(Allocation given) {
    List<NodeShare> shares =
        given.shares().stream()
            .map(s ->
                new NodeShare(
                    s.node(),
                    IntStream.range(0, s.cores().size()).boxed().toList(),
                    s.cpus(),
                    s.memoryMib(),
                    s.tasks()))
            .toList();
    return given.with().shares(shares).jobsPerCore(null).scriptNode(null).resized(null).build();
  }
}
