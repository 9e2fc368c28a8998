package io.dure.host.net;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a program that waits for time limits, however many there are; it is started by
 * the first of them. A plain thread and a tree: the platform's scheduled pools cost a short-lived
 * command several milliseconds of loading.
 *
 * <p>An entry is looked at when its time has come, not removed when it is stopped: a connection
 * that is busy sets its limit thousands of times and costs the tree two changes in all.
 */
final class DeadlineTimer {
  private static final DeadlineTimer SHARED = new DeadlineTimer();

  private final TreeSet<Entry> entries = new TreeSet<>(Entry.ORDER);
  private long number;
  private @Nullable Thread thread;

  private DeadlineTimer() {}

  /** The program's own. */
  static DeadlineTimer shared() {
    return SHARED;
  }

  /** Something that wants to be asked at some time. */
  interface TimedTask {
    /** The time has come. Called by the shared thread; must not block. */
    void wake();
  }

  /** A sleeper and its time; two of the same time are told apart by their numbers. */
  record Entry(long at, long number, TimedTask sleeper) {
    // nanoTime may overflow: times are compared by their difference.
    static final Comparator<Entry> ORDER =
        (a, b) ->
            a.at() == b.at() ? Long.compare(a.number(), b.number()) : Long.signum(a.at() - b.at());
  }

  /** Has the sleeper woken at that moment of {@link System#nanoTime}. Any thread. */
  synchronized Entry enter(long at, TimedTask sleeper) {
    Entry entry = new Entry(at, number++, sleeper);
    entries.add(entry);
    if (thread == null) {
      thread = Thread.ofPlatform().daemon().name("time limits").start(this::watch);
    } else if (entries.first().number() == entry.number()) {
      notifyAll();
    }
    return entry;
  }

  /** The sleeper is of no interest any more; nothing if it was woken. */
  synchronized void forget(Entry entry) {
    entries.remove(entry);
  }

  private void watch() {
    try {
      while (true) {
        Entry due = next();
        due.sleeper().wake();
      }
    } catch (InterruptedException e) {
      // This thread is never interrupted.
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Entry next() throws InterruptedException {
    while (true) {
      Entry first = entries.isEmpty() ? null : entries.first();
      long left = first == null ? 0 : first.at() - System.nanoTime();
      if (first == null) {
        wait();
      } else if (left <= 0) {
        entries.remove(first);
        return first;
      } else {
        wait(left / 1_000_000, (int) (left % 1_000_000));
      }
    }
  }
}
