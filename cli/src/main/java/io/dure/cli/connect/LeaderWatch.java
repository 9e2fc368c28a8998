package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Looks after a request that one of several controllers does not answer: a controller that is
 * stopped, or whose machine is gone, keeps its connections. From the first second on the others are
 * asked whether one of them leads; if so, the connection that is waited on is closed, which ends
 * the waiting. A leader that only takes its time is waited for, also where a second door leads to
 * it, as the socket and the address of one machine do.
 */
final class LeaderWatch {
  private static final ScheduledThreadPoolExecutor TIMER = timer();
  private static final long FIRST_NANOS = 1_000_000_000;
  private static final long PAUSE_NANOS = 250_000_000;
  private static final long LONGEST_PAUSE_NANOS = 4_000_000_000L;
  private static final Duration CONNECTING = Duration.ofSeconds(2);

  private final ConnectionOpeners doors;
  private final int door;
  private final ControllerConnection waiting;
  private final long end;
  private final AtomicInteger leader = new AtomicInteger(-1);
  private final AtomicReferenceArray<ControllerConnection> probes;
  private final ScheduledFuture<?> beginning;
  private volatile @Nullable Thread thread;
  private volatile boolean stopped;

  /**
   * Begins to look.
   *
   * @param door the door that was asked
   * @param waiting the connection on which the answer is waited for
   * @param end when the waiting is over in any case, by {@link System#nanoTime}; {@link
   *     Long#MAX_VALUE} for never
   */
  LeaderWatch(ConnectionOpeners doors, int door, ControllerConnection waiting, long end) {
    this.doors = doors;
    this.door = door;
    this.waiting = waiting;
    this.end = end;
    probes = new AtomicReferenceArray<>(doors.count());
    beginning = TIMER.schedule(this::begin, FIRST_NANOS, TimeUnit.NANOSECONDS);
  }

  /** Nearly all answers come before: only what takes longer is worth a thread. */
  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("leader-watch-timer").factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  private void begin() {
    Thread looking = Thread.ofPlatform().daemon().name("leader-watch").unstarted(this::look);
    thread = looking;
    if (!stopped) {
      looking.start();
    }
  }

  /** The answer came, or the waiting ended: the door of the controller that leads, -1 if none. */
  int stop() {
    stopped = true;
    beginning.cancel(false);
    Thread looking = thread;
    if (looking != null) {
      looking.interrupt();
    }
    for (int i = 0; i < probes.length(); i++) {
      close(i);
    }
    return leader.get();
  }

  private void look() {
    try {
      for (int other = 0; other < doors.count(); other++) {
        if (other != door && !stopped) {
          int probed = other;
          Thread.ofPlatform().daemon().name("leader-probe").start(() -> probe(probed));
        }
      }
      if (end != Long.MAX_VALUE && !stopped) {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, end - System.nanoTime()));
        giveUp();
      }
    } catch (InterruptedException e) {
      // the answer came
    }
  }

  private void probe(int other) {
    long pause = PAUSE_NANOS;
    while (!stopped && leader.get() < 0) {
      if (leads(other) && leader.compareAndSet(-1, other)) {
        giveUp();
        return;
      }
      try {
        TimeUnit.NANOSECONDS.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }

  /** The leader alone shows the controllers with a leader; the others refer to it. */
  private boolean leads(int other) {
    try {
      ControllerConnection connection = probes.get(other);
      if (connection == null) {
        connection = doors.open(other, CONNECTING);
        probes.set(other, connection);
        if (stopped) {
          close(other);
          return false;
        }
      }
      return connection.ask(new Request.ShowReplicas()) instanceof Response.Replicas replicas
          && replicas.replicas().stream().anyMatch(this::isAnother);
    } catch (IOException e) {
      close(other);
      return false;
    }
  }

  /** Whether that one leads and is not the one that is waited for. */
  private boolean isAnother(Response.Replica replica) {
    return replica.role().equals("LEADER") && !replica.host().equals(doors.host(door));
  }

  private void close(int which) {
    ControllerConnection last = probes.getAndSet(which, null);
    if (last != null) {
      last.closeQuietly();
    }
  }

  private void giveUp() {
    if (!stopped) {
      waiting.closeQuietly();
    }
  }
}
