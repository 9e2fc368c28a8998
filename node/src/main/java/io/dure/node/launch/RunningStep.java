package io.dure.node.launch;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.model.step.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A step under a shepherd, started by this daemon or by an earlier one. Any thread may use it. */
public final class RunningStep {
  private static final ProcFs PROC = ProcFs.ofThisMachine();
  private static final int SIGSTOP = 19;
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
  private static final Duration STOP_PAUSE = Duration.ofMillis(20);

  /** How long front ends of a step that is killed may read what its tasks have left. */
  private static final Duration READING = Duration.ofSeconds(3);

  private final StepDirectory directory;
  private final StepIdentity identity;
  private final CompletionStage<StepExit> exit;
  private CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

  /** When a SIGKILL first found its exit record, as {@link System#nanoTime} says it. */
  private @Nullable Long overFrom;

  /**
   * A step whose end somebody tells.
   *
   * @param exit as {@link #exit} gives it
   */
  public RunningStep(
      StepDirectory directory, StepIdentity identity, CompletionStage<StepExit> exit) {
    this.directory = directory;
    this.identity = identity;
    this.exit = exit;
  }

  public StepDirectory directory() {
    return directory;
  }

  public StepIdentity identity() {
    return identity;
  }

  /**
   * Completes when the step has ended and its processes are gone; exceptionally with {@link
   * IOException} only when the spool cannot be read. It completes on a thread of its own, which may
   * be blocked for a while.
   */
  public CompletionStage<StepExit> exit() {
    return exit;
  }

  /** Runs a task when those that were given before are over. */
  public synchronized void next(Executor threads, Runnable task) {
    work = work.exceptionally(_ -> null).thenRunAsync(task, threads);
  }

  /** The script's pid; 0 before it was executed. */
  public int scriptPid() throws IOException {
    RecordedProcess child = directory.child();
    return child == null ? 0 : child.pid();
  }

  /** The pids of the step's processes that live now, the shepherd's not among them. */
  public List<Integer> processes() throws IOException {
    return processes(PROC.processes());
  }

  /** Those of its processes that are among these of the machine. */
  public List<Integer> processes(List<ProcessStat> all) throws IOException {
    return targets(SignalScope.WHOLE_STEP, all).stream().map(ProcessStat::pid).toList();
  }

  /**
   * Sends a signal to processes of the step.
   *
   * <p>A signal right after the start may find no process yet and has to be repeated until {@link
   * #exit} completes. SIGKILL to the whole step ends its shepherd, too, where that only waits for a
   * front end to read what the tasks have left, some seconds after their end.
   *
   * @param signal Linux's number, 1 to 64
   * @return how many processes it was sent to
   */
  public int signal(int signal, SignalScope scope) throws IOException {
    int sent = 0;
    for (ProcessStat process : targets(scope, PROC.processes())) {
      sent += KillSystemCall.send(process, signal) ? 1 : 0;
    }
    if (signal == KillSystemCall.SIGKILL && scope == SignalScope.WHOLE_STEP && wasToBeRead()) {
      RecordedProcess shepherd = directory.shepherd();
      sent += shepherd != null && KillSystemCall.send(shepherd, signal) ? 1 : 0;
    }
    return sent;
  }

  /** Whether the exit record has stood for long enough: it says all that there is to say. */
  private boolean wasToBeRead() throws IOException {
    Instant since = directory.recorded();
    if (since == null || identity.step().equals(Step.BATCH.text())) {
      return false;
    }
    long now = System.nanoTime();
    synchronized (this) {
      Long from = overFrom == null ? Long.valueOf(now) : overFrom;
      overFrom = from;
      // The machine's clock may have been set back meanwhile.
      return now - from >= READING.toNanos() || !Instant.now().isBefore(since.plus(READING));
    }
  }

  /**
   * Stops its processes until all that are found had been stopped before: none is left that could
   * fork. Blocks for as long.
   *
   * @param script whether it has a script, which must have been executed
   * @return false if that did not come about in time, or if it has no processes yet
   */
  public boolean stop(boolean script) throws IOException, InterruptedException {
    CompletableFuture<StepExit> over = exit.toCompletableFuture();
    long deadline = System.nanoTime() + STOP_PATIENCE.toNanos();
    int before = -1;
    while (!over.isDone() && System.nanoTime() < deadline) {
      int stopped = signal(SIGSTOP, SignalScope.WHOLE_STEP);
      // Tasks that have been forked go no further before they are let go on.
      boolean executed = script ? scriptPid() != 0 : stopped > 0 || scriptPid() != 0;
      if (executed && stopped == before) {
        return true;
      }
      before = stopped;
      Thread.sleep(STOP_PAUSE);
    }
    return over.isDone();
  }

  private List<ProcessStat> targets(SignalScope scope, List<ProcessStat> all) throws IOException {
    RecordedProcess shepherd = directory.shepherd();
    if (shepherd == null || !shepherd.isAlive()) {
      return List.of();
    }
    return switch (scope) {
      case WHOLE_STEP -> StepProcesses.below(shepherd.pid(), identity.cgroups(), all);
      case TASKS -> StepProcesses.childrenOf(shepherd.pid(), all);
      case BATCH_SHELL -> {
        // The children of the shepherd are the script, also before exec, and orphans.
        RecordedProcess script = directory.child();
        yield StepProcesses.childrenOf(shepherd.pid(), all).stream()
            .filter(process -> script == null || script.is(process))
            .toList();
      }
    };
  }

  /** Where the step's directory is. */
  @Override
  public String toString() {
    Path path = directory.path();
    return "step in " + path;
  }
}
