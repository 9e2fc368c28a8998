package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.command.Effect;
import java.util.List;

/** What to do with decisions once they are durable. */
public interface DecisionListener {
  /**
   * There is a new state, which may never become durable: for what can only lead to more decisions.
   * Must not block.
   */
  default void decided(ClusterState state) {}

  /** A new state is visible. Must not block. */
  void published(ClusterState state);

  /**
   * Events are durable; called by one thread at a time. Must not block.
   *
   * @param after the state that they led to
   */
  default void happened(List<Event> events, ClusterState after) {}

  /** Perform an effect; must not block. */
  void perform(Effect effect, ClusterState state);

  /**
   * The loop, or what happens once a decision is durable, met a bug or ran out of memory: the
   * program must end.
   */
  default void stopped(Throwable cause) {}
}
