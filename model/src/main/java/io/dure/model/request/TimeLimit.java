package io.dure.model.request;

import java.time.Duration;

/** How long a job may run: a number of minutes, no bound, or what the partition says. */
public sealed interface TimeLimit {

  /** A bound; Slurm counts whole minutes, so the duration is a multiple of one minute. */
  record Limited(Duration duration) implements TimeLimit {
    static final String TAG = "Limited";
  }

  /** No bound at all ({@code UNLIMITED}, {@code INFINITE}). */
  record Unlimited() implements TimeLimit {
    static final String TAG = "Unlimited";
  }

  /** The user named none: the partition's DefaultTime, else its MaxTime, holds. */
  record PartitionDefault() implements TimeLimit {
    static final String TAG = "PartitionDefault";
  }

  /** A limit of {@code minutes} minutes. */
  static TimeLimit minutes(long minutes) {
    return new Limited(Duration.ofMinutes(minutes));
  }
}
