package io.dure.rest.metrics;

import io.dure.model.job.Allocation;
import io.dure.model.job.JobState;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Response;
import io.dure.surface.facts.JobDetails;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts of all jobs of one state of the cluster. Not thread-safe while it counts; nothing changes
 * afterwards.
 */
final class JobCensus {
  private static final JobTally NONE = new JobTally();

  private final JobTally all = new JobTally();
  private final Map<String, JobTally> partitions = new TreeMap<>();
  private final Map<String, JobTally> users = new TreeMap<>();
  private final Map<String, JobTally> accounts = new TreeMap<>();
  private final Map<String, Long> reasons = new TreeMap<>();

  /** Counts a part of the list of jobs. */
  void add(Response.Jobs part) {
    for (JobInfo info : part.jobs()) {
      add(new JobDetails(info, part.now()));
    }
  }

  private void add(JobDetails job) {
    all.add(job);
    // A job that waits is one of each partition in which it may start.
    Allocation held = job.allocation();
    List<String> places = held == null ? job.spec().partitions() : List.of(held.partition());
    places.forEach(place -> tally(partitions, place).add(job));
    tally(users, job.job().owner().userName()).add(job);
    String account = job.spec().account();
    if (account != null && !account.isEmpty()) {
      tally(accounts, account).add(job);
    }
    if (job.job().state() instanceof JobState.Pending) {
      reasons.merge(word(job.info().reason()), (long) JobTally.tasks(job), Long::sum);
    }
  }

  private static JobTally tally(Map<String, JobTally> all, String name) {
    return all.computeIfAbsent(name, _ -> new JobTally());
  }

  /** A reason without the names of nodes and the like that some have behind it. */
  private static String word(String reason) {
    int end = 0;
    while (end < reason.length() && ",:(".indexOf(reason.charAt(end)) < 0) {
      end++;
    }
    return reason.substring(0, end).strip();
  }

  /** All jobs. */
  JobTally all() {
    return all;
  }

  /** Those that run or ran in a partition, or may start there. */
  JobTally ofPartition(String name) {
    return partitions.getOrDefault(name, NONE);
  }

  /** By their owners. */
  Map<String, JobTally> users() {
    return users;
  }

  /** By their accounts. */
  Map<String, JobTally> accounts() {
    return accounts;
  }

  /** Pending jobs by what they wait for. */
  Map<String, Long> reasons() {
    return reasons;
  }
}
