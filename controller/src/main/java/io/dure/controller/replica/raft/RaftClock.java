package io.dure.controller.replica.raft;

import io.microraft.executor.RaftNodeExecutor;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * Time as MicroRaft has it, which counts whole seconds: one of its seconds is a beat. The log's
 * thread.
 */
final class RaftClock implements RaftNodeExecutor {
  private final RaftExecutor turns;
  private final long pace;
  private long leapMillis;
  private long hesitatesUntil;

  RaftClock(RaftExecutor turns, int beatMillis) {
    this.turns = turns;
    this.pace = 1000 / beatMillis;
  }

  long beatMillis() {
    return 1000 / pace;
  }

  /** So many beats are over at once: what was to come by then will not. */
  void leap(int beats) {
    leapMillis += beats * 1000L;
  }

  /** For so many milliseconds nothing begins by itself. */
  void hesitate(long millis) {
    hesitatesUntil = turns.millis() + millis;
  }

  @Override
  public void execute(Runnable task) {
    turns.next(task);
  }

  @Override
  public void submit(Runnable task) {
    turns.next(task);
  }

  @Override
  public void schedule(Runnable task, long delay, TimeUnit unit) {
    RaftTaskKind kind = RaftTaskKind.of(task);
    long millis = unit.toMillis(delay) / pace;
    if (kind == RaftTaskKind.ELECTION_TIMEOUT) {
      // MicroRaft's own spread is a tenth: candidates that have split the votes would do so again.
      millis += turns.random().nextInt((int) (2 * millis) + 1);
    }
    turns.later(kind == RaftTaskKind.HEARTBEAT ? () -> beatInTurn(task) : task, millis);
  }

  private void beatInTurn(Runnable task) {
    long early = hesitatesUntil - turns.millis();
    if (early > 0) {
      turns.later(() -> beatInTurn(task), early);
    } else {
      task.run();
    }
  }

  /** The clock that keeps the beat. */
  Clock clock() {
    return new QuickClock();
  }

  private final class QuickClock extends Clock {
    @Override
    public long millis() {
      return turns.millis() * pace + leapMillis;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
