package io.dure.accounting;

import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepName;
import java.time.Instant;
import java.util.List;

/** Records of jobs of two users, alice and bob, in accounts named after them. */
final class RecordedJobs {
  static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
  private static final int ALICE = 1001;

  private RecordedJobs() {}

  static Job waiting(int id, String user) {
    JobSpec spec =
        JobSpec.of("job" + id, List.of("debug"), ResourceRequest.of(1, 1, 1), TimeLimit.minutes(10))
            .withAccount(user);
    int uid = user.equals("alice") ? ALICE : ALICE + 1;
    return new Job(
        id,
        null,
        new UserIdentity(uid, uid, user, user),
        spec,
        Workload.BatchSpec.nothing("/"),
        START.plusSeconds(id),
        START.plusSeconds(id),
        100,
        0,
        0,
        new JobState.Pending(Hold.NONE, null, List.of(), false, false),
        null);
  }

  static Job running(int id, String user) {
    return started(waiting(id, user));
  }

  static Job started(Job waiting) {
    return started(waiting, held(), begin(waiting.id()));
  }

  static Job started(Job waiting, Allocation held, Instant at) {
    return waiting
        .withRun(waiting.run() + 1)
        .withState(JobState.Running.begun(held, at, null, Hold.NONE, false, true));
  }

  private static Instant begin(int id) {
    return START.plusSeconds(id + 10L);
  }

  private static Allocation held() {
    return new Allocation("debug", List.of(new NodeShare("n1", List.of(0, 1), 2, 200, 1)));
  }

  /** A job that ran for a minute. */
  static Job ended(int id, String user, int code) {
    ExitStatus exit = new ExitStatus(code, 0);
    return running(id, user)
        .withState(
            new JobState.Ended(
                held(),
                begin(id),
                begin(id).plusSeconds(60),
                code == 0 ? new JobOutcome.Completed(exit) : new JobOutcome.Failed(exit),
                null));
  }

  static AccountingRecord.JobAttempt attempt(Job job) {
    return new AccountingRecord.JobAttempt(AttemptId.of(job), job, false);
  }

  static AccountingRecord.StepBegun batch(Job job) {
    return new AccountingRecord.StepBegun(
        AttemptId.of(job), StepName.BatchStep.NUMBER, begin(job.id()), "n1", 1, null);
  }

  static AccountingRecord.StepPart part(Job job, int code, long micros, boolean over) {
    StepConsumption.Spread of = StepConsumption.Spread.of(micros, "n1", 0);
    StepConsumption used =
        new StepConsumption(
            micros, 0, new StepConsumption.TaskSums(1, of, of, of, of, of, of, null, null), 0);
    return new AccountingRecord.StepPart(
        AttemptId.of(job),
        StepName.BatchStep.NUMBER,
        new ExitStatus(code, 0),
        begin(job.id()).plusSeconds(60),
        used,
        over);
  }
}
