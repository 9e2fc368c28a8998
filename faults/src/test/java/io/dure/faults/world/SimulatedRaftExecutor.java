package io.dure.faults.world;

import io.dure.controller.replica.raft.RaftExecutor;
import io.dure.host.log.LibraryLogging;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a replicated log in one life of a controller. What makes it wait, such as its disk,
 * is done at once, and all that the thread does afterwards happens, for others, when the waiting is
 * over: until then nothing leaves it, and if the process ends before, nothing ever does.
 */
final class SimulatedRaftExecutor implements RaftExecutor {
  /** MicroRaft takes 0 for a time long ago. */
  private static final long EPOCH = 1_000_000;

  private static final long SWITCH = 10;

  private final SimulatedControllerHost machine;
  private final Random random;
  private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private boolean pumping;
  private long busyUntil;
  private boolean beside;
  private boolean turning;
  private LibraryLogging.@Nullable Sink complaints;

  SimulatedRaftExecutor(SimulatedControllerHost machine) {
    this.machine = machine;
    this.random = new Random(machine.random.nextLong());
  }

  /** Who is told of errors in its turns. */
  void complaints(LibraryLogging.Sink sink) {
    complaints = sink;
  }

  /** The moment for this thread: later than for others while it waits. */
  long micros() {
    return Math.max(machine.time.micros(), busyUntil);
  }

  /** The thread waits. */
  void spend(long micros) {
    busyUntil = micros() + micros;
  }

  /** Whether the present task is one beside the log's thread, which cannot wait. */
  boolean isBeside() {
    return beside;
  }

  /** Does it when the thread has waited. */
  void whenDone(Runnable action) {
    if (held.isEmpty() && busyUntil <= machine.time.micros()) {
      action.run();
    } else {
      held.add(action);
      pump();
    }
  }

  /** Does now what would happen when the thread has waited: it is asked what it has done. */
  void catchUp() {
    while (!held.isEmpty()) {
      held.remove().run();
    }
  }

  @Override
  public void next(Runnable task) {
    ready.add(task);
    pump();
  }

  private void pump() {
    if (!pumping) {
      pumping = true;
      machine.later(micros() - machine.time.micros() + SWITCH, "log", this::turn);
    }
  }

  private void turn() {
    pumping = false;
    if (busyUntil <= machine.time.micros()) {
      catchUp();
      while (!ready.isEmpty() && busyUntil <= machine.time.micros()) {
        guarded(ready.remove());
        if (machine.diesOfDisk()) {
          return;
        }
      }
    }
    if (!ready.isEmpty() || !held.isEmpty()) {
      pump();
    }
  }

  private void guarded(Runnable task) {
    RaftErrorRouter.of(complaints);
    turning = true;
    try {
      task.run();
    } catch (RuntimeException | Error bug) {
      if (!machine.stopped()) {
        machine.world.violate("the log's thread meets no bug", machine.host + ": " + bug);
      }
    } finally {
      turning = false;
    }
  }

  @Override
  public void later(Runnable task, long millis) {
    machine.later(millis * 1000, "log timer", () -> next(task));
  }

  @Override
  public void beside(Runnable task) {
    machine.later(
        1000L + machine.random.nextInt(50_000),
        "beside the log",
        () -> {
          beside = true;
          try {
            guarded(task);
          } finally {
            beside = false;
          }
          machine.diesOfDisk();
        });
  }

  @Override
  public long millis() {
    // Others who ask while it waits see that it does.
    return EPOCH + (turning ? micros() : machine.time.micros()) / 1000;
  }

  @Override
  public Random random() {
    return random;
  }

  @Override
  public void await(CompletableFuture<?> done) {
    // nobody closes a log here: processes end without a word
  }
}
