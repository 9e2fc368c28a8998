package io.dure.cluster.record;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.JobTextStore;
import io.dure.cluster.UnreadableTextException;
import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.ControllerPrograms;
import io.dure.model.cron.CronJob;
import io.dure.model.cron.Crontab;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.jobtext.TextId;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepName;
import io.dure.rules.limits.ChargeCalculator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which records an event makes for the accounting database. A function of the event and of the
 * states around it, so that each controller makes the same records, and a replay makes them again.
 */
public final class AccountingRecorder {
  /** Characters of a correction in the log of changes, which gets a line for each job. */
  private static final int MOST_TOLD = 1000;

  private static final int BATCH = StepName.BatchStep.NUMBER;
  private static final int EXTERN = StepName.ExternStep.NUMBER;

  private final ClusterState before;
  private final ClusterState after;
  private final JobTextStore texts;
  private final List<AccountingRecord> records = new ArrayList<>();
  private final NodeRecorder nodes;

  private AccountingRecorder(ClusterState before, ClusterState after, JobTextStore texts) {
    this.before = before;
    this.after = after;
    nodes = new NodeRecorder(before, after, records);
    this.texts = texts;
  }

  /**
   * The records of an event, in order; most events make none or one.
   *
   * @param before the state that the event was made for
   * @param after the state that it led to
   * @param texts scripts and environments, which the states need not have; without those that no
   *     job refers to any more
   */
  public static List<AccountingRecord> records(
      ClusterState before, Event event, ClusterState after, JobTextStore texts) {
    AccountingRecorder recorder = new AccountingRecorder(before, after, texts);
    recorder.record(event);
    return recorder.records;
  }

  private void record(Event event) {
    switch (event) {
      case Event.JobSubmitted e -> submitted(e.jobId());
      case Event.JobHeld e -> job(e.jobId());
      case Event.JobReleased e -> job(e.jobId());
      case Event.JobUpdated e -> job(e.jobId());
      case Event.JobOutputChanged e -> job(e.jobId());
      case Event.ArrayThrottled e -> tasksOf(e.arrayJobId());
      case Event.ArrayTaskSplit e -> split(e);
      case Event.DependencyChanged e -> job(e.jobId());
      case Event.JobEligible e -> job(e.jobId());
      case Event.JobStarted e -> started(e.jobId());
      case Event.JobConfigured e -> started(e.jobId());
      case Event.JobEnding e -> ending(e);
      case Event.JobExitKnown e -> job(e.jobId());
      case Event.RequeueRevoked e -> job(e.jobId());
      case Event.JobRequeued e -> requeued(e);
      case Event.JobDropped e -> dropped(e.jobId());
      case Event.JobFinished e -> over(after(e.jobId()));
      case Event.JobSuspended e -> suspended(e);
      case Event.JobResumed e -> resumed(e);
      case Event.AllocationShrunk e -> shrunk(e);
      case Event.StepCreated e -> begun(after(e.jobId()), e.step());
      case Event.StepPartEnded e -> partEnded(e);
      case Event.StepExitKnown e -> exitKnown(e);
      case Event.BatchStepEnded e -> batchEnded(e);
      case Event.Configured e -> nodes.all(e.at());
      case Event.ControllerStarted e -> nodes.all(e.at());
      case Event.NodeRegistered e -> nodes.changed(e.node(), e.at());
      case Event.NodeSilent e -> nodes.changed(e.node(), e.since());
      case Event.NodeConditionChanged e -> nodes.changed(e.node(), e.at());
      case Event.NodeDefined e -> nodes.changed(e.node().name(), e.at());
      case Event.NodeDeleted e -> nodes.changed(e.node(), e.at());
      case Event.NodeReleased e -> nodes.changed(e.node(), e.at());
      case Event.ReservationDefined e -> reservation(e.reservation().name(), e.at());
      case Event.ReservationDeleted e -> reservation(e.name(), e.at());
      case Event.CrontabStored e -> crontab(e.crontab());
      case Event.CronJobDisabled e -> changed(e.jobId());
      case Event.JobsCorrected e -> corrected(e);
      case Event.AccountingChanged e -> AccountsRecorder.record(before.accounts(), e, records);
      case Event.TextStored _,
          Event.JobLaunched _,
          Event.JobWarned _,
          Event.JobEpilogEnded _,
          Event.JobsPurged _,
          Event.PartitionDefined _,
          Event.PartitionDeleted _,
          Event.ChangeAnswered _,
          Event.UsageReset _,
          Event.JobNoticed _,
          Event.SliceTurned _,
          Event.StepLimitChanged _,
          Event.StepCancelled _,
          Event.AccountingReplaced _,
          Event.UsageElsewhereChanged _,
          Event.CompletionsRecorded _,
          Event.ForecastsMade _ -> {}
      case Event.TriggerChanged _, Event.TriggersCleared _, Event.TriggerFired _ -> {}
    }
  }

  private void submitted(int id) {
    job(id);
    texts(after(id));
  }

  private static Job present(ClusterState state, int id) {
    return Objects.requireNonNull(state.job(id), "the event is of a job that is not there");
  }

  private Job after(int id) {
    return present(after, id);
  }

  private void job(int id) {
    Job job = after(id);
    records.add(
        new AccountingRecord.JobAttempt(
            AttemptId.of(job), job, false, ChargeCalculator.asked(after, job)));
  }

  private void reservation(String name, @Nullable Instant at) {
    ReservationRecorder.record(before, after, name, at, records);
  }

  /** Whether a job comes again is part of its record. */
  private void crontab(Crontab crontab) {
    Crontab old = before.crontabs().of(crontab.owner().uid());
    for (CronJob one : old == null ? List.<CronJob>of() : old.jobs()) {
      changed(one.jobId());
    }
    crontab.jobs().forEach(one -> changed(one.jobId()));
  }

  private void changed(int id) {
    Job job = before.job(id);
    if (job != null && !job.equals(after.job(id))) {
      job(id);
    }
  }

  /** A job that is there has a record as any change of it; others are put right in the books. */
  private void corrected(Event.JobsCorrected e) {
    String told = e.correction().text();
    if (told.length() > MOST_TOLD) {
      int end = Character.isHighSurrogate(told.charAt(MOST_TOLD - 1)) ? MOST_TOLD - 1 : MOST_TOLD;
      told = told.substring(0, end) + "...";
    }
    for (AttemptId attempt : e.attempts()) {
      Job job = after.job(attempt.jobId());
      if (job != null && AttemptId.of(job).equals(attempt)) {
        job(job.id());
      } else {
        records.add(new AccountingRecord.JobCorrected(attempt, e.correction()));
      }
      records.add(
          new AccountingRecord.AccountsChange(
              e.at(),
              e.actor(),
              AccountingRecord.AccountsChange.MODIFY_JOB,
              "id_job=" + attempt.jobId(),
              told));
    }
  }

  private void dropped(int id) {
    job(id);
    over(after(id));
  }

  private void over(Job job) {
    boolean wanted = after.settings().programs().completion() != ControllerPrograms.Completion.NONE;
    if (wanted && job.state() instanceof JobState.Ended) {
      records.add(new AccountingRecord.JobOver(AttemptId.of(job), job));
    }
  }

  private void texts(Job job) {
    ClusterSettings.Controller settings = after.settings().controller();
    if (job.isBatch() && settings.stores("job_script")) {
      text(job, job.workload().script());
    }
    if (job.isBatch() && settings.stores("job_env")) {
      text(job, job.workload().environment());
    }
  }

  private void text(Job job, TextId id) {
    if (id.equals(TextId.EMPTY) || !texts.contains(id)) {
      return;
    }
    try {
      records.add(new AccountingRecord.JobText(AttemptId.of(job), id, texts.content(id)));
    } catch (UnreadableTextException e) {
      // The job itself is recorded, and its text is missing there.
    }
  }

  private void split(Event.ArrayTaskSplit e) {
    job(e.taskJobId());
    if (e.taskJobId() != e.arrayJobId()) {
      job(e.arrayJobId());
    }
  }

  private void partEnded(Event.StepPartEnded e) {
    Job job = after(e.jobId());
    boolean over = job.runSteps().step(e.step()) == null;
    part(job, e.step(), e.exit(), e.at(), e.used(), over);
  }

  private void exitKnown(Event.StepExitKnown e) {
    Job job = after(e.jobId());
    boolean over = job.runSteps().unheardOf(e.step()).isEmpty();
    part(job, e.step(), e.exit(), e.at(), e.used(), over);
  }

  private void batchEnded(Event.BatchStepEnded e) {
    part(after(e.jobId()), BATCH, e.exit(), e.at(), e.used(), true);
  }

  private void tasksOf(int arrayJobId) {
    for (Job task : after.records(arrayJobId)) {
      if (task.state() instanceof JobState.Pending) {
        job(task.id());
      }
    }
  }

  /** Its own steps begin once it is configured. */
  private void started(int id) {
    job(id);
    Job job = after(id);
    JobState.Running run = job.state().runningOrSuspended();
    if (run == null) {
      return;
    }
    Allocation allocation = run.allocation();
    if (ReservationRecorder.maintains(after)) {
      allocation.nodes().forEach(node -> nodes.changed(node, run.start()));
    }
    if (run.configuring()) {
      return;
    }
    if (run.contained()) {
      String nodes = HostList.compress(allocation.nodes());
      ownStep(job, EXTERN, run.start(), nodes, allocation.shares().size());
    }
    if (job.runsScript()) {
      ownStep(job, BATCH, run.start(), allocation.batchHost(), 1);
    }
  }

  private void ownStep(Job job, int step, Instant at, String nodes, int tasks) {
    records.add(new AccountingRecord.StepBegun(AttemptId.of(job), step, at, nodes, tasks, null));
  }

  private void begun(Job job, LaunchedStep step) {
    records.add(
        new AccountingRecord.StepBegun(
            AttemptId.of(job),
            step.number(),
            step.start(),
            HostList.compress(step.nodes()),
            step.tasks(),
            step));
  }

  private void suspended(Event.JobSuspended e) {
    job(e.jobId());
    Job job = after(e.jobId());
    if (job.state() instanceof JobState.Suspended pause) {
      // One that was suspended for another cause has been so since then.
      records.add(new AccountingRecord.JobPause(AttemptId.of(job), pause.since(), null));
    }
  }

  private void resumed(Event.JobResumed e) {
    job(e.jobId());
    endPause(e.jobId(), e.at());
  }

  private void endPause(int id, Instant at) {
    Job job = present(before, id);
    if (job.state() instanceof JobState.Suspended pause) {
      records.add(new AccountingRecord.JobPause(AttemptId.of(job), pause.since(), at));
    }
  }

  private void ending(Event.JobEnding e) {
    job(e.jobId());
    endPause(e.jobId(), e.at());
    JobState.Running run = present(before, e.jobId()).state().runningOrSuspended();
    if (run != null && run.contained() && !run.configuring()) {
      part(after(e.jobId()), EXTERN, ExitStatus.OK, e.at(), null, true);
    }
  }

  private void requeued(Event.JobRequeued e) {
    Job ended = present(before, e.jobId());
    AttemptId attempt = AttemptId.of(ended);
    // One that was cancelled before it ran goes on in its row.
    if (!attempt.equals(AttemptId.of(after(e.jobId())))) {
      records.add(
          new AccountingRecord.JobAttempt(
              attempt, ended, true, ChargeCalculator.asked(before, ended)));
    }
    if (ended.state() instanceof JobState.Completing c && c.afterwards() == PostRunAction.RECUR) {
      over(
          ended.withState(
              new JobState.Ended(
                  c.allocation(), c.start(), c.end(), c.outcome(), null, c.pauses())));
    }
    job(e.jobId());
    texts(after(e.jobId())); // its next row may outlive the one that told of them
  }

  private void shrunk(Event.AllocationShrunk e) {
    job(e.jobId());
    for (String node : HostList.expand(e.nodes())) {
      nodes.changed(node, e.at());
    }
    Job job = after(e.jobId());
    RunSteps left = job.runSteps();
    for (LaunchedStep step : present(before, e.jobId()).runSteps().live()) {
      LaunchedStep now = left.step(step.number());
      if (now == null || now.nodesLeft().size() < step.nodesLeft().size()) {
        part(job, step.number(), e.exit(), e.at(), null, now == null);
      }
    }
  }

  private void part(
      Job job,
      int step,
      ExitStatus exit,
      Instant at,
      @Nullable StepConsumption used,
      boolean over) {
    records.add(new AccountingRecord.StepPart(AttemptId.of(job), step, exit, at, used, over));
  }
}
