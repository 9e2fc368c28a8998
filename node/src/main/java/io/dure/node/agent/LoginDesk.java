package io.dure.node.agent;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.JobTexts;
import io.dure.node.job.NodeFaultException;
import io.dure.node.link.ControllerLink.Session;
import io.dure.node.login.LoginAnswer;
import io.dure.node.login.LoginRequest;
import io.dure.node.noderun.RunId;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Finds for logins the job that they join: the user's only one here, or the newest. The controller
 * knows them all; of an allocation without steps the node has not heard. While the controller does
 * not answer, the jobs count that run here. The loop's thread alone calls.
 */
final class LoginDesk {
  /** How long the controller, and then a script that is about to start, is waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final RunSupervisor keeper;
  private final StepSupervisor steps;
  private final InstantSource clock;
  private final Logger log;
  private final TreeMap<Integer, Waiting> waiting = new TreeMap<>();
  private final List<RunEntry> preparing = new ArrayList<>();
  private int last;

  /**
   * A login that is not decided.
   *
   * @param until when it is, whatever has come by then
   * @param answer the user's jobs, null as long as the controller has not told them
   */
  private record Waiting(
      LoginRequest login, Instant until, ControllerToNodeMessage.@Nullable UserJobs answer) {}

  LoginDesk(RunSupervisor keeper, InstantSource clock, Logger log) {
    this.keeper = keeper;
    this.steps = keeper.steps();
    this.clock = clock;
    this.log = log;
  }

  /**
   * A login wants to join a job.
   *
   * @param controller whom to ask, null where there is none now
   */
  void asked(LoginRequest login, @Nullable Session controller) {
    if (controller == null) {
      decide(login, here(login));
      return;
    }
    last++;
    waiting.put(last, new Waiting(login, clock.instant().plus(PATIENCE), null));
    controller.send(new NodeToControllerMessage.JobsOfUser(last, login.uid()));
  }

  /** The controller has answered. */
  void told(ControllerToNodeMessage.UserJobs answer) {
    waiting.computeIfPresent(
        answer.question(), (_, asked) -> new Waiting(asked.login(), asked.until(), answer));
  }

  /** Decides what can be, or has to be by now. */
  void tick() {
    Instant now = clock.instant();
    for (Map.Entry<Integer, Waiting> each : List.copyOf(waiting.entrySet())) {
      Waiting asked = each.getValue();
      ControllerToNodeMessage.UserJobs answer = asked.answer();
      boolean late = !now.isBefore(asked.until());
      if (late || answer != null && !isStarting(asked.login(), answer.jobs())) {
        waiting.remove(each.getKey());
        decide(asked.login(), answer == null ? here(asked.login()) : stored(asked.login(), answer));
      }
    }
    preparing.removeIf(run -> run.logins.isEmpty());
    for (RunEntry run : preparing) {
      if (!run.takesMore()) {
        steps.turnAway(run, new LoginAnswer.NoJobs());
      }
    }
  }

  /** When {@link #tick} has something to do if nothing comes; null for never. */
  @Nullable Instant due() {
    Instant due = null;
    for (Waiting asked : waiting.values()) {
      due = due == null || asked.until().isBefore(due) ? asked.until() : due;
    }
    return due;
  }

  /** Whether a script is to run here whose launch has not come: a run of it must not be begun. */
  private boolean isStarting(LoginRequest login, List<Job> jobs) {
    return jobs.stream()
        .anyMatch(job -> login.isFor(job.id()) && keeper.find(id(job)) == null && isToCome(job));
  }

  private boolean isToCome(Job job) {
    return job.hasScriptOn(keeper.setup().nodeName()) && !steps.isRevoked(id(job));
  }

  private static RunId id(Job job) {
    return new RunId(job.id(), job.run());
  }

  private List<RunSpool.StoredJob> here(LoginRequest login) {
    List<RunSpool.StoredJob> jobs = new ArrayList<>();
    for (RunEntry run : keeper.entries()) {
      if (run.job.job().owner().uid() == login.uid() && login.isFor(run.id().jobId())) {
        jobs.add(run.job);
      }
    }
    return jobs;
  }

  private static List<RunSpool.StoredJob> stored(
      LoginRequest login, ControllerToNodeMessage.UserJobs answer) {
    List<RunSpool.StoredJob> jobs = new ArrayList<>();
    for (Job job : answer.jobs()) {
      if (login.isFor(job.id())) {
        jobs.add(new RunSpool.StoredJob(job, answer.clusterName(), JobTexts.NONE, List.of()));
      }
    }
    return jobs;
  }

  private void decide(LoginRequest login, List<RunSpool.StoredJob> jobs) {
    List<RunSpool.StoredJob> open = jobs.stream().filter(job -> isOpen(job.job())).toList();
    RunSpool.StoredJob newest = open.stream().max(BY_START).orElse(null);
    if (newest == null) {
      log.info("a login of user " + Integer.toUnsignedString(login.uid()) + " has no job here");
      steps.works().logins().answer(login, new LoginAnswer.NoJobs());
    } else if (open.size() > 1 && !login.newest()) {
      steps.works().logins().answer(login, new LoginAnswer.Several());
    } else {
      join(login, newest);
    }
  }

  private static final Comparator<RunSpool.StoredJob> BY_START =
      Comparator.comparing((RunSpool.StoredJob stored) -> start(stored.job()))
          .thenComparingInt(stored -> stored.job().id());

  private static Instant start(Job job) {
    JobState.Running running = job.state().runningOrSuspended();
    return running == null ? Instant.EPOCH : running.start();
  }

  /** Whether logins may join the job's run, which begins with them where it can. */
  private boolean isOpen(Job job) {
    RunEntry known = keeper.find(id(job));
    return known == null
        ? !job.hasScriptOn(keeper.setup().nodeName()) && !steps.isRevoked(id(job))
        : known.takesMore();
  }

  private void join(LoginRequest login, RunSpool.StoredJob job) {
    RunId id = id(job.job());
    RunEntry known = keeper.find(id);
    try {
      RunEntry run = known == null ? keeper.host(id, job) : known;
      run.logins.add(login);
      preparing.add(run);
      keeper.admit(run);
    } catch (IOException e) {
      log.error("run " + id.text() + " cannot be stored: " + e);
      String text = "SlurmdSpoolDir: " + NodeFaultException.text(e);
      steps.works().logins().answer(login, new LoginAnswer.Failed(id.jobId(), text));
    }
  }
}
