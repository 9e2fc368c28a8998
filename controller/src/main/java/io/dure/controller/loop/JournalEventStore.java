package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.TextStorage;
import io.dure.controller.replica.raft.RaftStoreFormat;
import io.dure.journal.EventJournal;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalRecord;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.StoredState;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.SnapshotItems;
import io.dure.model.config.ClusterConfig;
import io.dure.protocol.codec.MalformedMessageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Events kept in the journal of one directory. */
public final class JournalEventStore implements EventStore, AutoCloseable {
  private static final int EVENTS_A_SNAPSHOT = 50_000;

  /** After a failure the next attempt comes after so small a part of the usual events. */
  private static final int SOONER = 10;

  private final Journal journal;
  private final Logger log;
  private final AtomicBoolean snapshotting = new AtomicBoolean();
  private final Place place;
  private final StoreBackpressure room = new StoreBackpressure();
  private long events;

  /** Whether the last attempt at a snapshot failed: then the next comes sooner. */
  private volatile boolean failed;

  private volatile boolean closing;

  /** An opened store and the state that it held. */
  public record Opened(JournalEventStore store, ClusterState state) {}

  /**
   * Where events are kept, and the executor for slow work.
   *
   * @param directory the journal's directory
   * @param opener opens the journal there
   * @param eventsASnapshot events after which a snapshot is written, at least 1
   * @param snapshotter runs the writing of a snapshot, which waits for the disk
   * @param texts opens the place of the state's texts, once the directory is locked
   * @param follower what gets the events of the replay, and what a snapshot waits for
   */
  public record Place(
      Path directory,
      Opener opener,
      int eventsASnapshot,
      Executor snapshotter,
      Supplier<TextStorage> texts,
      EventFollower follower) {

    /** A directory of this machine, with threads for what takes time. */
    public static Place of(Path directory, Supplier<TextStorage> texts, EventFollower follower) {
      return new Place(
          directory,
          (at, listener) -> RecoveredJournal.open(at, JournalSettings.defaults(), listener),
          EVENTS_A_SNAPSHOT,
          work -> Thread.ofPlatform().name("snapshot").start(work),
          texts,
          follower);
    }
  }

  /** How a journal is opened. */
  public interface Opener {
    /** Opens the journal of a directory; see {@link RecoveredJournal#open}. */
    RecoveredJournal open(Path directory, JournalListener listener) throws IOException;
  }

  private JournalEventStore(Place place, Journal journal, Logger log) {
    this.place = place;
    this.journal = journal;
    this.log = log;
  }

  /**
   * Opens the journal of a directory and replays it.
   *
   * @param config the configuration that an empty journal starts from
   * @throws IOException if the journal is in use, damaged, or of another version; the message says
   *     what to do
   */
  public static Opened open(Place place, ClusterConfig config, JournalListener listener, Logger log)
      throws IOException {
    Path directory = place.directory();
    RecoveredJournal recovered = place.opener().open(directory, listener);
    recovered.notes().forEach(log::info);
    JournalEventStore store = new JournalEventStore(place, recovered.journal(), log);
    try {
      TextStorage texts = place.texts().get();
      ClusterState state =
          recovered.snapshot() == null
              ? ClusterState.initial(config, texts)
              : StoredState.restore(recovered.snapshot(), texts);
      place.follower().begin(state);
      for (JournalRecord record : recovered.records()) {
        List<Event> events = new ArrayList<>();
        for (EventJournal.Timed timed : EventJournal.decode(directory, record)) {
          events.add(timed.event());
        }
        state = EventApplier.applyAll(state, events);
        store.events += events.size();
        place.follower().happened(events, state);
      }
      mark(recovered, log);
      return new Opened(store, state);
    } catch (MalformedMessageException | IllegalStateException e) {
      store.close();
      if (isOfGroup(recovered.snapshot())) {
        throw new JournalRefusedException(directory + EventJournal.OF_GROUP);
      }
      throw new IOException(
          directory
              + ": journal cannot be replayed: "
              + e.getMessage()
              + "; keep it and report this",
          e);
    } catch (IOException | UncheckedIOException e) {
      store.close();
      throw e instanceof UncheckedIOException unchecked ? unchecked.getCause() : (IOException) e;
    }
  }

  /** Looks at the beginning of a snapshot that is none of a single controller. */
  private static boolean isOfGroup(@Nullable SnapshotItems snapshot) throws IOException {
    byte[] first = snapshot == null ? null : snapshot.open().next();
    return first != null && RaftStoreFormat.isImage(first);
  }

  /**
   * A full disk keeps no controller from starting; it is only not known again without its files.
   */
  private static void mark(RecoveredJournal recovered, Logger log) {
    try {
      recovered.origin().renew(recovered.journal().lastAppended());
    } catch (IOException e) {
      log.error("cannot mark the files of StateSaveLocation as the original: " + e.getMessage());
    }
  }

  @Override
  public void append(EventBatch batch, Consumer<@Nullable Throwable> done) {
    events += batch.events().size();
    // The disk may be behind or full: nothing is acknowledged until it is writable again.
    if (!room.await(journal::accepting)) {
      done.accept(StoreBackpressure.stopping());
      return;
    }
    var _ = journal.append(batch.records()).whenComplete((_, failure) -> done.accept(failure));
  }

  @Override
  public void offerSnapshot(ClusterState state) {
    if (events < eventsBefore() || !snapshotting.compareAndSet(false, true)) {
      return;
    }
    events = 0;
    long sequence = journal.lastAppended();
    place.snapshotter().execute(() -> snapshot(sequence, state));
  }

  private int eventsBefore() {
    int usual = place.eventsASnapshot();
    return failed ? Math.max(1, usual / SOONER) : usual;
  }

  private void snapshot(long sequence, ClusterState state) {
    try {
      place.follower().awaitKept(state.origin().events());
      var _ = journal.snapshot(sequence, StoredState.of(state));
      if (failed) {
        failed = false;
        log.info("snapshot written, after attempts that failed");
      }
    } catch (IOException e) {
      if (closing) {
        log.info("snapshot given up, since this controller ends; the journal has all of it");
        return;
      }
      failed = true;
      log.error(
          "snapshot failed, all journal files are kept until one succeeds; next attempt after "
              + eventsBefore()
              + " events: "
              + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      snapshotting.set(false);
    }
  }

  @Override
  public void close() throws IOException {
    closing = true;
    journal.close();
  }
}
