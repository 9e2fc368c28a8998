package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where events become durable. Called by the state loop alone. */
public interface EventStore {

  /**
   * Stores events behind all earlier ones, all of them or none.
   *
   * @param batch not changed any more; an empty one to learn when all earlier ones are durable
   * @param done called, in order of the calls, with null once everything up to here survives a
   *     crash, or with what kept it from being stored; says itself what goes wrong in it. After an
   *     interrupt a batch for which there is no room fails, and so does every later one
   */
  void append(EventBatch batch, Consumer<@Nullable Throwable> done);

  /**
   * Waits for a good moment to append: called before commands are taken from those that wait, so
   * that more of them go together.
   */
  default void gather(PendingCommands crowd) {}

  /** Commands that wait to be decided. */
  interface PendingCommands {
    /** How many went together the last time. */
    int before();

    /** How many wait now. */
    int now();

    /** Waits until there are so many or the time is over; how many there are then. */
    int await(int count, long nanos);
  }

  /** Offers the state after everything that was appended, to be kept instead of the events. */
  void offerSnapshot(ClusterState state);
}
