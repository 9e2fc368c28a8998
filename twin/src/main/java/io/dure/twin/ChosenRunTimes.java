package io.dure.twin;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.rules.queueorder.RunTimePredictor;
import io.dure.twin.trace.TraceJob;
import io.dure.virtual.VirtualClusterView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The run times of the jobs of a trace at one moment of a replay. Used once. */
final class ChosenRunTimes {
  private final ReplayRunTimes times;
  private final Instant now;
  private final VirtualClusterView cluster;
  private final TraceJobRecords jobs;
  private final RunTimePredictor predictor;

  private ChosenRunTimes(
      ReplayRunTimes times, VirtualClusterView cluster, TraceJobRecords jobs, Instant now) {
    this.now = now;
    this.times = times;
    this.cluster = cluster;
    this.jobs = jobs;
    predictor = new RunTimePredictor(cluster.runs());
  }

  /**
   * Those of a replay that goes on in a way.
   *
   * @param cluster as it was before, so that the same jobs run equally long whatever the way
   */
  static ChosenRunTimes of(
      ReplayContinuation turn, VirtualClusterView cluster, TraceJobRecords jobs) {
    return new ChosenRunTimes(turn.runTimes(), cluster, jobs, turn.at());
  }

  /**
   * The same jobs with the times that they run.
   *
   * @param first the first of those that come anew, which the cluster has not seen
   * @param last the first after those
   * @param otherwise which tells the times of those, on the machine that knows what they ask for
   */
  List<TraceJob> of(List<TraceJob> trace, int first, int last, ChosenRunTimes otherwise) {
    List<TraceJob> told = new ArrayList<>(trace.size());
    for (int i = 0; i < trace.size(); i++) {
      TraceJob job = trace.get(i);
      boolean anew = i >= first && i < last;
      boolean endless = job.run().equals(TraceJob.ENDLESS);
      boolean asItIs =
          anew
              ? !endless
              : times == ReplayRunTimes.AS_THEY_ARE || times == ReplayRunTimes.KNOWN && !endless;
      ChosenRunTimes teller = anew ? otherwise : this;
      told.add(asItIs ? job : job.lasting(teller.run(job, i + 1)));
    }
    return List.copyOf(told);
  }

  private Duration run(TraceJob job, int id) {
    Job active = cluster.active().get(id);
    Job waiting = cluster.pending().get(id);
    Job record = active == null ? waiting : active;
    if (record == null) {
      JobSpec spec = jobs.spec(job);
      record = jobs.pending(id, job, spec, 1, job.submit());
    }
    if (times == ReplayRunTimes.LIMIT) {
      Duration limit = jobs.limit(record.spec());
      return limit == null ? job.run() : limit;
    }
    PartitionConfig partition = partition(record);
    if (partition == null) {
      return job.run();
    }
    JobState.Running run = record.state().runningOrSuspended();
    // A job that is looked at from later on is known to have run until then.
    long least = times == ReplayRunTimes.KNOWN ? job.least().toSeconds() : 0;
    long ran = Math.max(least, run == null ? 0 : run.elapsed(now).toSeconds());
    double seconds =
        run == null && ran == 0
            ? predictor.of(record, partition).seconds()
            : predictor.beyond(record, partition, ran);
    return Duration.ofSeconds((long) Math.ceil(seconds));
  }

  private @Nullable PartitionConfig partition(Job job) {
    JobState.Running run = job.state().runningOrSuspended();
    if (run != null) {
      return cluster.partition(run.allocation().partition());
    }
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = cluster.partition(name);
      if (partition != null) {
        return partition;
      }
    }
    return null;
  }
}
