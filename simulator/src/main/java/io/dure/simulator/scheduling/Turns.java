package io.dure.simulator.scheduling;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Lets the processes that this one has started run and stand still in turns so short that whatever
 * else the machine does meets both. One thread switches; any may ask.
 */
final class Turns {
  private static final long LENGTH_NANOS = Duration.ofSeconds(2).toNanos();

  private final Random random;
  private final boolean never;
  private final List<Turn> past = new ArrayList<>();
  private boolean second;
  private boolean first;
  private boolean moves = true;
  private long since = System.nanoTime();
  private long still;

  /**
   * A stretch of time.
   *
   * @param from as {@link System#nanoTime} counts
   * @param until so, too
   * @param moving whether it was a turn to run
   */
  record Turn(long from, long until, boolean moving) {}

  /**
   * They run until there is a turn.
   *
   * @param never whether they stand still in turns of both kinds, which shows what the machine does
   *     by itself
   */
  Turns(long seed, boolean never) {
    random = new Random(seed);
    this.never = never;
  }

  /** Begins the next turn if this one has been long enough. */
  void mayChange() throws IOException, InterruptedException {
    if (System.nanoTime() - since >= LENGTH_NANOS) {
      change();
    }
  }

  /** Begins the next turn: of two one of each kind, in an order that is drawn. */
  void change() throws IOException, InterruptedException {
    end();
    first = second ? !first : random.nextBoolean();
    second = !second;
    signal(first && !never);
    synchronized (this) {
      moves = first;
      since = System.nanoTime();
      notifyAll();
    }
  }

  private synchronized void end() {
    long now = System.nanoTime();
    past.add(new Turn(since, now, moves));
    still += moves ? 0 : now - since;
    since = now;
  }

  private static void signal(boolean run) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", run ? "-CONT" : "-STOP"));
    ProcessHandle.current().children().forEach(child -> command.add(Long.toString(child.pid())));
    Process kill = new ProcessBuilder(command).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new IOException(
          "kill(1) cannot stop the process that makes forecasts, nor continue it");
    }
  }

  /** Waits for a turn to run. */
  synchronized void await() throws InterruptedException {
    while (!moves) {
      wait();
    }
  }

  /** For how many nanoseconds they have stood still until now. */
  synchronized long still() {
    return still + (moves ? 0 : System.nanoTime() - since);
  }

  /** The turns since this was last asked. */
  List<Turn> past() {
    end();
    List<Turn> all = List.copyOf(past);
    past.clear();
    return all;
  }
}
