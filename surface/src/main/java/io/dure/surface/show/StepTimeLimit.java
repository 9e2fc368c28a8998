package io.dure.surface.show;

import io.dure.model.step.LaunchedStep;
import io.dure.surface.print.ElapsedTimeFormat;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The time limit of a step, as it is printed. */
public final class StepTimeLimit {
  private StepTimeLimit() {}

  /** For a listing. */
  public static String compact(@Nullable LaunchedStep step) {
    Long seconds = seconds(step);
    return seconds == null ? ElapsedTimeFormat.UNLIMITED : ElapsedTimeFormat.compact(seconds);
  }

  /** For a record. */
  static String full(@Nullable LaunchedStep step) {
    Long seconds = seconds(step);
    return seconds == null ? ElapsedTimeFormat.UNLIMITED : ElapsedTimeFormat.full(seconds);
  }

  private static @Nullable Long seconds(@Nullable LaunchedStep step) {
    Instant end = step == null ? null : step.end();
    return step == null || end == null ? null : Duration.between(step.start(), end).toSeconds();
  }
}
