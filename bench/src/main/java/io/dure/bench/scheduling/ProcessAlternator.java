package io.dure.bench.scheduling;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets the processes that this one has started run and stand still in turns so short that whatever
 * else the machine does meets both. One thread switches; any may ask.
 */
final class ProcessAlternator {
  private static final long LENGTH_NANOS = Duration.ofSeconds(2).toNanos();

  private final Random random;
  private final Mover mover;
  private final List<Turn> past = new ArrayList<>();
  private boolean begun;
  private boolean second;
  private boolean first;
  private boolean moves = true;
  private long since = System.nanoTime();
  private Duration worked = Duration.ZERO;
  private @Nullable Process loop;

  /** What runs in turns. */
  enum Mover {
    /** The processes that are there: the one that makes forecasts. */
    FORECASTS,
    /** Nothing, which shows what the machine does by itself. */
    NOTHING,
    /** A loop that does nothing when nobody else wants a processor. */
    LOOP
  }

  /**
   * A stretch of time.
   *
   * @param from as {@link System#nanoTime} counts
   * @param until so, too
   * @param moving whether it was a turn to run
   * @param worked for how long a processor was busy with what runs in turns
   */
  record Turn(long from, long until, boolean moving, Duration worked) {}

  /** What part of their turns of a kind they used a processor for. */
  static double busy(List<Turn> turns, boolean moving) {
    double worked = 0;
    double time = 0;
    for (Turn turn : turns) {
      if (turn.moving() == moving) {
        worked += turn.worked().toNanos();
        time += turn.until() - turn.from();
      }
    }
    return worked / Math.max(1, time);
  }

  /** All run until there is a turn. */
  ProcessAlternator(long seed, Mover mover) {
    random = new Random(seed);
    this.mover = mover;
    // What stands still does not see that whoever asked has gone.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly)));
  }

  /** Begins the next turn if this one has been long enough. */
  void mayChange() throws IOException, InterruptedException {
    if (!begun || System.nanoTime() - since >= LENGTH_NANOS) {
      change();
    }
  }

  /** Begins the next turn: of two one of each kind, in an order that is drawn. */
  void change() throws IOException, InterruptedException {
    end();
    first = second ? !first : random.nextBoolean();
    second = !second;
    move(first);
    worked = work();
    synchronized (this) {
      moves = first;
      begun = true;
      since = System.nanoTime();
      notifyAll();
    }
  }

  private synchronized void end() {
    long now = System.nanoTime();
    if (begun) {
      past.add(new Turn(since, now, moves, work().minus(worked)));
    }
    since = now;
  }

  private void move(boolean run) throws IOException, InterruptedException {
    if (mover == Mover.LOOP && loop == null) {
      signal("-STOP", ProcessHandle.current().children());
      loop = new ProcessBuilder("chrt", "-i", "0", "sh", "-c", "while :; do :; done").start();
    }
    signal(run && mover != Mover.NOTHING ? "-CONT" : "-STOP", movers());
  }

  private Stream<ProcessHandle> movers() {
    return loop == null ? ProcessHandle.current().children() : Stream.of(loop.toHandle());
  }

  /** How long a processor has been busy with them. */
  private Duration work() {
    return movers()
        .map(one -> one.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static void signal(String signal, Stream<ProcessHandle> processes)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    if (command.size() == 2) {
      throw new IOException("the process that makes forecasts has ended");
    }
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

  /** Ends the turns: those since the last end, in pairs of both kinds but for the last. */
  List<Turn> past() {
    end();
    begun = false;
    second = false;
    List<Turn> all = List.copyOf(past);
    past.clear();
    return all;
  }
}
