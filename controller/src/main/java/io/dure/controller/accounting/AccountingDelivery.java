package io.dure.controller.accounting;

import io.dure.accounting.DatabaseFailure;
import io.dure.accounting.StalePositionException;
import io.dure.accounting.store.AccountingStore;
import io.dure.accounting.store.RecordSink;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Delivers the records of the log to the database, each once and in order: one thread, which waits
 * and tries again while the database does not answer.
 */
public final class AccountingDelivery implements AutoCloseable {
  private static final String ENDS = "";
  private static final String AGAIN = "again";
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration BEHIND = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final AccountingFeed feed;
  private final AccountingStore store;
  private final String cluster;
  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final Logger log;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();

  /** The count of events whose records the database has; guarded by the lock. */
  private long delivered;

  /** The failure that the log has, empty for none; of the thread. */
  private String told = "";

  /** Whether the last attempt failed, so that waiting would be in vain. */
  private boolean failing;

  /**
   * How far the database has the records.
   *
   * @param events the count of events whose records it has, 0 where that is not known yet
   * @param failing whether it took none at the last attempt
   */
  public record Progress(long events, boolean failing) {
    /** How many of so many events it lacks, null where that is not known. */
    public @Nullable Long lacking(long all) {
      return events == 0 ? null : (Long) Math.max(0, all - events);
    }
  }

  /**
   * Begins.
   *
   * @param cluster the name under which the database knows it
   * @param leads whether this controller leads: into a database that controllers share the leader
   *     alone delivers, as the log of another may have a gap
   */
  public AccountingDelivery(
      AccountingFeed feed,
      AccountingStore store,
      String cluster,
      BooleanSupplier leads,
      InstantSource clock,
      Logger log) {
    this.feed = feed;
    this.store = store;
    this.cluster = cluster;
    this.leads = leads;
    this.clock = clock;
    this.log = log;
    thread = Thread.ofPlatform().name("accounting-delivery").daemon().start(this::run);
  }

  private void run() {
    Duration pause = SHORTEST;
    try {
      while (true) {
        String failure = isMine() ? deliver() : forget();
        if (failure.equals(ENDS)) {
          return;
        }
        if (failure.equals(AGAIN)) {
          Thread.sleep(SHORTEST);
          continue;
        }
        // The same failure may tell other numbers each time.
        String kind = failure.replaceAll("[0-9]+", "0");
        if (!kind.equals(told)) {
          log.error(
              "accounting database ({}): {}; records are kept and delivered later",
              store.name(),
              failure);
          pause = SHORTEST;
        }
        told = kind;
        setFailing();
        Thread.sleep(pause);
        pause = pause.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : pause.multipliedBy(2);
      }
    } catch (InterruptedException e) {
      // closing
    }
  }

  private boolean isMine() {
    return !store.isShared() || leads.getAsBoolean();
  }

  /** Lets go of what the controller that leads has delivered; what went wrong. */
  private String forget() throws InterruptedException {
    try {
      RecordSink sink = sink();
      if (sink == null) {
        return ENDS;
      }
      AccountingReader.releaseUpTo(feed.log(), Math.min(sink.position(), feed.completed()), clock);
      takesAgain();
      for (Duration waited = Duration.ZERO;
          waited.compareTo(LONGEST) < 0 && !isMine();
          waited = waited.plus(SHORTEST)) {
        Thread.sleep(SHORTEST);
      }
      return AGAIN;
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      return DatabaseFailure.message(e);
    }
  }

  private void takesAgain() {
    if (!told.isEmpty()) {
      log.info("accounting database takes records again");
      told = "";
    }
  }

  /** Delivers until something goes wrong; what that was. */
  private String deliver() throws InterruptedException {
    try {
      RecordSink sink = sink();
      if (sink == null) {
        return ENDS;
      }
      long position = sink.position();
      // A controller that starts or follows another one is behind for a while.
      if (!feed.awaitMore(position - 1, BEHIND)) {
        return feed.isMissing()
            ? "the records behind those that it has are missing here, and not yet had from the other"
                + " controllers"
            : "it has records of events that StateSaveLocation does not have";
      }
      try (AccountingReader reader =
          new AccountingReader(
              feed.log(),
              sink::store,
              position,
              new AccountingReader.Release(clock, feed::completed),
              log)) {
        follow(reader);
      }
      return feed.isOver() ? ENDS : AGAIN;
    } catch (StalePositionException e) {
      return AGAIN; // another one leads, or led until now; or an old copy was put in its place
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      return DatabaseFailure.message(e);
    }
  }

  /** What takes the records, null if the feed ends before. */
  private @Nullable RecordSink sink() throws InterruptedException, IOException {
    return feed.awaitMore(0)
        ? store.sink(cluster, String.valueOf(Objects.requireNonNull(feed.created())))
        : null;
  }

  private void follow(AccountingReader reader)
      throws StalePositionException, IOException, InterruptedException {
    long seen = 0;
    while (feed.awaitMore(seen) && isMine()) {
      seen = feed.recorded();
      feed.log().sync();
      while (reader.deliver()) {
        // on with the next batch
      }
      takesAgain();
      advance(seen);
    }
  }

  private void advance(long eventCount) {
    lock.lock();
    try {
      delivered = eventCount;
      failing = false;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void setFailing() {
    lock.lock();
    try {
      failing = true;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the database has the records of so many events, or the time is over, or it takes
   * none.
   *
   * @return whether it has them
   */
  public boolean awaitDelivered(long eventCount, Duration atMost) {
    feed.hurry(eventCount);
    lock.lock();
    try {
      long nanos = atMost.toNanos();
      while (delivered < eventCount && !failing && nanos > 0) {
        nanos = advanced.awaitNanos(nanos);
      }
      return delivered >= eventCount;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** How far the database has the records. */
  public Progress progress() {
    lock.lock();
    try {
      return new Progress(delivered, failing);
    } finally {
      lock.unlock();
    }
  }

  /** Ends; what is not delivered is so by the next one. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      var _ = thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
