package io.dure.surface.squeue;

import io.dure.model.step.LaunchedStep;
import io.dure.model.step.Step;
import io.dure.surface.facts.JobDetails;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of a job as a row of the step listing.
 *
 * @param job its job
 * @param step which one
 * @param launched what it is if {@code srun} began it, null else
 */
public record StepRow(JobDetails job, Step step, @Nullable LaunchedStep launched) {

  /** The steps of a job, by their numbers and those with names last. */
  public static List<StepRow> of(JobDetails job) {
    List<StepRow> rows = new ArrayList<>();
    for (Step step : job.job().steps()) {
      rows.add(new StepRow(job, step, job.job().runSteps().step(step.name().number())));
    }
    rows.sort((one, other) -> Integer.compareUnsigned(one.number(), other.number()));
    return rows;
  }

  private int number() {
    return step.name().number();
  }

  /** Its name: of a numbered step the one that it was given. */
  public String name() {
    return launched == null ? step.name().text() : launched.spec().name();
  }

  /** How many CPUs it has. */
  public int cpus() {
    if (launched == null) {
      return job.cpus();
    }
    return launched.shares().stream().mapToInt(share -> share.cpus()).sum();
  }

  /** When it began, null where that is not known. */
  public @Nullable Instant start() {
    return launched == null ? job.start() : launched.start();
  }

  /** For how long it has run, in seconds. */
  public long elapsedSeconds() {
    return launched == null
        ? job.elapsedSeconds()
        : Math.max(0, Duration.between(launched.start(), job.now()).toSeconds());
  }
}
