package io.dure.bench.families;

import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
import io.dure.twin.trace.TraceJobRequest.ProcessorRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Changes of logs whose jobs ask for processors; the log that is given stays as it is. */
final class TraceChange {
  private static final int[] USUAL_MINUTES = {
    5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1080, 1440, 2160, 2880, 4320, 5760, 7200, 10080
  };

  private TraceChange() {}

  /** How users say how long their jobs run. */
  enum Estimates {
    /** To the second. */
    EXACT,
    /** A usual number of minutes above a multiple of the run time. */
    USUAL,
    /** The same, but one user in four always asks for the longest time of the log. */
    CARELESS,
    /** Any multiple from 1 to 10 of the run time. */
    MULTIPLE
  }

  private static ProcessorRequest request(TraceJob job) {
    if (job.demand() instanceof ProcessorRequest asked) {
      return asked;
    }
    throw new IllegalArgumentException("job " + job.name() + " asks for more than processors");
  }

  private static TraceJob with(TraceJob job, Instant submit, int count, Duration limit) {
    return new TraceJob(
        job.name(), submit, job.run(), job.user(), new ProcessorRequest(count, limit));
  }

  private static List<TraceJob> bySubmission(List<TraceJob> jobs) {
    List<TraceJob> sorted = new ArrayList<>(jobs);
    sorted.sort(Comparator.comparing(TraceJob::submit));
    return sorted;
  }

  /** The same jobs in another time: gaps between submissions divided by the load. */
  static List<TraceJob> loaded(List<TraceJob> jobs, double load) {
    Instant first = jobs.getFirst().submit();
    List<TraceJob> changed = new ArrayList<>();
    for (TraceJob job : jobs) {
      double since = Duration.between(first, job.submit()).toSeconds() / load;
      ProcessorRequest asked = request(job);
      changed.add(with(job, first.plusSeconds((long) since), asked.count(), asked.limit()));
    }
    return changed;
  }

  /** Submissions moved to a later time, by up to a minute. */
  static List<TraceJob> moved(List<TraceJob> jobs, long seed) {
    Random random = new Random(seed);
    List<TraceJob> changed = new ArrayList<>();
    jobs.forEach(job -> changed.add(later(job, random)));
    return bySubmission(changed);
  }

  private static TraceJob later(TraceJob job, Random random) {
    ProcessorRequest asked = request(job);
    Instant submit = job.submit().plusSeconds(random.nextInt(61));
    return with(job, submit, asked.count(), asked.limit());
  }

  /** One job in so many left out, submissions moved by up to a minute. */
  static List<TraceJob> shaken(List<TraceJob> jobs, int every, long seed) {
    Random random = new Random(seed);
    List<TraceJob> changed = new ArrayList<>();
    for (TraceJob job : jobs) {
      if (random.nextInt(every) != 0) {
        changed.add(later(job, random));
      }
    }
    return bySubmission(changed);
  }

  /** Each width times a factor, within 1 and the machine. */
  static List<TraceJob> widened(List<TraceJob> jobs, double factor, int processors) {
    List<TraceJob> changed = new ArrayList<>();
    for (TraceJob job : jobs) {
      ProcessorRequest asked = request(job);
      int count = Math.clamp(Math.round(asked.count() * factor), 1, processors);
      changed.add(with(job, job.submit(), count, asked.limit()));
    }
    return changed;
  }

  /** Other limits, none below what the job runs. */
  static List<TraceJob> estimated(List<TraceJob> jobs, Estimates how, long seed) {
    Random random = new Random(seed);
    long longest = 0;
    for (TraceJob job : jobs) {
      longest = Math.max(longest, job.run().toSeconds());
    }
    List<TraceJob> changed = new ArrayList<>();
    for (TraceJob job : jobs) {
      long run = Math.max(1, job.run().toSeconds());
      boolean careless =
          how == Estimates.CARELESS && Math.floorMod(job.user().hashCode(), 4) == seed % 4;
      double multiple = how == Estimates.MULTIPLE ? 9 : -Math.log(1 - random.nextDouble()) * 2;
      double part = how == Estimates.MULTIPLE ? random.nextDouble() : 1;
      long limit =
          how == Estimates.EXACT
              ? run
              : how == Estimates.MULTIPLE
                  ? Math.round(run * (1 + multiple * part))
                  : usual(careless ? longest : Math.round(run * (1 + multiple)));
      limit = Math.max(run, Math.min(limit, usual(longest)));
      changed.add(with(job, job.submit(), request(job).count(), Duration.ofSeconds(limit)));
    }
    return changed;
  }

  private static long usual(long seconds) {
    for (int minutes : USUAL_MINUTES) {
      if (minutes * 60L >= seconds) {
        return minutes * 60L;
      }
    }
    return seconds;
  }

  /** A part of the jobs, by their positions. */
  static List<TraceJob> cut(List<TraceJob> jobs, double from, double to) {
    return List.copyOf(jobs.subList((int) (jobs.size() * from), (int) (jobs.size() * to)));
  }

  /** Two logs on one machine that is as large as both: the second begins with the first. */
  static FamilyTrace joined(FamilyTrace one, FamilyTrace other) {
    Duration shift =
        Duration.between(other.jobs().getFirst().submit(), one.jobs().getFirst().submit());
    List<TraceJob> jobs = new ArrayList<>(one.jobs());
    Instant end = one.jobs().getLast().submit();
    for (TraceJob job : other.jobs()) {
      Instant submit = job.submit().plus(shift);
      if (!submit.isAfter(end)) {
        ProcessorRequest asked = request(job);
        TraceJobRequest same = new ProcessorRequest(asked.count(), asked.limit());
        String user = job.user().isEmpty() ? "" : "2" + job.user();
        jobs.add(new TraceJob("2" + job.name(), submit, job.run(), user, same));
      }
    }
    return new FamilyTrace(
        one.name() + " + " + other.name(),
        one.processors() + other.processors(),
        bySubmission(jobs));
  }
}
