package io.dure.controller.loop;

import io.dure.core.controller.ClusterState;
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

  /** Offers the state after everything that was appended, to be kept instead of the events. */
  void offerSnapshot(ClusterState state);
}
