package io.dure.accounting;

import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.gres.GresCount;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.Workload;
import io.dure.protocol.codec.RecordCodec;
import io.dure.surface.facts.SlurmJobState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table of attempts: what is searched for and summed up has columns, the rest is the record.
 */
final class JobTable {
  static final List<String> KEY = List.of("cluster_id", "job_id", "attempt");
  static final List<String> COLUMNS =
      List.of(
          "array_job_id",
          "het_leader",
          "uid",
          "gid",
          "user_name",
          "group_name",
          "account",
          "qos",
          "partition_name",
          "wckey",
          "job_name",
          "state",
          "exit_code",
          "exit_signal",
          "submit_time",
          "eligible_time",
          "start_time",
          "end_time",
          "suspended_seconds",
          "cpus",
          "memory_mib",
          "nodes",
          "gpus",
          "node_list",
          "requeued",
          "record",
          "tres_alloc",
          "tres_req",
          "reservation");
  static final RecordCodec<Job> RECORD = RecordCodec.of(Job.class).exact();

  private JobTable() {}

  /** When a run began and ended; seconds. */
  private record Times(long start, long end, long suspended) {}

  /** The row of an attempt, for an upsert of {@link #KEY} and {@link #COLUMNS}. */
  static TableRow row(long cluster, AccountingRecord.JobAttempt attempt) {
    Job job = attempt.job();
    Times times = times(job.state());
    Allocation held = held(job.state());
    ExitStatus exit = exit(job.state());
    return TableRow.of(
        "job " + attempt.attempt().jobId(),
        cluster,
        attempt.attempt().jobId(),
        attempt.attempt().number(),
        job.array() == null ? null : job.array().arrayJobId(),
        job.het() == null ? null : job.het().leader(),
        Integer.toUnsignedLong(job.owner().uid()),
        Integer.toUnsignedLong(job.owner().gid()),
        SqlDialect.name(job.owner().userName()),
        SqlDialect.name(job.owner().groupName()),
        SqlDialect.name(job.spec().account()),
        SqlDialect.name(job.spec().qos()),
        held == null ? String.join(",", job.spec().partitions()) : held.partition(),
        SqlDialect.name(job.spec().wckey()),
        job.spec().name(),
        SlurmJobState.base(job.state()).name(),
        exit.code(),
        exit.signal(),
        // A job of a crontab would be as old as its entry in each of its runs.
        job.attemptTime().getEpochSecond(),
        seconds(job.eligibleTime()),
        times.start(),
        times.end(),
        times.suspended(),
        held == null ? 0 : held.cpus(),
        held == null ? 0 : held.memoryMib(),
        held == null ? 0 : held.shares().size(),
        held == null ? 0 : held.gpus(),
        held == null ? "" : HostList.compress(held.nodes()),
        attempt.requeued() ? 1 : 0,
        RECORD.encode(job.withWorkload(kept(job.workload()))),
        TresTable.text(held(held)),
        TresTable.text(asked(attempt)),
        reservation(job, held));
  }

  /** The reservation that it ran in, or that it would; null for none, and for one of several. */
  private static @Nullable String reservation(Job job, @Nullable Allocation held) {
    if (held != null && held.reservation() != null) {
      return SqlDialect.name(held.reservation());
    }
    List<String> all = job.spec().reservations();
    return all.size() == 1 ? SqlDialect.name(all.getFirst()) : null;
  }

  private static TresAmounts held(@Nullable Allocation held) {
    return held == null
        ? TresAmounts.NONE
        : TresAmounts.of(held).and(held.licenses()).with(TresAmounts.BILLING, held.billed());
  }

  /** What it asked for; the CPUs are those of all tasks that the record stands for. */
  private static TresAmounts asked(AccountingRecord.JobAttempt attempt) {
    Job job = attempt.job();
    Long billing = attempt.askedBilling();
    ResourceRequest request = job.spec().resources();
    long tasks = job.array() instanceof ArrayPart.Waiting some ? some.waiting().size() : 1;
    TresAmounts asked =
        TresAmounts.NONE
            .with(TresAmounts.CPU, request.neededCpus() * tasks)
            .with(TresAmounts.MEMORY, request.memoryMib())
            .with(TresAmounts.NODE, request.minNodes())
            .with(TresAmounts.BILLING, billing == null ? request.neededCpus() : billing);
    for (GresCount one : request.totalGres()) {
      asked = asked.plus("gres/" + one.name(), one.count());
      if (one.type() != null) {
        asked = asked.plus("gres/" + one.name() + ":" + one.type(), one.count());
      }
    }
    return asked;
  }

  /**
   * What a job is billed for what it asks for, by the column of that; null for its CPUs.
   *
   * @param asked null in a row of an older release
   */
  static @Nullable Long askedBilling(@Nullable String asked, Job job) {
    if (asked == null) {
      return null;
    }
    long billing = TresTable.read(asked).of(TresAmounts.BILLING);
    return billing == job.spec().resources().neededCpus() ? null : Long.valueOf(billing);
  }

  private static String column(@Nullable String name) {
    return Objects.requireNonNullElse(SqlDialect.name(name), "");
  }

  /** What an attempt used, as its row will say. */
  static AttemptUse use(AccountingRecord.JobAttempt attempt) {
    Job job = attempt.job();
    Times times = times(job.state());
    return new AttemptUse(
        attempt.attempt(),
        new AttemptUse.Owner(
            column(job.spec().account()),
            column(job.owner().userName()),
            column(job.spec().wckey())),
        seconds(job.eligibleTime()),
        times.start(),
        times.end(),
        times.suspended(),
        held(held(job.state())),
        AttemptUses.cpus(asked(attempt)));
  }

  /**
   * A job that is not over as one that is, by what is known of it: when it began, or when it was
   * eligible or came into the queue if it did not.
   */
  static Job over(Job job) {
    JobState state = job.state();
    JobState.Running run = state.runningOrSuspended();
    Instant eligible = job.eligibleTime();
    Instant queued = job.attemptTime();
    Instant last =
        run != null
            ? run.start()
            : eligible != null && eligible.isAfter(queued) ? eligible : queued;
    return job.withState(
        new JobState.Ended(
            state.allocated(),
            run == null ? null : run.start(),
            last,
            new JobOutcome.Completed(ExitStatus.OK),
            null));
  }

  /** What the log of changes has of such an end. */
  static AccountingRecord.AccountsChange told(AttemptId attempt, String actor, Instant now) {
    return new AccountingRecord.AccountsChange(
        now,
        actor,
        AccountingRecord.AccountsChange.FIX_RUNAWAY_JOBS,
        "id_job=" + attempt.jobId(),
        "state=COMPLETED");
  }

  /** Without what is long, but with the names of its texts. */
  private static Workload kept(Workload workload) {
    return workload instanceof Workload.BatchSpec batch
        ? batch.summary().with().script(batch.script()).environment(batch.environment()).build()
        : workload.summary();
  }

  private static Times times(JobState state) {
    return switch (state) {
      case JobState.Pending _ -> new Times(SqlDialect.NEVER, SqlDialect.NEVER, 0);
      case JobState.Running run ->
          new Times(seconds(run.start()), SqlDialect.NEVER, sum(run.pauses()));
      case JobState.Suspended pause ->
          new Times(seconds(pause.run().start()), SqlDialect.NEVER, sum(pause.run().pauses()));
      case JobState.Completing over ->
          new Times(seconds(over.start()), seconds(over.end()), sum(over.pauses()));
      case JobState.Ended over ->
          new Times(seconds(over.start()), seconds(over.end()), sum(over.pauses()));
    };
  }

  static @Nullable Allocation held(JobState state) {
    return state instanceof JobState.Ended ended ? ended.allocation() : state.allocated();
  }

  private static ExitStatus exit(JobState state) {
    return switch (state) {
      case JobState.Completing over -> over.outcome().exit();
      case JobState.Ended over -> over.outcome().exit();
      case JobState.Pending _, JobState.Running _, JobState.Suspended _ -> ExitStatus.OK;
    };
  }

  private static long sum(JobState.@Nullable SuspensionTotals pauses) {
    return pauses == null ? 0 : pauses.total().toSeconds();
  }

  static long seconds(@Nullable Instant at) {
    return at == null ? SqlDialect.NEVER : at.getEpochSecond();
  }
}
