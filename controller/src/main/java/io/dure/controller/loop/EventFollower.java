package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import java.io.IOException;
import java.util.List;

/**
 * Makes something of all durable events and keeps it in a place of its own, which may be behind the
 * journal; a snapshot waits until it is not.
 */
public interface EventFollower {
  /** What makes nothing of events. */
  EventFollower NONE =
      new EventFollower() {
        @Override
        public void begin(ClusterState state) {}

        @Override
        public void happened(List<Event> events, ClusterState after) {}

        @Override
        public void awaitKept(long eventCount) {}
      };

  /** Begins, or begins anew, with a state; the events behind it follow. */
  void begin(ClusterState state);

  /**
   * Takes durable events, in order. One thread at a time; waits only where it is far behind.
   *
   * @param after the state that they led to
   */
  void happened(List<Event> events, ClusterState after);

  /**
   * Waits until it has durably kept what it makes of the first so many events: from then on a
   * snapshot may take their place.
   *
   * @throws IOException if that does not come any more
   */
  void awaitKept(long eventCount) throws IOException, InterruptedException;
}
