package io.dure.rules.queueorder;

import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.history.RunHistory;
import io.dure.model.job.Job;
import java.time.Instant;

/**
 * After what waits starts are reserved for jobs, by the longest backlogs that a cluster has known.
 * One thread.
 */
final class WaitBounds {
  private static final double PERCENT = 100;

  private final PolicySettings settings;
  private final RunHistory runs;
  private final double cpus;
  private final Instant now;

  /**
   * Those at one time.
   *
   * @param cpus how many the cluster has
   */
  WaitBounds(PolicySettings settings, RunHistory runs, double cpus, Instant now) {
    this.settings = settings;
    this.runs = runs;
    this.cpus = cpus;
    this.now = now;
  }

  /**
   * The bound of a job in seconds: a part of the longest backlog that was known when the job came,
   * within bounds.
   */
  long of(Job job) {
    long most = settings.mostBound().toSeconds();
    long least = Math.min(settings.leastBound().toSeconds(), most);
    return (long) Math.clamp(part(runs.backlogOf(job, now)), (double) least, (double) most);
  }

  /**
   * Whether bounds do not follow the backlog any more, since it is longer than the longest of them
   * allows.
   */
  boolean areExceeded() {
    return part(runs.peak(now)) > settings.mostBound().toSeconds();
  }

  /** When the backlog that a job came with has been worked off, in seconds since 1970. */
  long workedOff(Job job) {
    Instant since = job.eligibleTime();
    return (since == null ? now : since).getEpochSecond()
        + (long) (runs.backlogOf(job, now) / cpus);
  }

  /** The part of a backlog that a job may wait, in seconds. */
  private double part(double backlog) {
    return settings.backlogShare() / PERCENT * backlog / cpus;
  }
}
