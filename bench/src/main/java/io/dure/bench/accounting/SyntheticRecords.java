package io.dure.bench.accounting;

import io.dure.model.ExitStatus;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.TresAmounts;
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

/**
 * The records of a cluster's year: jobs of {@value #USERS} users in {@value #ACCOUNTS} accounts,
 * evenly over the year, each with a batch step. A user submits several in a row. The n-th account
 * has 1/n of the jobs of the first, so that the median one has 0.34 of the mean and the first one
 * 34 times the mean; of the users of the KTH SP2 in 1996 (Parallel Workloads Archive) the median
 * one had 0.44 of the mean of a month, and the busiest one twenty times the mean.
 */
final class SyntheticRecords {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final int USERS = 2_000;
  static final int ACCOUNTS = 200;
  static final long YEAR = 365L * 86_400;
  private static final int FIRST_UID = 1001;
  private static final int RUN_SECONDS = 600;

  /** How many jobs a user submits in a row. */
  private static final int ROW = 2;

  /** The part of all jobs that belong to this account or to busier ones. */
  private static final double[] UP_TO = new double[ACCOUNTS];

  static {
    double sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
      sum += 1.0 / (i + 1);
      UP_TO[i] = sum;
    }
    for (int i = 0; i < ACCOUNTS; i++) {
      UP_TO[i] /= sum;
    }
  }

  private final int jobs;

  /** Of so many jobs. */
  SyntheticRecords(int jobs) {
    this.jobs = jobs;
  }

  /** What the cluster has. */
  static AccountingRecord capacity() {
    TresAmounts tres = TresAmounts.NONE.with(TresAmounts.CPU, 10_000).with(TresAmounts.NODE, 100);
    return new AccountingRecord.ClusterCapacity(START, "n[1-100]", 100, tres);
  }

  private Instant submitted(int id) {
    return START.plusSeconds(id * YEAR / jobs);
  }

  /** The number of the user that submits a job. */
  private static int owner(int id) {
    // The finalizer of SplitMix64: neighbours get numbers that have nothing to do with each other.
    long mixed = (id / ROW + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    mixed ^= mixed >>> 31;
    double share = (mixed >>> 11) * 0x1.0p-53;
    int account = 0;
    while (share >= UP_TO[account]) {
      account++;
    }
    return account + ACCOUNTS * (int) (mixed & 0x7ff) % USERS;
  }

  static String user(int owner) {
    return "user" + owner;
  }

  /** That of a user; the first one is the busiest. */
  static String account(int owner) {
    return "account" + owner % ACCOUNTS;
  }

  private Job begun(int id) {
    JobSpec spec =
        JobSpec.of(
                "train-" + id % 1000,
                List.of("batch"),
                ResourceRequest.of(1, 4, 1000),
                TimeLimit.minutes(60))
            .withAccount(account(owner(id)))
            .withQos("normal");
    int owner = owner(id);
    String user = user(owner);
    int uid = FIRST_UID + owner;
    return new Job(
        id,
        null,
        new UserIdentity(uid, uid, user, user),
        spec,
        Workload.BatchSpec.nothing("/home/" + user),
        submitted(id),
        submitted(id),
        100,
        1,
        0,
        JobState.Running.begun(held(id), submitted(id), null, Hold.NONE, false, true),
        null);
  }

  private static Allocation held(int id) {
    NodeShare share = new NodeShare("n" + id % 1000, List.of(0, 1, 2, 3), 4, 4000, 1);
    return new Allocation("batch", List.of(share));
  }

  /** A job begins, with its step. */
  List<AccountingRecord> begin(int id) {
    Job job = begun(id);
    AttemptId attempt = AttemptId.of(job);
    return List.of(
        new AccountingRecord.JobAttempt(attempt, job, false),
        new AccountingRecord.StepBegun(
            attempt, StepName.BatchStep.NUMBER, submitted(id), "n" + id % 1000, 1, null));
  }

  /** It ends, with its step. */
  List<AccountingRecord> end(int id) {
    Instant end = submitted(id).plusSeconds(RUN_SECONDS);
    ExitStatus exit = new ExitStatus(id % 10 == 0 ? 1 : 0, 0);
    Job job =
        begun(id)
            .withState(
                new JobState.Ended(
                    held(id),
                    submitted(id),
                    end,
                    exit.code() == 0 ? new JobOutcome.Completed(exit) : new JobOutcome.Failed(exit),
                    null));
    AttemptId attempt = AttemptId.of(job);
    StepConsumption.Spread of = StepConsumption.Spread.of(1_000_000, "n" + id % 1000, 0);
    StepConsumption used =
        new StepConsumption(
            2_000_000, 10, new StepConsumption.TaskSums(1, of, of, of, of, of, of, null, null), 0);
    return List.of(
        new AccountingRecord.StepPart(attempt, StepName.BatchStep.NUMBER, exit, end, used, true),
        new AccountingRecord.JobAttempt(attempt, job, false));
  }
}
