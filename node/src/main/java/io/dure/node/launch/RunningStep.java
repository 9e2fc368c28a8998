package io.dure.node.launch;

import io.dure.host.process.ProcessStat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A step under a shepherd, started by this daemon or by an earlier one. Any thread may use it. */
public final class RunningStep {
  private final StepDirectory directory;
  private final StepIdentity identity;
  private final CompletionStage<StepExit> exit;

  RunningStep(StepDirectory directory, StepIdentity identity, CompletionStage<StepExit> exit) {
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

  /** The script's pid; 0 before it was executed. */
  public int scriptPid() throws IOException {
    RecordedProcess child = directory.child();
    return child == null ? 0 : child.pid();
  }

  /** The pids of the step's processes that live now, the shepherd's not among them. */
  public List<Integer> processes() throws IOException {
    return targets(SignalScope.WHOLE_STEP).stream().map(ProcessStat::pid).toList();
  }

  /**
   * Sends a signal to processes of the step.
   *
   * <p>A signal right after the start may find no process yet and has to be repeated until {@link
   * #exit} completes.
   *
   * @param signal Linux's number, 1 to 64
   * @return how many processes it was sent to
   */
  public int signal(int signal, SignalScope scope) throws IOException {
    int sent = 0;
    for (ProcessStat process : targets(scope)) {
      sent += KillSystemCall.send(process, signal) ? 1 : 0;
    }
    return sent;
  }

  private List<ProcessStat> targets(SignalScope scope) throws IOException {
    RecordedProcess shepherd = directory.shepherd();
    if (shepherd == null || !shepherd.isAlive()) {
      return List.of();
    }
    return switch (scope) {
      case WHOLE_STEP -> StepProcesses.below(shepherd.pid(), identity.cgroups());
      case BATCH_SHELL -> {
        // The children of the shepherd are the script, also before exec, and orphans.
        RecordedProcess script = directory.child();
        yield StepProcesses.childrenOf(shepherd.pid()).stream()
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
