package io.dure.node.agent;

import io.dure.host.log.LogMarkers;
import io.dure.host.script.ScriptProcessFile;
import io.dure.host.script.ScriptResult;
import io.dure.host.script.ScriptRun;
import io.dure.host.user.UserDatabase;
import io.dure.model.ExitStatus;
import io.dure.model.command.StepEnd;
import io.dure.model.config.parameters.DebugFlag;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.step.StepConsumption;
import io.dure.node.cgroup.StepCgroup;
import io.dure.node.job.JobRefusedException;
import io.dure.node.job.JobStderrMessages;
import io.dure.node.job.NodeFaultException;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.job.ScriptEnvironment;
import io.dure.node.job.StepEndMapper;
import io.dure.node.job.StepStarter;
import io.dure.node.launch.RunningStep;
import io.dure.node.launch.SignalScope;
import io.dure.node.launch.StepDirectory;
import io.dure.node.launch.StepExit;
import io.dure.node.login.ExternStep;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunInput;
import io.dure.node.usage.UsageSampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Each thing that takes time is done on a virtual thread of its own, by real processes. */
final class ProcessRunActions implements RunActions {
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;
  private static final int SIGCONT = 18;
  private static final Duration TERM_PATIENCE = Duration.ofSeconds(5);
  private static final Duration SALVAGE_PATIENCE = Duration.ofSeconds(10);
  private static final Duration TERM_PAUSE = Duration.ofMillis(20);

  private final Semaphore turn = new Semaphore(1, true);
  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final StepStarter starter;
  private final UserDatabase users;
  private final UsageSampler usage;
  private final StepMemoryWatch memory;
  private final JobRemains remains;
  private final Logger log;
  private final Consumer<DaemonLoopEvent> loop;

  ProcessRunActions(
      StepStarter starter,
      UserDatabase users,
      UsageSampler usage,
      Logger log,
      Consumer<DaemonLoopEvent> loop) {
    this.starter = starter;
    this.users = users;
    this.usage = usage;
    this.memory = new StepMemoryWatch(starter, log);
    this.remains = new JobRemains(starter, log);
    this.log = log;
    this.loop = loop;
  }

  /** Work that may throw InterruptedException; its thread is never interrupted. */
  private interface Task {
    void run() throws InterruptedException;
  }

  /**
   * A task that tells the loop something even if it meets a bug, for a run that waits for it would
   * wait for ever.
   *
   * @param otherwise what to tell then, null for nothing
   */
  private Runnable guarded(RunId id, Task task, @Nullable Function<String, RunInput> otherwise) {
    return () -> {
      try {
        task.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException | Error e) {
        log.error("run " + id.text(), e);
        if (otherwise != null) {
          happened(id, otherwise.apply(e.toString()));
        }
      }
    };
  }

  private void happened(RunId id, RunInput input) {
    loop.accept(new DaemonLoopEvent.Happened(id, input));
  }

  @Override
  public Runnable prolog(Launch launch) {
    RunSpool.StoredJob job = launch.job();
    var scripts = launch.setup().settings().scripts();
    var environment = ScriptEnvironment.prolog(job.job(), job.cluster(), launch.setup());
    ScriptRun run =
        new ScriptRun(
            "prolog", scripts.prolog(), environment, scripts.prologTimeout(), mark(launch));
    tell(launch, "prolog", scripts.prolog());
    execute(launch, run, () -> null, RunInput.PrologEnded::new, Duration.ZERO);
    return () -> threads.execute(run::kill);
  }

  @Override
  public void epilog(Launch launch, @Nullable StepEnd end, @Nullable ExitStatus worst) {
    RunSpool.StoredJob job = launch.job();
    var scripts = launch.setup().settings().scripts();
    var environment =
        ScriptEnvironment.epilog(job.job(), job.cluster(), launch.setup(), end, worst);
    ScriptRun run =
        new ScriptRun(
            "epilog", scripts.epilog(), environment, scripts.epilogTimeout(), mark(launch));
    tell(launch, "epilog", scripts.epilog());
    execute(
        launch,
        run,
        () -> remains.removeSpace(launch.id()),
        RunInput.EpilogEnded::new,
        pause(launch));
  }

  @Override
  public void unkillable(Launch launch) {
    String program = launch.setup().settings().daemon().unkillableStepProgram();
    if (!program.isEmpty()) {
      RunSpool.StoredJob job = launch.job();
      ScriptRun run =
          new ScriptRun(
              "UnkillableStepProgram",
              List.of(program),
              ScriptEnvironment.epilog(job.job(), job.cluster(), launch.setup(), null, null),
              launch.setup().settings().scripts().epilogTimeout(),
              null);
      Task task =
          () -> {
            var _ = reason(launch.id(), run.run());
          };
      threads.execute(guarded(launch.id(), task, null));
    }
  }

  private void tell(Launch launch, String what, List<String> programs) {
    log.info(
        LogMarkers.flag(DebugFlag.SCRIPT),
        "run " + launch.id().text() + ": " + what + " " + programs);
  }

  /** The nodes of a job tell of their epilogs one after the other ({@code EpilogMsgTime}). */
  private static Duration pause(Launch launch) {
    Allocation allocation = launch.job().job().state().allocated();
    int place = allocation == null ? 0 : allocation.nodes().indexOf(launch.setup().nodeName());
    return launch.setup().settings().steps().epilogMessageTime().multipliedBy(Math.max(0, place));
  }

  /**
   * Runs a program and tells of its end.
   *
   * @param before what is done first; what was wrong with that
   * @param pause what passes before it is told
   */
  private void execute(
      Launch launch,
      ScriptRun run,
      Supplier<@Nullable String> before,
      Function<@Nullable String, RunInput> ended,
      Duration pause) {
    RunId id = launch.id();
    boolean serial = launch.setup().settings().rules().serialPrologs();
    Task task =
        () -> {
          String trouble = before.get();
          String reason = reason(id, serial ? inTurn(run) : run.run());
          Thread.sleep(pause);
          happened(id, ended.apply(reason == null ? trouble : reason));
        };
    threads.execute(guarded(id, task, trouble -> ended.apply(trouble)));
  }

  /** With {@code PrologFlags=Serial} one of them runs at a time, in the order they came. */
  private ScriptResult inTurn(ScriptRun run) throws InterruptedException {
    turn.acquire();
    try {
      return run.run();
    } finally {
      turn.release();
    }
  }

  private @Nullable String reason(RunId id, ScriptResult result) {
    switch (result) {
      case ScriptResult.Succeeded _ -> {}
      case ScriptResult.Failed(String reason) -> log.error("run " + id.text() + ": " + reason);
      case ScriptResult.Ended(String reason) ->
          log.info(LogMarkers.VERBOSE, "run " + id.text() + ": " + reason);
    }
    return result.reason();
  }

  private static ScriptProcessFile mark(Launch launch) {
    return new ScriptProcessFile(launch.directory().resolve("script"));
  }

  @Override
  public void start(Launch launch) {
    threads.execute(guarded(launch.id(), () -> startNow(launch), ProcessRunActions::notStarted));
  }

  private static RunInput notStarted(String reason) {
    return new RunInput.StepEnded(new StepEnd.NotStarted(reason));
  }

  private static RunInput isLost(String reason) {
    return new RunInput.StepEnded(new StepEnd.Lost(reason));
  }

  private void startNow(Launch launch) throws InterruptedException {
    RunId id = launch.id();
    RunSpool.StoredJob job = launch.job();
    try {
      kept(
          launch,
          starter.start(
              new StepStarter.StepOrder(job.job(), job.texts(), job.cluster(), job.components()),
              launch.setup(),
              launch.directory()));
    } catch (JobRefusedException e) {
      String reason = String.valueOf(e.getMessage());
      happened(id, notStarted(reason));
    } catch (NodeFaultException e) {
      String reason = String.valueOf(e.getMessage());
      log.error("run " + id.text() + " not started, the node is to be drained: " + reason);
      happened(id, new RunInput.StepEnded(new StepEnd.NodeFault(reason)));
    }
  }

  @Override
  public boolean hasEnded(Launch launch) {
    return starter.hasEnded(launch.job().job(), launch.directory());
  }

  @Override
  public void adopt(Launch launch) {
    RunId id = launch.id();
    threads.execute(
        guarded(
            id,
            () -> {
              try {
                RunningStep step = starter.adopt(launch.job().job(), launch.directory());
                if (step == null) {
                  lost(id, "its directory is gone");
                } else {
                  kept(launch, step);
                }
              } catch (IOException e) {
                lost(id, "its directory cannot be read: " + e);
              }
            },
            ProcessRunActions::isLost));
  }

  private void lost(RunId id, String why) {
    happened(id, isLost(why));
  }

  private void kept(Launch launch, RunningStep step) {
    usage.begin(step, launch.setup());
    loop.accept(new DaemonLoopEvent.Kept(launch.id(), step));
    step.exit()
        .whenComplete((exit, failure) -> {
          if (failure == null) {
            threads.execute(
                guarded(launch.id(), () -> ended(launch, step, exit), ProcessRunActions::isLost));
          } else {
            lost(launch.id(), "its exit record cannot be read: " + failure);
          }
        });
  }

  private void ended(Launch launch, RunningStep step, StepExit exit) throws InterruptedException {
    RunId id = launch.id();
    if (exit instanceof StepExit.Lost lost && !lost.mayHaveRun()) {
      log.info("run " + id.text() + " had not started when slurmd stopped: starting it again");
      if (putAside(step.directory())) {
        startNow(launch);
        return;
      }
    }
    if (exit instanceof StepExit.Lost || exit instanceof StepExit.LaunchFailed) {
      log.error("run " + id.text() + ": " + exit);
    }
    StepCgroup group = starter.group(id.jobId());
    long kills = group.oomKills();
    StepConsumption used = usage.ended(step, exit, group, launch.setup());
    starter.containers().clean(step.directory(), launch.job().job(), launch.setup());
    conclude(id, group);
    setBack(launch);
    if (kills > 0) {
      Job job = launch.job().job();
      JobStderrMessages.write(
          job, launch.setup().nodeName(), JobStderrMessages.outOfMemory(job, kills), users);
    }
    boolean outOfMemory = kills > 0 || step.directory().isOverMemory();
    happened(id, new RunInput.StepEnded(StepEndMapper.of(exit, outOfMemory, used)));
  }

  /**
   * Gives the directory another name, for a late shepherd may be making files in it at this moment;
   * it is deleted with the run.
   */
  private boolean putAside(StepDirectory directory) {
    Path path = directory.path();
    try {
      Files.move(path, path.resolveSibling("withdrawn-" + System.nanoTime()));
      return true;
    } catch (IOException e) {
      log.error(path + " cannot be set aside: " + e);
      return false;
    }
  }

  private void setBack(Launch launch) {
    try {
      starter.concluded(launch.directory());
    } catch (IOException e) {
      log.error("run " + launch.id().text() + ": CPU frequency cannot be set back: " + e);
    }
  }

  @Override
  public void watch(RunEntry entry, NodeLocalConfig setup) {
    RunningStep step = entry.step;
    if (step != null) {
      next(entry, () -> memory.look(entry.job.job(), step, setup, users));
    }
  }

  /** Removes the step's control groups. */
  private void conclude(RunId id, StepCgroup group) {
    try {
      if (!group.remove()) {
        log.error("run " + id.text() + ": processes remain in " + group.directories());
      }
    } catch (IOException e) {
      log.error("run " + id.text() + ": cannot remove its control groups: " + e);
    }
  }

  /** Puts a task behind those that the run's step has before it. */
  private void next(RunEntry entry, Task task) {
    RunId id = entry.state.id();
    entry.work = entry.work.exceptionally(_ -> null).thenRunAsync(guarded(id, task, null), threads);
  }

  @Override
  public void write(RunEntry entry, NodeLocalConfig setup, String line) {
    Job job = entry.job.job();
    RunId id = entry.state.id();
    next(
        entry,
        () -> {
          if (!JobStderrMessages.write(job, setup.nodeName(), line, users)) {
            log.debug("run " + id.text() + ": cannot write a message to its standard error");
          }
        });
  }

  @Override
  public void terminate(RunEntry entry) {
    RunningStep step = entry.step;
    if (step != null) {
      next(entry, () -> terminate(step));
    }
  }

  private void terminate(RunningStep step) throws InterruptedException {
    CompletableFuture<StepExit> exit = step.exit().toCompletableFuture();
    long deadline = System.nanoTime() + TERM_PATIENCE.toNanos();
    while (!exit.isDone() && System.nanoTime() < deadline) {
      try {
        // Before the script is executed its process still ignores signals, as its parent does.
        boolean executed = step.scriptPid() != 0;
        step.signal(SIGCONT, SignalScope.WHOLE_STEP);
        if (step.signal(SIGTERM, starter.scope(SIGTERM)) > 0 && executed) {
          return;
        }
      } catch (IOException e) {
        log.error(step + " cannot be signalled: " + e);
      }
      Thread.sleep(TERM_PAUSE);
    }
  }

  @Override
  public void suspend(RunEntry entry) {
    RunningStep step = entry.step;
    RunId id = entry.state.id();
    if (step != null) {
      next(
          entry,
          () -> {
            boolean stopped = false;
            try {
              stopped = step.stop(true);
            } catch (IOException e) {
              log.error(step + " cannot be suspended: " + e);
            }
            if (!stopped) {
              log.error("run " + id.text() + ": some processes still run, suspending again");
              happened(id, new RunInput.StillMoves());
            }
          });
    }
  }

  @Override
  public void resume(RunEntry entry) {
    signal(entry, SIGCONT, SignalScope.WHOLE_STEP);
  }

  @Override
  public void kill(RunEntry entry) {
    signal(entry, SIGKILL, SignalScope.WHOLE_STEP);
  }

  @Override
  public void signal(RunEntry entry, int signal, SignalScope scope) {
    RunningStep step = entry.step;
    if (step != null) {
      next(
          entry,
          () -> {
            try {
              int sent =
                  step.signal(
                      signal, scope == SignalScope.WHOLE_STEP ? starter.scope(signal) : scope);
              log.debug(step + ": signal " + signal + " to " + sent + " processes");
            } catch (IOException e) {
              log.error(step + " cannot be signalled: " + e);
            }
          });
    }
  }

  @Override
  public void sweep(Set<Long> known) {
    remains.sweep(known);
  }

  @Override
  public void killUnreadableRun(Path runDirectory) {
    try {
      ExternStep.killRecorded(runDirectory);
      for (StepDirectory directory : StepDirectory.list(runDirectory)) {
        RunningStep step = starter.adopt(directory);
        CompletableFuture<StepExit> exit = step.exit().toCompletableFuture();
        long deadline = System.nanoTime() + SALVAGE_PATIENCE.toNanos();
        while (!exit.isDone() && System.nanoTime() < deadline) {
          step.signal(SIGKILL, SignalScope.WHOLE_STEP);
          Thread.sleep(TERM_PAUSE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      log.error("cannot determine the processes of " + runDirectory + ": " + e);
    }
  }
}
