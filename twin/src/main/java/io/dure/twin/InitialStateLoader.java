package io.dure.twin;

import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.history.RunHistory;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.twin.result.ReplayRecorder;
import io.dure.twin.trace.InitialState;
import io.dure.twin.trace.TraceJob;
import io.dure.virtual.VirtualClusterView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The cluster in which a replay begins that takes in what runs and waits already. Used once. */
final class InitialStateLoader {
  private final List<TraceJob> trace;
  private final TraceArrivals arrivals;
  private final ReplayRecorder recorder;
  private VirtualClusterView view;

  private InitialStateLoader(
      VirtualClusterView empty,
      List<TraceJob> trace,
      TraceArrivals arrivals,
      ReplayRecorder recorder) {
    view = empty;
    this.trace = trace;
    this.arrivals = arrivals;
    this.recorder = recorder;
  }

  /** That cluster; its jobs have come. */
  static VirtualClusterView of(
      InitialState from,
      TwinView empty,
      List<TraceJob> trace,
      TraceArrivals arrivals,
      ReplayRecorder recorder) {
    UsageDecay decay = UsageDecay.of(empty.settings().priority().halfLife());
    UsageLedger used = from.state().usage();
    for (int job : from.state().usage().charges().keys()) {
      used = used.ended(empty.accounts(), job, from.at(), decay);
    }
    RunHistory ran = from.state().runs().withWaitingOf(RunHistory.EMPTY);
    VirtualClusterView idle = VirtualClusterView.of(empty.after(used, ran), true);
    return new InitialStateLoader(idle, trace, arrivals, recorder).take(from);
  }

  private VirtualClusterView take(InitialState from) {
    Instant now = from.at();
    Map<Integer, Integer> numbers = new TreeMap<>();
    int id = 0;
    for (InitialState.InitialJob one : from.jobs()) {
      arrivals.came(one.record().spec());
      numbers.put(one.record().id(), ++id);
    }
    for (id = 1; id <= from.jobs().size(); id++) {
      Job job = numbered(from.jobs().get(id - 1).record(), id);
      switch (job.state()) {
        case JobState.Pending pending -> await(job, pending, now);
        case JobState.Running run -> start(job, run, now);
        case JobState.Suspended stood -> {
          Integer other = stood.forJob() == null ? null : numbers.get(stood.forJob());
          JobState.Suspended stands =
              new JobState.Suspended(stood.run(), stood.since(), stood.cause(), other);
          start(job.withState(stands), stood.run(), now);
        }
        case JobState.Completing _, JobState.Ended _ ->
            throw new IllegalArgumentException("it is over: " + job);
      }
    }
    return view;
  }

  /** A job that held something before the cluster was looked at. */
  private void start(Job job, JobState.Running run, Instant now) {
    count(job);
    recorder.adopted(job, run.allocation());
    view = view.start(job, now);
    if (job.state() instanceof JobState.Suspended) {
      view = view.suspend(job, run.allocation(), now);
    }
  }

  private void count(Job job) {
    view = view.withRuns(view.runs().changed(null, job));
    recorder.changed(null, job);
  }

  private void await(Job job, JobState.Pending pending, Instant now) {
    Instant from = later(now, later(job.spec().beginTime(), pending.notBefore()));
    TraceSubmissionIndex known = arrivals.submissions();
    boolean free = pending.waitingFor().isEmpty();
    Job eligible = free && job.eligibleTime() == null ? job.withEligibleTime(from) : job;
    Job waits =
        eligible.withState(
            new JobState.Pending(
                Hold.NONE,
                pending.notBefore(),
                known.translated(job.id(), pending.waitingFor()),
                known.namesUnknown(job.id(), pending.waitingFor()),
                pending.requeued(),
                pending.accrual()));
    count(waits);
    view = view.queue(waits);
  }

  private static Instant later(@Nullable Instant a, @Nullable Instant b) {
    Instant least = a == null ? Instant.MIN : a;
    return b != null && b.isAfter(least) ? b : least;
  }

  /** The job under the number that it has here. */
  private Job numbered(Job record, int id) {
    Job job = record.with().id(id).array(null).het(null).build();
    Job placed = arrivals.placed(job, trace, id);
    if (placed.array() instanceof ArrayPart.Task task) {
      view = view.joins(task.arrayJobId(), task.index(), id);
    }
    return placed;
  }
}
