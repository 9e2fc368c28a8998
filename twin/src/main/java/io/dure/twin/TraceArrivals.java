package io.dure.twin;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.config.PartitionConfig;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.Dependency;
import io.dure.model.request.JobSpec;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.queueorder.PredictedRunTimes;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.ReplayQueueRanking;
import io.dure.twin.result.ReplayRecorder;
import io.dure.twin.trace.TraceJob;
import io.dure.virtual.ArrivalSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The jobs of a trace as they come, numbered from 1 on in their order. Used once. */
final class TraceArrivals implements ArrivalSource {
  private final Parts parts;
  private final List<TraceJob> trace;
  private final TraceJobAdmission admission;
  private final TraceSubmissionIndex submissions;
  private final PredictedRunTimes predicted = PredictedRunTimes.unknown();
  private int arrived;

  /**
   * What arrivals belong to.
   *
   * @param accounts accounts that jobs are charged to, null where they do not matter
   */
  record Parts(
      ReplayMachine machine,
      @Nullable AccountingTree accounts,
      TraceJobRecords jobs,
      EstimateSource estimates,
      ReplayQueueRanking ranking,
      ReplayRecorder recorder) {}

  /** None has come yet. */
  TraceArrivals(Parts parts, List<TraceJob> trace) {
    this.parts = parts;
    this.trace = trace;
    admission = new TraceJobAdmission(parts.machine(), parts.accounts());
    submissions = new TraceSubmissionIndex(trace);
  }

  /** As many have come as in another one. */
  TraceArrivals(TraceArrivals before, Parts parts, List<TraceJob> trace) {
    this.parts = parts;
    this.trace = trace;
    admission = new TraceJobAdmission(parts.machine(), parts.accounts());
    submissions = new TraceSubmissionIndex(before.submissions, trace);
    arrived = before.arrived;
  }

  /** How many have come. */
  int arrived() {
    return arrived;
  }

  TraceSubmissionIndex submissions() {
    return submissions;
  }

  /** A job has come before the trace is looked at. */
  void came(JobSpec spec) {
    TraceJob job = trace.get(arrived++);
    know(job, spec);
    submissions.came(arrived);
    parts.recorder().taken(arrived, spec);
  }

  private void know(TraceJob job, JobSpec spec) {
    Duration limit = parts.jobs().limit(spec);
    know(job, spec, limit == null ? Long.MAX_VALUE : limit.toSeconds());
  }

  private void know(TraceJob job, JobSpec spec, long seconds) {
    long submit = job.submit().getEpochSecond();
    parts.ranking().know(seconds, spec.resources().totalCpus(), submit);
  }

  @Override
  public long next() {
    return arrived < trace.size()
        ? trace.get(arrived).submit().getEpochSecond()
        : PlannerTime.NEVER;
  }

  @Override
  public boolean mayName(int job) {
    return trace.get(job - 1).origin() != null;
  }

  @Override
  public List<Job> take(SchedulerView view, IntSupplier ids) {
    int first = arrived;
    int size = TraceJob.components(trace, first);
    arrived += size;
    List<JobSpec> specs = new ArrayList<>(size);
    String refused = null;
    for (int i = first; i < arrived; i++) {
      TraceJob job = trace.get(i);
      JobSpec asked = parts.jobs().spec(job);
      if (parts.estimates() == EstimateSource.PREDICTED) {
        know(job, asked, predicted(job, asked, i + 1, view));
      } else {
        know(job, asked);
      }
      switch (admission.of(job.user(), asked, view, parts.recorder().queued())) {
        case TraceJobAdmission.Answer.Refused(String why) ->
            refused = refused == null ? why : refused;
        case TraceJobAdmission.Answer.Taken(JobSpec spec) -> {
          specs.add(spec);
          parts.recorder().taken(i + 1, spec);
        }
      }
    }
    List<Job> jobs = new ArrayList<>(size);
    for (int i = first; refused == null && i < arrived; i++) {
      Job job = job(trace.get(i), i + 1, specs.get(i - first));
      refused = job == null ? ErrorCode.DEPENDENCY.text() : null;
      if (job != null) {
        jobs.add(job);
      }
    }
    for (int id = first + 1; id <= arrived; id++) {
      if (refused == null) {
        submissions.came(id);
      } else {
        parts.recorder().refused(id, refused);
      }
    }
    return refused == null ? jobs : List.of();
  }

  /** How long a job is expected to run as it comes. */
  private long predicted(TraceJob job, JobSpec asked, int id, SchedulerView view) {
    Job as = parts.jobs().pending(id, job, asked, 1, job.submit());
    for (String name : asked.partitions()) {
      PartitionConfig partition = parts.machine().partition(name);
      if (partition != null) {
        return predicted.forView(view).seconds(as, partition);
      }
    }
    return Long.MAX_VALUE;
  }

  /** The job as it waits, null if it names a job that is not known. */
  private @Nullable Job job(TraceJob job, int id, JobSpec spec) {
    List<Dependency> conditions =
        job.origin() == null ? List.of() : submissions.conditions(id, spec.dependency());
    if (conditions == null) {
      return null;
    }
    long submit = job.submit().getEpochSecond();
    long number = parts.ranking().queued(id, submit, submit);
    Job waiting = placed(parts.jobs().pending(id, job, spec, number, job.submit()), trace, id);
    return conditions.isEmpty()
        ? waiting
        : waiting
            .withState(new JobState.Pending(Hold.NONE, null, conditions, false, false))
            .withEligibleTime(null);
  }

  /** A job with its place in its array, or in its heterogeneous job. */
  Job placed(Job job, List<TraceJob> trace, int id) {
    HetComponent part = TraceJobRecords.place(trace, id);
    Job whole = part == null ? job : job.withHet(part);
    TraceJob.Origin origin = trace.get(id - 1).origin();
    if (origin == null || origin.task() == null) {
      return whole;
    }
    int task = origin.task();
    // Its shape is for the environment of a job that runs; here none does.
    ArrayPart.Shape shape = new ArrayPart.Shape(1, task, task, 1);
    int array = submissions.firstOf(origin, id);
    return whole.withArray(id, new ArrayPart.Task(array, shape, task, origin.throttle()));
  }
}
