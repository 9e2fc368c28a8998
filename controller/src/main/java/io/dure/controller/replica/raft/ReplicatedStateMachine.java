package io.dure.controller.replica.raft;

import io.dure.journal.segment.SnapshotItems;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replicated log is kept for. Called on the log's thread: answer quickly, never wait for the
 * log there. Between {@link #elected} and {@link #deposed} a batch that this member appended is
 * told by its {@code done} alone; every other batch by {@link #committed}. Both together are, in
 * order, the state.
 */
public interface ReplicatedStateMachine {
  /**
   * Begins again from a state, null for the empty one; whatever was applied before is forgotten.
   *
   * @param snapshot what {@link #image} once gave, or a lone controller's snapshot
   * @throws IOException if it cannot be read
   */
  void restore(@Nullable SnapshotItems snapshot) throws IOException;

  /** A batch is kept for good and comes next. */
  void committed(long place, List<byte[]> records);

  /** This member leads; everything kept before has been told. */
  void elected(long term);

  /**
   * This member does not lead any more: callers that waited for a batch have been told that it
   * failed; the batch may still come by {@link #committed}.
   */
  void deposed();

  /**
   * The state after the last batch that was told, by {@code done} or by {@link #committed}. It does
   * not change any more; its items are made by any thread, perhaps more than once, perhaps never.
   */
  SnapshotItems image();

  /** The log cannot go on here; the program must end. */
  void stopped(Throwable cause);
}
