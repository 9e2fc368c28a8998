package io.dure.controller.accounting;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.controller.loop.EventFollower;
import io.dure.journal.AccountingLog;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Makes the accounting records of durable events and keeps them in the log, on a thread of its own,
 * so that nothing waits for it but a snapshot.
 */
public final class AccountingFeed implements EventFollower, AutoCloseable {
  private static final int BATCHES = 65_536;
  private static final int AT_ONCE = 1024;
  private static final long FULL_MILLIS = 100;
  private static final long SEEK_SECONDS = 1;
  private static final long FOREVER_SECONDS = Long.MAX_VALUE / 1_000_000_000;
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  /**
   * For how long events are collected: the records of each by themselves would be a write to the
   * disk each, for which the journal, and so every caller, would wait too.
   */
  private static final Duration COLLECT = Duration.ofSeconds(1);

  private final AccountingLog log;
  private final InstantSource clock;

  /** Whether no database takes the records, so that nothing else lets go of old ones. */
  private final boolean alone;

  private final Consumer<Throwable> stopped;
  private final BlockingQueue<News> waiting = new ArrayBlockingQueue<>(BATCHES);
  private final RecordIntake intake;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private final Condition hurried = lock.newCondition();

  /** The count of events whose records are in the log; guarded by the lock, as what follows. */
  private long recorded;

  private boolean missing;

  private @Nullable Instant created;

  private AccountingTree accounts = AccountingTree.initial();

  /** The count of events up to which JobCompType needs no records any more. */
  private long completed;

  /** The count of events that someone waits for. */
  private long wanted;

  private boolean over;

  /** What the thread takes. */
  private sealed interface News {}

  /** Events and the state that they led to; no event where it begins with that state. */
  private record Durable(List<Event> events, ClusterState after) implements News {}

  /** Records that another controller gave. */
  private record Had(RecordSeeker.Given part) implements News {}

  /**
   * A feed that begins with {@link #begin}.
   *
   * @param seeker asks the other controllers for what is missing
   * @param alone whether no database takes the records
   * @param stopped told of a bug, or of a log that ended; nothing is recorded from then on
   */
  public AccountingFeed(
      AccountingLog log,
      RecordSeeker seeker,
      boolean alone,
      InstantSource clock,
      Consumer<Throwable> stopped,
      Logger words) {
    this.log = log;
    this.alone = alone;
    this.intake = new RecordIntake(log, clock, seeker, words);
    this.clock = clock;
    this.stopped = stopped;
    thread = Thread.ofPlatform().name("accounting-feed").daemon().start(this::run);
  }

  @Override
  public void begin(ClusterState begun) {
    put(new Durable(List.of(), begun));
  }

  @Override
  public void happened(List<Event> events, ClusterState after) {
    if (!events.isEmpty()) {
      put(new Durable(events, after));
    }
  }

  /** Takes what another controller gave; what comes too fast is dropped, and asked for again. */
  void given(RecordSeeker.Given part) {
    var _ = waiting.offer(new Had(part));
  }

  private void put(Durable durable) {
    try {
      waiting.put(durable);
      if (waiting.size() == AT_ONCE) {
        hurry(0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void awaitKept(long eventCount) throws IOException, InterruptedException {
    hurry(eventCount);
    awaitRecorded(eventCount);
    log.cover(clock.instant(), eventCount);
    log.sync();
    if (alone) {
      AccountingReader.releaseUpTo(log, Math.min(eventCount, completed()), clock);
    }
  }

  /** Lets the records of the first so many events be made without delay. */
  void hurry(long eventCount) {
    lock.lock();
    try {
      wanted = Math.max(wanted, eventCount);
      hurried.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitRecorded(long eventCount) throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      while (recorded < eventCount) {
        if (over) {
          throw new IOException("the accounting records of some events are not kept");
        }
        if (missing) {
          throw new IOException("accounting records are not yet had from the other controllers");
        }
        advanced.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until more than so many events are recorded, or the feed ends; true if more are. */
  boolean awaitMore(long eventCount) throws InterruptedException {
    return awaitMore(eventCount, FOREVER);
  }

  /** The same for a time, also false where it was over before. */
  boolean awaitMore(long eventCount, Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long nanos = atMost.toNanos();
      while (recorded <= eventCount && !over && nanos > 0) {
        nanos = advanced.awaitNanos(nanos);
      }
      return recorded > eventCount;
    } finally {
      lock.unlock();
    }
  }

  /** The accounts of the state up to which events are recorded. */
  AccountingRecords accounts() {
    lock.lock();
    try {
      return accounts.records();
    } finally {
      lock.unlock();
    }
  }

  /** The count of events up to which JobCompType needs no records any more. */
  long completed() {
    lock.lock();
    try {
      return completed;
    } finally {
      lock.unlock();
    }
  }

  /** When the cluster was first configured, null if nothing is recorded yet. */
  @Nullable Instant created() {
    lock.lock();
    try {
      return created;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it has ended. */
  boolean isOver() {
    lock.lock();
    try {
      return over;
    } finally {
      lock.unlock();
    }
  }

  /** Whether records are missing that others may have. */
  boolean isMissing() {
    lock.lock();
    try {
      return missing;
    } finally {
      lock.unlock();
    }
  }

  /** How many events are recorded. */
  long recorded() {
    lock.lock();
    try {
      return recorded;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (true) {
        News next = waiting.poll(intake.isMissing() ? SEEK_SECONDS : FOREVER_SECONDS, SECONDS);
        if (next instanceof Durable && !intake.isMissing()) {
          collect();
        }
        int taken = 0;
        while (next != null && !Thread.currentThread().isInterrupted()) {
          take(next);
          taken++;
          next = taken < AT_ONCE ? waiting.poll() : null;
        }
        intake.seek();
        advance();
      }
    } catch (InterruptedException e) {
      // closing
    } catch (RuntimeException | Error bug) {
      stopped.accept(bug);
    } finally {
      end();
    }
  }

  private void take(News news) throws InterruptedException {
    awaitRoom();
    switch (news) {
      case Durable(List<Event> events, ClusterState after) when events.isEmpty() ->
          intake.begin(after);
      case Durable(List<Event> events, ClusterState after) -> {
        List<Event> left = intake.happened(events, after);
        while (!left.isEmpty()) {
          awaitRoom();
          left = intake.happened(left, after);
        }
      }
      case Had(RecordSeeker.Given part) -> intake.given(part);
    }
  }

  private void awaitRoom() throws InterruptedException {
    while (!intake.accepts()) {
      Thread.sleep(FULL_MILLIS); // the disk refuses; what waits is told by the log's listener
    }
  }

  private void collect() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long nanos = COLLECT.toNanos();
      while (nanos > 0 && wanted <= recorded && waiting.size() < AT_ONCE) {
        nanos = hurried.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private void advance() {
    lock.lock();
    try {
      recorded = intake.complete();
      missing = intake.isMissing();
      created = intake.created();
      accounts = intake.accounts();
      completed = intake.completed();
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      over = true;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** By which records become old. */
  InstantSource clock() {
    return clock;
  }

  /** The log that it fills. */
  AccountingLog log() {
    return log;
  }

  /** Ends; what was not recorded is made again from the journal. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      var _ = thread.join(FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
