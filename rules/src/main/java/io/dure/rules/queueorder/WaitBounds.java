package io.dure.rules.queueorder;

import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.history.RunHistory;
import io.dure.model.history.WorkBacklog;
import io.dure.model.job.Job;
import java.time.Instant;

/**
 * How long jobs wait at most before starts are reserved for them, by the longest backlogs that a
 * cluster has known. One thread.
 */
final class WaitBounds {
  private static final double PERCENT = 100;

  /** The backlog of the moment is at least that part of an overload, or the overload is over. */
  private static final double STILL = 0.25;

  /** A backlog that was known counts at most so many times what waits now. */
  private static final double MOST_TIMES = 2;

  /** With what power of the width a bound becomes shorter. */
  private static final double WIDER = 1.5;

  private final PolicySettings settings;
  private final RunHistory runs;
  private final JobWidths widths;
  private final Instant now;

  /**
   * Those at one time.
   *
   * @param widths how much of the cluster jobs ask for
   */
  WaitBounds(PolicySettings settings, RunHistory runs, JobWidths widths, Instant now) {
    this.settings = settings;
    this.runs = runs;
    this.widths = widths;
    this.now = now;
  }

  /**
   * The bound of a job in seconds: a part of the longest backlog that was known when the job came,
   * within bounds, and the less of it the wider the job is.
   */
  long of(Job job) {
    double most = (double) settings.mostBound().toSeconds();
    double least = Math.min((double) settings.leastBound().toSeconds(), most);
    double bound = Math.min(share(job), most);
    return (long) Math.max(bound * (1 - earlier(job)), least);
  }

  /**
   * What part of its bound earlier a job crosses it. Nodes have to be collected for a wide job from
   * then on, as others end, and for wider ones out of proportion longer.
   */
  private double earlier(Job job) {
    return settings.wideEarlier() / PERCENT * Math.pow(widths.part(job), WIDER);
  }

  /**
   * Whether bounds do not follow the backlog any more, since the longest one that is known is
   * longer than the longest bound allows, and a good part of it still waits.
   */
  boolean areExceeded() {
    return isExceeded(runs.cpus(), widths.cpus())
        || widths.gpus() > 0 && isExceeded(runs.gpus(), widths.gpus());
  }

  private boolean isExceeded(WorkBacklog backlog, double units) {
    double most = (double) settings.mostBound().toSeconds();
    return share() * backlog.peak(now) / units > most
        && share() * backlog.expected() / units > STILL * most;
  }

  /**
   * When the backlog that was known when a job came has been worked off, in seconds since 1970. It
   * may have gone in other ways since: what waits now bounds it.
   */
  long workedOff(Job job) {
    Instant since = job.eligibleTime();
    double seconds = stillKnown(runs.cpus(), job) / widths.cpus();
    if (asksForGpus(job)) {
      seconds = Math.max(seconds, stillKnown(runs.gpus(), job) / widths.gpus());
    }
    return (since == null ? now : since).getEpochSecond() + (long) seconds;
  }

  private double stillKnown(WorkBacklog backlog, Job job) {
    return Math.min(backlog.backlogOf(job.id(), now), MOST_TIMES * backlog.expected());
  }

  /** The part of the backlog of CPUs, or of GPUs where it asks for some, that a job may wait. */
  private double share(Job job) {
    double seconds = runs.cpus().backlogOf(job.id(), now) / widths.cpus();
    if (asksForGpus(job)) {
      seconds = Math.max(seconds, runs.gpus().backlogOf(job.id(), now) / widths.gpus());
    }
    return share() * seconds;
  }

  private boolean asksForGpus(Job job) {
    return widths.gpus() > 0 && job.spec().resources().totalGpus() > 0;
  }

  private double share() {
    return settings.backlogShare() / PERCENT;
  }
}
