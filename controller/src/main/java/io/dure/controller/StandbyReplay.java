package io.dure.controller;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.TextStorage;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.journal.EventJournal;
import io.dure.journal.JournalRecord;
import io.dure.journal.StoredState;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.SnapshotItems;
import io.dure.model.config.ClusterConfig;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One controller of several: while another leads it applies what that one decides, so that its own
 * state is at hand at once when it is elected. On the log's thread.
 */
public final class StandbyReplay implements ReplicatedStateMachine {
  private final Path directory;
  private final ClusterConfig config;
  private final RoleListener listener;
  private final Supplier<TextStorage> opener;
  private final EventFollower follower;
  private @Nullable TextStorage texts;
  private ClusterState state;
  private boolean leading;
  private long told;

  /** What leading means to the rest of the program. None of these may wait. */
  public interface RoleListener {
    /**
     * This controller leads from now on.
     *
     * @param state what it begins with
     * @param told place of the last batch by which it became so, 0 for none since the beginning
     */
    void elected(ClusterState state, long told);

    /**
     * It leads no more.
     *
     * @return the newest state that was kept while it led, null if it never began
     */
    @Nullable ClusterState deposed();

    /** The newest state that has been kept while it leads, null before it has begun. */
    @Nullable ClusterState published();

    /** The log cannot go on. */
    void stopped(Throwable cause);
  }

  /**
   * With the state before anything was decided.
   *
   * @param directory where the log lies, for messages
   * @param config what an empty log starts from
   * @param texts opens the place of the state's texts, once the log's directory is locked
   * @param follower what gets the events that others decided, and what a snapshot waits for
   */
  public StandbyReplay(
      Path directory,
      ClusterConfig config,
      RoleListener listener,
      Supplier<TextStorage> texts,
      EventFollower follower) {
    this.directory = directory;
    this.config = config;
    this.listener = listener;
    this.opener = texts;
    this.follower = follower;
    this.state = ClusterState.initial(config);
  }

  /** The state after all that the log has told; as leader, what was kept so far. */
  public ClusterState state() {
    ClusterState kept = leading ? listener.published() : null;
    return kept == null ? state : kept;
  }

  @Override
  public void restore(@Nullable SnapshotItems snapshot) throws IOException {
    TextStorage place = texts == null ? opener.get() : texts;
    texts = place;
    state = ClusterState.initial(config, place); // the old one goes before the other is made
    if (snapshot != null) {
      state = StoredState.restore(snapshot, place);
    }
    follower.begin(state);
    told = snapshot == null ? told : Math.max(told, 1); // its place is not known, but it has one
  }

  @Override
  public void committed(long place, List<byte[]> records) {
    told = place;
    try {
      List<Event> events = new ArrayList<>();
      for (byte[] record : records) {
        for (EventJournal.Timed timed :
            EventJournal.decode(directory, new JournalRecord(place, record))) {
          events.add(timed.event());
        }
      }
      state = EventApplier.applyAll(state, events);
      follower.happened(events, state);
    } catch (JournalRefusedException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void elected(long term) {
    leading = true;
    listener.elected(state, told);
  }

  @Override
  public void deposed() {
    leading = false;
    ClusterState last = listener.deposed();
    state = last == null ? state : last;
  }

  @Override
  public SnapshotItems image() {
    ClusterState now = state();
    SnapshotItems items = StoredState.of(now);
    return () -> {
      SnapshotItems.Reader all = items.open();
      return () -> {
        awaitKept(now);
        return all.next();
      };
    };
  }

  private void awaitKept(ClusterState image) throws IOException {
    try {
      follower.awaitKept(image.origin().events());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before the events of a snapshot were followed");
    }
  }

  @Override
  public void stopped(Throwable cause) {
    listener.stopped(cause);
  }
}
