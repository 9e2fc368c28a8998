package io.dure.controller.script;

import io.dure.cluster.ClusterState;
import io.dure.host.log.LogMarkers;
import io.dure.host.script.ScriptProcessFile;
import io.dure.host.script.ScriptResult;
import io.dure.host.script.ScriptRun;
import io.dure.host.storage.DirectoryCreator;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.config.ClusterSettings;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;

/**
 * Runs the controller's own programs, so many prologs and so many epilogs at a time, those of one
 * job one after the other. What a controller that is gone has left running is ended before its
 * job's programs run again. That one is over is told whatever comes of it, until {@link #close}.
 * Any thread may call; nothing else blocks.
 */
public final class ControllerScriptRunner implements AutoCloseable {
  private static final String PROLOG = "PrologSlurmctld";
  private static final String EPILOG = "EpilogSlurmctld";
  private static final int AT_A_TIME = 64;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<Integer, CompletableFuture<Void>> lasts = new ConcurrentHashMap<>();
  private final Map<Effect.RunProlog, Program> prologs = new ConcurrentHashMap<>();
  private final Set<Program> programs = ConcurrentHashMap.newKeySet();
  private final ScriptSlots prologPlaces;
  private final ScriptSlots epilogPlaces;
  private final Path marks;
  private final Listener listener;
  private final Logger log;
  private final CountDownLatch over = new CountDownLatch(1);

  /** Told that a program has ended; may block. */
  public interface Listener {
    /** A program is over. */
    void ended(Command.InternalCommand news) throws InterruptedException;
  }

  /** One that has been asked for. */
  private record Program(ScriptRun run, ScriptSlots places, ScriptSlots.Ticket ticket) {
    Program(ScriptRun run, ScriptSlots places) {
      this(run, places, new ScriptSlots.Ticket());
    }

    /** Ends it, and its wait for a place. */
    void end() {
      run.kill();
      ticket.withdraw();
    }
  }

  private ControllerScriptRunner(Path marks, Listener listener, Logger log) {
    // Epilogs that hang must not keep jobs from beginning, nor prologs jobs from ending.
    this.prologPlaces = new ScriptSlots(PROLOG, AT_A_TIME, PATIENCE, log);
    this.epilogPlaces = new ScriptSlots(EPILOG, AT_A_TIME, PATIENCE, log);
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
  public static ControllerScriptRunner open(Path stateDirectory, Listener listener, Logger log)
      throws IOException {
    Path marks = stateDirectory.resolve("scripts");
    DirectoryCreator.ensure(marks, 0700, null);
    return new ControllerScriptRunner(marks, listener, log);
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
        end(former);
      }
    });
    ClusterSettings.Scripts scripts = state.settings().scripts();
    ScriptRun run =
        new ScriptRun(
            PROLOG,
            scripts.prologSlurmctld(),
            ControllerScriptVariables.of(job, state.config(), "prolog_slurmctld"),
            scripts.prologTimeout(),
            mark(job));
    Program program = new Program(run, prologPlaces);
    if (prologs.putIfAbsent(effect, program) == null) {
      next(
          job.id(),
          () -> {
            try {
              String failure = perform(job, program).reason();
              tell(new Command.PrologEnded(job.id(), job.run(), failure));
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
    ClusterSettings.Scripts scripts = state.settings().scripts();
    ScriptRun run =
        new ScriptRun(
            EPILOG,
            scripts.epilogSlurmctld(),
            ControllerScriptVariables.of(job, state.config(), "epilog_slurmctld"),
            scripts.epilogTimeout(),
            mark(job));
    Program program = new Program(run, epilogPlaces);
    next(
        job.id(),
        () -> {
          perform(job, program);
          tell(new Command.EpilogEnded(job.id(), job.run()));
        });
  }

  /** A run is over: its prolog, should it run still, is ended. */
  public void endProlog(int jobId, int run) {
    Program prolog = prologs.get(new Effect.RunProlog(jobId, run));
    if (prolog != null) {
      end(prolog);
    }
  }

  private boolean isClosed() {
    return over.getCount() == 0;
  }

  /** What was ended with its leadership says nothing of the job: the next leader runs it anew. */
  private void tell(Command.InternalCommand news) throws InterruptedException {
    if (!isClosed()) {
      listener.ended(news);
    }
  }

  /**
   * Runs nothing any more, and ends what runs. Waits a little for that: the next leader may be this
   * controller. Any thread.
   */
  @Override
  public void close() {
    over.countDown();
    programs.forEach(this::end);
    CompletableFuture<?>[] running = lasts.values().toArray(new CompletableFuture<?>[0]);
    try {
      CompletableFuture.allOf(running).get(FAREWELL.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.error("PrologSlurmctld or EpilogSlurmctld did not stop in time: " + e);
    }
  }

  private void end(Program program) {
    // It waits while a process is being started.
    threads.execute(program::end);
  }

  private ScriptProcessFile mark(Job job) {
    return new ScriptProcessFile(marks.resolve(Integer.toString(job.id())));
  }

  private ScriptResult perform(Job job, Program program) throws InterruptedException {
    String title = "job " + job.displayId() + ": ";
    ScriptResult result;
    programs.add(program);
    if (isClosed()) {
      program.end();
    }
    try {
      result = perform(program);
    } catch (RuntimeException | Error bug) {
      log.error(title + "PrologSlurmctld or EpilogSlurmctld failed, a bug in Dure", bug);
      return new ScriptResult.Failed("program could not be run: " + bug);
    } finally {
      programs.remove(program);
    }
    switch (result) {
      case ScriptResult.Succeeded _ -> {}
      case ScriptResult.Failed(String reason) -> log.error(title + reason);
      case ScriptResult.Ended(String reason) -> log.info(LogMarkers.VERBOSE, title + reason);
    }
    return result;
  }

  private ScriptResult perform(Program program) throws InterruptedException {
    // One that was ended meanwhile needs no place, but has still to end what an earlier left.
    boolean placed = program.places().take(program.ticket());
    if (isClosed()) {
      // The place may be one that closing has just made free.
      program.run().kill();
    }
    try {
      return program.run().run();
    } finally {
      if (placed) {
        program.places().giveBack();
      }
    }
  }

  private interface Task {
    void run() throws InterruptedException;
  }

  private void next(int jobId, Task task) {
    Runnable guarded =
        () -> {
          try {
            if (!isClosed()) {
              task.run();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException | Error bug) {
            log.error(
                "job " + jobId + ": reporting the end of its program failed, a bug in Dure", bug);
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
