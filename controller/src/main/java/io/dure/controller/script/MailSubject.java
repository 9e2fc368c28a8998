package io.dure.controller.script;

import io.dure.model.ExitStatus;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.print.PlainText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The subject of a mail, which is all it says.
 *
 * @param whole whether it is of an array as a whole
 * @param records all records of the array
 */
record MailSubject(Job job, MailOccasion occasion, boolean whole, List<Job> records) {

  /** One line without control characters. */
  String text() {
    String text = "Slurm " + name() + " " + occasion.word() + details();
    return PlainText.of(text);
  }

  private String name() {
    String named = " Name=" + job.spec().name();
    if (whole) {
      return "Array Summary Job_id=%d_* (%d)".formatted(job.baseId(), job.id()) + named;
    }
    if (job.array() instanceof ArrayPart.Task) {
      return "Array Task Job_id=" + job.displayId() + " (" + job.id() + ")" + named;
    }
    return "Job_id=" + job.id() + named;
  }

  private String details() {
    return switch (occasion.kind()) {
      case BEGIN -> ", Queued time " + elapsed(job.attemptTime(), start());
      case REQUEUE, INVALID_DEPEND -> "";
      case END, FAIL, TIME_LIMIT -> {
        String run = start() == null ? "" : ", Run time " + elapsed(start(), end());
        yield (whole ? "" : run) + ", " + state() + ", ExitCode " + exitCodes();
      }
    };
  }

  private String state() {
    if (!whole) {
      return state(job, occasion);
    }
    TreeSet<String> states = new TreeSet<>();
    records.forEach(one -> states.add(SlurmJobState.base(one.state()).name()));
    return states.size() == 1 ? states.first() : "Mixed";
  }

  /** The state that the occasion brought. */
  static String state(Job job, MailOccasion occasion) {
    JobOutcome outcome = occasion.outcome();
    return outcome == null
        ? SlurmJobState.base(job.state()).name()
        : SlurmJobState.of(outcome).name();
  }

  private String exitCodes() {
    if (!whole) {
      return Integer.toString(exit(job));
    }
    int least = records.stream().mapToInt(MailSubject::exit).min().orElse(0);
    int most = records.stream().mapToInt(MailSubject::exit).max().orElse(0);
    return "[" + least + "-" + most + "]";
  }

  private static int exit(Job job) {
    ExitStatus exit =
        switch (job.state()) {
          case JobState.Completing completing -> completing.outcome().exit();
          case JobState.Ended ended -> ended.outcome().exit();
          case JobState.Pending _, JobState.Running _, JobState.Suspended _ -> ExitStatus.OK;
        };
    return exit.code();
  }

  private @Nullable Instant start() {
    return switch (job.state()) {
      case JobState.Running running -> running.start();
      case JobState.Suspended suspended -> suspended.run().start();
      case JobState.Completing completing -> completing.start();
      case JobState.Ended ended -> ended.start();
      case JobState.Pending _ -> null;
    };
  }

  private @Nullable Instant end() {
    return switch (job.state()) {
      case JobState.Completing completing -> completing.end();
      case JobState.Ended ended -> ended.end();
      case JobState.Running _, JobState.Suspended _, JobState.Pending _ -> null;
    };
  }

  private static String elapsed(@Nullable Instant from, @Nullable Instant to) {
    long seconds = from == null || to == null ? 0 : Duration.between(from, to).toSeconds();
    return ElapsedTimeFormat.full(Math.max(0, seconds));
  }
}
