package io.dure.faults.plantedbugs;

import io.dure.cluster.Event;
import java.util.ArrayList;
import java.util.List;

/** A stored text counts twice, and so does each node's word that it is there. */
final class DoubleApplyMutation extends RulesMutation {
  @Override
  List<Event> applied(List<Event> events) {
    List<Event> twice = new ArrayList<>();
    for (Event event : events) {
      twice.add(event);
      if (event instanceof Event.NodeReleased || event instanceof Event.JobRequeued) {
        twice.add(event);
      }
    }
    return twice;
  }
}
