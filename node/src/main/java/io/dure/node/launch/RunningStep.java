package io.dure.node.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

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
  public long scriptPid() throws IOException {
    ProcessStat child = directory.child();
    return child == null ? 0 : child.pid();
  }

  /** The pids of the step's processes that live now, the shepherd's not among them. */
  public List<Long> processes() throws IOException {
    return targets(SignalScope.WHOLE_STEP).stream().map(ProcessStat::pid).toList();
  }

  /**
   * Sends a signal to processes of the step.
   *
   * <p>A signal right after the start may find nobody yet: whoever wants the step to end repeats it
   * until {@link #exit} completes.
   *
   * @param signal Linux's number, 1 to 64
   * @return how many processes it was sent to
   */
  public int signal(int signal, SignalScope scope) throws IOException {
    int sent = 0;
    for (ProcessStat process : targets(scope)) {
      sent += Signals.send(process, signal) ? 1 : 0;
    }
    return sent;
  }

  private List<ProcessStat> targets(SignalScope scope) throws IOException {
    ProcessStat shepherd = alive(directory.shepherd());
    if (shepherd == null) {
      return List.of();
    }
    ProcessStat child = alive(directory.child());
    return switch (scope) {
      case WHOLE_STEP -> StepProcesses.below(shepherd.pid(), identity.cgroups());
      case BATCH_SHELL ->
          child != null
              ? List.of(child)
              // Before exec the script's process is the shepherd's only child.
              : directory.child() != null
                  ? List.of()
                  : ProcessStat.all().stream().filter(p -> p.parent() == shepherd.pid()).toList();
    };
  }

  private static @Nullable ProcessStat alive(@Nullable ProcessStat recorded) {
    ProcessStat now = recorded == null ? null : ProcessStat.of(recorded.pid());
    return now != null && recorded != null && now.isSameAs(recorded) && now.isAlive() ? now : null;
  }

  /** Where the step's directory is. */
  @Override
  public String toString() {
    Path path = directory.path();
    return "step in " + path;
  }
}
