package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.scheduler.SchedulingPlan;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;

/**
 * The scheduler's thread: after each change, and at least once a second, it starts what the
 * scheduler places, where {@link PassPacing} says so, and lets time pass in the state, though not
 * for each of many changes; what that changes is a change. On the whole it rests three times as
 * long as it works, so that a long queue leaves CPU time to submissions and queries; as long as it
 * worked little of late, it works at once.
 */
public final class SchedulerLoop implements AutoCloseable {
  private static final Duration LONGEST_REST = Duration.ofSeconds(1);

  /** Time passes in the state by such steps at least, since all of it is looked at. */
  private static final long SHORTEST_TICK_NANOS = Duration.ofMillis(100).toNanos();

  private static final Duration FAREWELL = Duration.ofSeconds(10);

  /** Rest that it may owe. */
  private static final Duration MOST_OWED = Duration.ofMillis(20);

  /** How long it rests for the time that it has planned; for that of storing commands, once. */
  private static final int RESTS_FOR_WORK = 3;

  private final StateLoop loop;
  private final StartPlanner planner;
  private final InstantSource clock;
  private final Logger log;
  private final Thread thread;
  private final PassPacing pacing = new PassPacing();
  private long owedNanos;
  private long lastTick = System.nanoTime() - SHORTEST_TICK_NANOS;

  /** Whether something has changed since the last tick. */
  private boolean tickIsDue;

  /** How long this pass has waited for its commands to be stored. */
  private long waitedNanos;

  private volatile boolean changed;
  private volatile boolean closing;

  /** Plans starts from a state. */
  public interface StartPlanner {
    /** What may start now, and what is preempted for it; called by one thread at a time. */
    SchedulingPlan plan(ClusterState state, Instant now);
  }

  /** A ticker that has not started. */
  public SchedulerLoop(StateLoop loop, StartPlanner planner, InstantSource clock, Logger log) {
    this.loop = loop;
    this.planner = planner;
    this.clock = clock;
    this.log = log;
    this.thread = Thread.ofPlatform().name("scheduler").unstarted(this::run);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  /** Something changed that may let a job start. Any thread; does not block. */
  public void wake() {
    if (!changed) {
      changed = true;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closing) {
      long began = System.nanoTime();
      waitedNanos = 0;
      changed = false;
      try {
        pass();
      } catch (ExecutionException e) {
        pacing.failed();
        log.error(
            "scheduling decisions could not be stored, retrying in the next pass: " + e.getCause());
      } catch (RuntimeException bug) {
        pacing.failed();
        log.error("scheduling pass failed, a bug in Dure; retrying", bug);
      } catch (InterruptedException e) {
        return;
      }
      long took = System.nanoTime() - began;
      rest(RESTS_FOR_WORK * (took - waitedNanos) + waitedNanos);
    }
  }

  private void rest(long earnedNanos) {
    long owed = owedNanos + earnedNanos;
    long least = Math.clamp(owed - MOST_OWED.toNanos(), 0, LONGEST_REST.toNanos());
    long start = System.nanoTime();
    while (!closing && System.nanoTime() - start < least) {
      LockSupport.parkNanos(least - (System.nanoTime() - start));
    }
    long most = tickIsDue ? lastTick + SHORTEST_TICK_NANOS - start : LONGEST_REST.toNanos();
    while (!closing && !changed && System.nanoTime() - start < most) {
      LockSupport.parkNanos(most - (System.nanoTime() - start));
    }
    long rested = System.nanoTime() - start;
    owedNanos = Math.clamp(owed - rested, 0, MOST_OWED.toNanos());
  }

  /**
   * A job that waits for nothing but this plan waits neither for the passing of time nor until its
   * submission is durable: its start is so together with it.
   */
  private void pass() throws InterruptedException, ExecutionException {
    ClusterState state = loop.decided();
    Instant now = clock.instant();
    long began = System.nanoTime();
    if (pacing.isDue(state, now, began)) {
      SchedulingPlan plan = planner.plan(state, now);
      long ended = System.nanoTime();
      pacing.planned(state, plan, ended - began, ended);
      if (!plan.starts().isEmpty()) {
        ask(new Command.StartJobs(plan.starts()));
      }
      if (!plan.preemptions().isEmpty()) {
        ask(new Command.PreemptJobs(plan.preemptions()));
      }
    }
    tickIsDue = System.nanoTime() - lastTick < SHORTEST_TICK_NANOS;
    if (!tickIsDue) {
      lastTick = System.nanoTime();
      ask(new Command.Tick());
    }
  }

  private void ask(Command command) throws InterruptedException, ExecutionException {
    long began = System.nanoTime();
    try {
      loop.submit(command, new Caller.Self()).get(5, TimeUnit.MINUTES);
    } catch (TimeoutException e) {
      log.error("journal has not responded for 5 minutes; check the disk of StateSaveLocation");
    } finally {
      waitedNanos += System.nanoTime() - began;
    }
  }

  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    try {
      if (thread.getState() != Thread.State.NEW) {
        thread.join(FAREWELL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
