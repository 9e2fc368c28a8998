package io.dure.rest.metrics;

import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.JobState;
import io.dure.model.request.ResourceRequest;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.SlurmJobState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/** Counts of jobs that have something in common. Not thread-safe while it counts. */
final class JobTally {
  private static final long MIB = 1 << 20;
  private static final String NODE_LIMIT = "PartitionNodeLimit";

  private final Map<JobCount, Long> counts = new EnumMap<>(JobCount.class);
  private long waiting;
  private long waitedSeconds;
  private long longestSeconds;
  private long mostNodes;
  private long mostNodesNotHeld;
  private long leastNodes;
  private long leastNodesNotHeld;
  private long overNodeLimit;

  /** How many jobs a record stands for. */
  static int tasks(JobDetails job) {
    return job.job().array() instanceof ArrayPart.Waiting part ? part.waiting().size() : 1;
  }

  private void count(JobCount what, long times) {
    if (times != 0) {
      counts.merge(what, times, Long::sum);
    }
  }

  void add(JobDetails job) {
    int tasks = tasks(job);
    count(JobCount.ALL, tasks);
    JobCount base = JobCount.of(job.base());
    if (base != null) {
      count(base, tasks);
    }
    count(JobCount.FINISHED, job.base().isFinal() ? 1 : 0);
    switch (job.job().state()) {
      case JobState.Pending pending -> pending(job, pending, tasks);
      case JobState.Running running -> {
        count(JobCount.STARTED, 1);
        count(JobCount.CONFIGURING, running.configuring() ? 1 : 0);
        count(JobCount.CPUS_ALLOC, running.allocation().cpus());
        count(JobCount.MEMORY_ALLOC, running.allocation().memoryMib() * MIB);
        count(JobCount.NODES_ALLOC, running.allocation().shares().size());
      }
      case JobState.Suspended _ -> count(JobCount.STARTED, 1);
      case JobState.Completing over -> {
        count(JobCount.STARTED, 1);
        count(JobCount.COMPLETING, 1);
        boolean back = SlurmJobState.next(over.afterwards()) == SlurmJobState.REQUEUED;
        count(JobCount.REQUEUED, back ? 1 : 0);
      }
      case JobState.Ended ended -> count(JobCount.STARTED, ended.start() == null ? 0 : 1);
    }
  }

  private void pending(JobDetails job, JobState.Pending state, int tasks) {
    boolean held = state.hold() != Hold.NONE;
    count(JobCount.HOLD, held ? tasks : 0);
    ResourceRequest asked = job.spec().resources();
    mostNodes = Math.max(mostNodes, asked.maxNodes());
    leastNodes = Math.max(leastNodes, asked.minNodes());
    overNodeLimit += job.info().reason().equals(NODE_LIMIT) ? tasks : 0;
    if (held) {
      return;
    }
    mostNodesNotHeld = Math.max(mostNodesNotHeld, asked.maxNodes());
    leastNodesNotHeld = Math.max(leastNodesNotHeld, asked.minNodes());
    Instant since = job.eligibleTime();
    if (since != null && !since.isAfter(job.now()) && !state.dependencyFailed()) {
      long seconds = Duration.between(since, job.now()).toSeconds();
      waiting += tasks;
      waitedSeconds += seconds * tasks;
      longestSeconds = Math.max(longestSeconds, seconds);
    }
  }

  /** The counts of both. */
  JobTally plus(JobTally other) {
    JobTally sum = new JobTally();
    counts.forEach(sum::count);
    other.counts.forEach(sum::count);
    sum.waiting = waiting + other.waiting;
    sum.waitedSeconds = waitedSeconds + other.waitedSeconds;
    sum.longestSeconds = Math.max(longestSeconds, other.longestSeconds);
    sum.mostNodes = Math.max(mostNodes, other.mostNodes);
    sum.mostNodesNotHeld = Math.max(mostNodesNotHeld, other.mostNodesNotHeld);
    sum.leastNodes = Math.max(leastNodes, other.leastNodes);
    sum.leastNodesNotHeld = Math.max(leastNodesNotHeld, other.leastNodesNotHeld);
    sum.overNodeLimit = overNodeLimit + other.overNodeLimit;
    return sum;
  }

  long of(JobCount what) {
    return counts.getOrDefault(what, 0L);
  }

  /** Jobs that wait or run, by which it is decided whose counts are told one by one. */
  long open() {
    return of(JobCount.PENDING) + of(JobCount.RUNNING) + of(JobCount.SUSPENDED);
  }

  /** Pending jobs that could start but for resources and order. */
  long waiting() {
    return waiting;
  }

  /** How long these have waited on the mean, seconds; 0 where there are none. */
  double meanWaitSeconds() {
    return waiting == 0 ? 0 : (double) waitedSeconds / waiting;
  }

  /** How long that one of them has waited that waits longest, seconds. */
  long longestWaitSeconds() {
    return longestSeconds;
  }

  /** The most nodes that a pending job may take. */
  long mostNodes() {
    return mostNodes;
  }

  /** The same of jobs that are not held. */
  long mostNodesNotHeld() {
    return mostNodesNotHeld;
  }

  /** The most nodes that a pending job needs at least. */
  long leastNodes() {
    return leastNodes;
  }

  /** The same of jobs that are not held. */
  long leastNodesNotHeld() {
    return leastNodesNotHeld;
  }

  /** Pending jobs that ask for more nodes than the partition gives a job. */
  long overNodeLimit() {
    return overNodeLimit;
  }
}
