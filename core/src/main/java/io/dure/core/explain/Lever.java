package io.dure.core.explain;

import io.dure.core.controller.ClusterState;
import io.dure.core.rollout.Imagined;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A cause and how it is taken away.
 *
 * @param cause what it is
 * @param change the cluster without it, as far as it is no job
 * @param ended jobs that hold resources and are taken away
 * @param withdrawn jobs that wait and are taken away
 */
record Lever(
    Cause cause, UnaryOperator<ClusterState> change, List<Integer> ended, List<Integer> withdrawn) {

  static Lever of(Cause cause, UnaryOperator<ClusterState> change) {
    return new Lever(cause, change, List.of(), List.of());
  }

  static Lever ended(Cause cause, List<Integer> jobs) {
    return new Lever(cause, UnaryOperator.identity(), jobs, List.of());
  }

  static Lever withdrawn(Cause cause, List<Integer> jobs) {
    return new Lever(cause, UnaryOperator.identity(), List.of(), jobs);
  }

  /** The cluster without any of these. */
  static Imagined without(List<Lever> levers, ClusterState from, Instant now) {
    ClusterState state = from;
    for (Lever lever : levers) {
      state = lever.change().apply(state);
    }
    Imagined view = Imagined.of(state);
    for (Lever lever : levers) {
      view = view.without(lever.ended(), now);
      for (int job : lever.withdrawn()) {
        view = view.withdraw(job);
      }
    }
    return view;
  }
}
