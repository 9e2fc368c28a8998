package io.dure.twin;

import io.dure.model.ArrayPart;
import io.dure.model.Hold;
import io.dure.model.Job;
import io.dure.model.JobSpec;
import io.dure.model.JobState;
import io.dure.twin.trace.InitialState;
import io.dure.twin.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How a replay takes in what runs and waits before it begins. Used once. */
final class InitialStateLoader {
  private static final long ROUNDING = 999_999_999;

  private final RunningJobs.ReplayParts parts;
  private final TraceDependencies dependents;
  private final ReplayQueueRanking ranking;

  InitialStateLoader(
      RunningJobs.ReplayParts parts, TraceDependencies dependents, ReplayQueueRanking ranking) {
    this.parts = parts;
    this.dependents = dependents;
    this.ranking = ranking;
  }

  /**
   * Takes in all jobs.
   *
   * @param runs what runs, to be added to
   * @param kept gets those that wait for others, by the numbers that they have here
   */
  void take(InitialState from, RunningJobs runs, Map<Integer, Job> kept) {
    Instant now = from.at();
    parts.cluster().begin(from.state().usage(), from.state().runs(), now);
    Map<Integer, Integer> numbers = new TreeMap<>();
    int id = 0;
    for (InitialState.InitialJob one : from.jobs()) {
      know(one, ++id);
      numbers.put(one.record().id(), id);
    }
    for (id = 1; id <= from.jobs().size(); id++) {
      Job job = numbered(from.jobs().get(id - 1).record(), id);
      Duration lasts = parts.trace().get(id - 1).run();
      switch (job.state()) {
        case JobState.Pending pending -> await(job, pending, now, kept);
        case JobState.Running run -> {
          runs.adopt(job, lasts, now);
          dependents.started(id, run.start().getEpochSecond());
        }
        case JobState.Suspended stood -> {
          Integer other = stood.forJob() == null ? null : numbers.get(stood.forJob());
          runs.adopt(
              job.withState(
                  new JobState.Suspended(stood.run(), stood.since(), stood.cause(), other)),
              lasts,
              now);
          dependents.started(id, stood.run().start().getEpochSecond());
        }
        case JobState.Completing _, JobState.Ended _ ->
            throw new IllegalArgumentException("it is over: " + job);
      }
    }
  }

  private void know(InitialState.InitialJob one, int id) {
    JobSpec spec = one.record().spec();
    parts.jobs().know(one.record().owner());
    Duration limit = parts.jobs().limit(spec);
    long seconds = limit == null ? Long.MAX_VALUE : limit.toSeconds();
    long submit = one.job().submit().getEpochSecond();
    ranking.know(seconds, spec.resources().totalCpus(), submit);
    dependents.came(id);
  }

  private void await(Job job, JobState.Pending pending, Instant now, Map<Integer, Job> kept) {
    Instant from = later(now, later(job.spec().beginTime(), pending.notBefore()));
    if (from.isAfter(now)) {
      parts.wakes().add(from.plusNanos(ROUNDING).getEpochSecond());
    }
    Job eligible = job.eligibleTime() == null ? job.withEligibleTime(from) : job;
    Job free =
        eligible.withState(
            new JobState.Pending(
                Hold.NONE,
                pending.notBefore(),
                List.of(),
                false,
                pending.requeued(),
                pending.accrual()));
    if (pending.waitingFor().isEmpty()) {
      parts.cluster().queue(free);
    } else {
      kept.put(job.id(), free);
      dependents.keep(job.id(), job.spec());
    }
  }

  private static Instant later(@Nullable Instant a, @Nullable Instant b) {
    Instant least = a == null ? Instant.MIN : a;
    return b != null && b.isAfter(least) ? b : least;
  }

  /** The job under the number that it has here. */
  private Job numbered(Job record, int id) {
    TraceJob.Origin origin = parts.trace().get(id - 1).origin();
    ArrayPart array = null;
    if (origin != null && origin.task() != null && origin.throttle() > 0) {
      int first = dependents.firstOf(origin);
      ArrayPart.Shape shape = new ArrayPart.Shape(1, origin.task(), origin.task(), 1);
      array = new ArrayPart.Task(first, shape, origin.task(), origin.throttle());
      parts.cluster().joins(first, origin.task(), id);
    }
    return new Job(
        id,
        array,
        record.owner(),
        record.spec(),
        record.workload(),
        record.submitTime(),
        record.eligibleTime(),
        record.priority(),
        record.restarts(),
        record.run(),
        record.state(),
        TraceJobRecords.place(parts.trace(), id));
  }
}
