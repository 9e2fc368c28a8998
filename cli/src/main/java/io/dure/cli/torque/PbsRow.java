package io.dure.cli.torque;

import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.print.PlainText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A job by the words of PBS. */
record PbsRow(JobDetails details) {
  private static final long MIB_A_GIB = 1024;

  /** {@code 12}, {@code 12[3]} for a task, {@code 12[]} for those that wait. */
  String id() {
    Job job = details.job();
    return switch (job.array()) {
      case ArrayPart.Task task -> task.arrayJobId() + "[" + task.index() + "]";
      case ArrayPart.Waiting waiting -> waiting.arrayJobId() + "[]";
      case null -> Integer.toString(job.id());
    };
  }

  String name() {
    return PlainText.of(details.spec().name());
  }

  String owner() {
    return details.job().owner().userName();
  }

  String queue() {
    return details.partition();
  }

  /** The letter of its state. */
  char state() {
    if (details.flag() == SlurmJobState.COMPLETING) {
      return 'E';
    }
    return switch (details.job().state()) {
      case JobState.Pending pending -> waiting(pending);
      case JobState.Running _ -> 'R';
      case JobState.Suspended _ -> 'S';
      case JobState.Completing _ -> 'E';
      case JobState.Ended _ -> 'C';
    };
  }

  private char waiting(JobState.Pending pending) {
    if (pending.hold() != Hold.NONE || details.info().reason().startsWith("Dependency")) {
      return 'H';
    }
    return details.start() != null && details.info().reason().equals("BeginTime") ? 'W' : 'Q';
  }

  boolean isDone() {
    return state() == 'C';
  }

  /** How long it has run, {@code 27:05:00}. */
  String elapsed() {
    return clock(details.elapsedSeconds());
  }

  /** The limit of that, empty for none. */
  String limit() {
    Duration limit = details.limit();
    return limit == null ? "" : clock(limit.toSeconds());
  }

  static String clock(long seconds) {
    return String.format(
        Locale.ROOT, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  /** A time without its seconds. */
  static String minutes(String clock) {
    return clock.isEmpty() ? "--" : clock.substring(0, clock.lastIndexOf(':'));
  }

  /** The memory of all its nodes, {@code 4gb} or {@code 100mb}; empty for none that is named. */
  String memory() {
    long mib = details.memoryMib();
    if (mib == 0) {
      return "";
    }
    return mib % MIB_A_GIB == 0 ? mib / MIB_A_GIB + "gb" : mib + "mb";
  }

  /** Where it runs, {@code n1/0*4+n2/0*4}; empty where it does not. */
  String hosts() {
    Allocation held = details.allocation();
    List<NodeShare> shares = held == null ? List.of() : held.shares();
    return shares.stream()
        .map(share -> share.node() + "/0" + (share.cpus() > 1 ? "*" + share.cpus() : ""))
        .collect(Collectors.joining("+"));
  }
}
