package io.dure.node.login;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.node.cgroup.StepCgroup;
import io.dure.node.job.JobDisplay;
import io.dure.node.job.JobRefusedException;
import io.dure.node.job.StepStarter;
import io.dure.node.job.TaskStarter;
import io.dure.node.launch.KillSystemCall;
import io.dure.node.noderun.RunId;
import io.dure.node.step.Spawner;
import io.dure.protocol.step.DisplayRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Logins by real processes and control groups. */
public final class ProcessLogins implements LoginActions {
  private static final char ANSWER = 'J';
  private static final ErrorCode NO_JOB = ErrorCode.INVALID_JOB_ID;
  private static final ProcFs PROC = ProcFs.ofThisMachine();
  private static final int SIGTERM = 15;
  private static final int SIGKILL = 9;
  private static final int SIGCONT = 18;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final StepStarter starter;
  private final TaskStarter tasks;
  private final Supplier<Spawner> spawner;
  private final Events events;
  private final Logger log;

  /** Who hears of what has come about; any thread. */
  public record Events(Consumer<RunId> over, Consumer<RunId> stillMoves) {}

  /** Uses the control groups of that starter, and the spawner that there is when it is asked. */
  public ProcessLogins(
      StepStarter starter,
      TaskStarter tasks,
      Supplier<Spawner> spawner,
      Events events,
      Logger log) {
    this.starter = starter;
    this.tasks = tasks;
    this.spawner = spawner;
    this.events = events;
    this.log = log;
  }

  @Override
  public ExternStep step(Host host) {
    return new ExternStep(
        host.directory(), host.job().id(), host.setup().nodeName(), host.job().owner().uid());
  }

  @Override
  public @Nullable ExternStep found(Host host) {
    ExternStep step = step(host);
    try {
      StepCgroup group = starter.group(host.job().id(), ExternStep.NAME);
      return step.restore(group.directories()) ? step : null;
    } catch (IOException e) {
      log.error(step + " cannot be taken over: " + e);
      return step;
    }
  }

  @Override
  public void join(Host host, ExternStep step, LoginRequest login) {
    int jobId = host.job().id();
    String who = login.display() == null ? "a login" : "a display";
    step.next(
        threads,
        () -> {
          try {
            Path space = starter.spaces().make(jobId, host.job().run(), host.job().owner());
            List<Path> groups = starter.externGroup(host.job(), host.setup()).directories();
            int pid = joined(host, step, login, groups, space);
            log.info("process " + pid + ", " + who + ", joined job " + jobId);
            String place = space == null ? "" : space.toString();
            answer(login, new LoginAnswer.Joined(jobId, host.setup().nodeName(), place));
          } catch (IOException | JobRefusedException | RuntimeException e) {
            log.error(who + " did not join job " + jobId + ": " + e);
            answer(login, new LoginAnswer.Failed(jobId, String.valueOf(e.getMessage())));
          }
        });
  }

  /** The process that is one of the step's now. */
  private int joined(
      Host host, ExternStep step, LoginRequest login, List<Path> groups, @Nullable Path space)
      throws IOException, JobRefusedException {
    DisplayRequest display = login.display();
    if (display == null) {
      step.join(login.connection().pid(), groups);
      return login.connection().pid();
    }
    UserIdentity owner = host.job().owner();
    List<String> words =
        JobDisplay.words(
            starter.account(host.job()), host.setup(), host.directory(), display.step(), space);
    int pid =
        spawner.get().openDisplay(login.connection(), owner, tasks.groups(owner), words).join();
    if (pid <= 0) {
      throw new IOException("its process was not started");
    }
    try {
      step.join(pid, groups);
    } catch (IOException | RuntimeException e) {
      ProcessStat process = PROC.stat(pid);
      if (process != null) {
        KillSystemCall.send(process, SIGKILL);
      }
      throw e;
    }
    return pid;
  }

  @Override
  public void answer(LoginRequest login, LoginAnswer answer) {
    if (login.display() == null) {
      spawner.get().answer(login.connection(), ANSWER, answer.payload());
      return;
    }
    switch (answer) {
      case LoginAnswer.Joined _ -> {}
      case LoginAnswer.NoJobs _, LoginAnswer.Several _ -> refuse(login, NO_JOB.text());
      case LoginAnswer.Failed(_, String why) -> refuse(login, why);
    }
  }

  private void refuse(LoginRequest login, String why) {
    spawner.get().refuse(login.connection(), NO_JOB.number(), why);
  }

  @Override
  public void end(RunId run, ExternStep step) {
    if (step.isFirstEnd()) {
      step.next(threads, () -> endNow(run, step));
    }
  }

  private void removeCookies(RunId run, ExternStep step) {
    try {
      JobDisplay.removeCookies(step.runDirectory());
    } catch (IOException e) {
      log.error("run " + run.text() + ": cookies of its displays remain: " + e);
    }
  }

  private void endNow(RunId run, ExternStep step) {
    try {
      Duration pause = FIRST_PAUSE;
      step.signal(SIGCONT);
      step.signal(SIGTERM);
      while (step.left() > 0) {
        Thread.sleep(pause);
        pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
      }
      removeCookies(run, step);
      if (!starter.group(run.jobId(), ExternStep.NAME).remove()) {
        log.error("run " + run.text() + ": processes of logins remain");
      }
    } catch (IOException e) {
      log.error("run " + run.text() + ": " + step + " cannot be ended: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      events.over().accept(run);
    }
  }

  @Override
  public void suspend(RunId run, ExternStep step) {
    step.next(
        threads,
        () -> {
          try {
            if (!step.stop()) {
              events.stillMoves().accept(run);
            }
          } catch (IOException e) {
            log.error(step + " cannot be suspended: " + e);
          }
        });
  }

  @Override
  public void resume(ExternStep step) {
    step.next(
        threads,
        () -> {
          try {
            step.signal(SIGCONT);
          } catch (IOException e) {
            log.error(step + " cannot go on: " + e);
          }
        });
  }
}
