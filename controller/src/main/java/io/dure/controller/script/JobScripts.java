package io.dure.controller.script;

import io.dure.core.config.Settings;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.host.log.Log;
import io.dure.host.script.ScriptMark;
import io.dure.host.script.ScriptRun;
import io.dure.host.storage.Directories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Runs the controller's own programs, so many at a time, those of one job one after the other. What
 * a controller that is gone has left running is ended before its job's programs run again. Any
 * thread may call; nothing blocks.
 */
public final class JobScripts {
  private static final int AT_A_TIME = 64;

  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore places = new Semaphore(AT_A_TIME);
  private final Map<Integer, CompletableFuture<Void>> lasts = new ConcurrentHashMap<>();
  private final Map<Effect.RunProlog, ScriptRun> prologs = new ConcurrentHashMap<>();
  private final Path marks;
  private final Listener listener;
  private final Log log;

  /** Who hears that a program is over; may block. */
  public interface Listener {
    /** A program is over. */
    void ended(Command.FromSelf news) throws InterruptedException;
  }

  private JobScripts(Path marks, Listener listener, Log log) {
    this.marks = marks;
    this.listener = listener;
    this.log = log;
  }

  /**
   * Runs nothing yet.
   *
   * @param stateDirectory where it is noted which processes run
   * @throws IOException if that cannot be written
   */
  public static JobScripts open(Path stateDirectory, Listener listener, Log log)
      throws IOException {
    Path marks = stateDirectory.resolve("scripts");
    Directories.ensure(marks, 0700, null);
    return new JobScripts(marks, listener, log);
  }

  /** Runs the prolog of a run that waits for it. */
  public void prolog(Effect.RunProlog effect, ClusterState state) {
    Job job = state.job(effect.jobId());
    if (job == null
        || job.run() != effect.run()
        || !(job.state() instanceof JobState.Running running)
        || !running.configuring()) {
      return;
    }
    // That of a run that was lost with its node would keep this one waiting.
    prologs.forEach((other, former) -> {
      if (other.jobId() == job.id() && other.run() != job.run()) {
        former.kill();
      }
    });
    Settings.Scripts scripts = state.settings().scripts();
    ScriptRun run =
        new ScriptRun(
            "PrologSlurmctld",
            scripts.prologSlurmctld(),
            ScriptVariables.of(job, state.config(), "prolog_slurmctld"),
            scripts.prologTimeout(),
            mark(job));
    if (prologs.putIfAbsent(effect, run) == null) {
      next(
          job.id(),
          () -> {
            try {
              String failure = perform(job, run);
              listener.ended(new Command.PrologEnded(job.id(), job.run(), failure));
            } finally {
              prologs.remove(effect);
            }
          });
    }
  }

  /** Runs the epilog of a run that is over; its prolog, should it run still, is ended. */
  public void epilog(Effect.RunEpilog effect, ClusterState state) {
    Job job = state.job(effect.jobId());
    if (job == null
        || job.run() != effect.run()
        || !(job.state() instanceof JobState.Completing completing)
        || !completing.epilog()) {
      return;
    }
    endProlog(job.id(), job.run());
    Settings.Scripts scripts = state.settings().scripts();
    ScriptRun run =
        new ScriptRun(
            "EpilogSlurmctld",
            scripts.epilogSlurmctld(),
            ScriptVariables.of(job, state.config(), "epilog_slurmctld"),
            scripts.epilogTimeout(),
            mark(job));
    next(
        job.id(),
        () -> {
          perform(job, run);
          listener.ended(new Command.EpilogEnded(job.id(), job.run()));
        });
  }

  /** A run is over: its prolog, should it run still, is ended. */
  public void endProlog(int jobId, int run) {
    ScriptRun prolog = prologs.get(new Effect.RunProlog(jobId, run));
    if (prolog != null) {
      prolog.kill();
    }
  }

  private ScriptMark mark(Job job) {
    return new ScriptMark(marks.resolve(Integer.toString(job.id())));
  }

  private @Nullable String perform(Job job, ScriptRun run) throws InterruptedException {
    places.acquire();
    try {
      String failure = run.run();
      if (failure != null) {
        log.error("job " + job.displayId() + ": " + failure);
      }
      return failure;
    } finally {
      places.release();
    }
  }

  private interface Task {
    void run() throws InterruptedException;
  }

  private void next(int jobId, Task task) {
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException bug) {
            log.error("bug in a program of job " + jobId, bug);
          }
        };
    lasts.values().removeIf(CompletableFuture::isDone);
    lasts.compute(
        jobId,
        (_, before) ->
            before == null
                ? CompletableFuture.runAsync(guarded, threads)
                : before.thenRunAsync(guarded, threads));
  }
}
