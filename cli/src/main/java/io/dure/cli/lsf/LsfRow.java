package io.dure.cli.lsf;

import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.lsf.LsfJobName;
import io.dure.surface.print.PlainText;
import java.util.List;

/** A job by the words of LSF. */
record LsfRow(JobDetails details) {
  String id() {
    return Integer.toString(details.job().baseId());
  }

  /** With the index of its task, {@code 12[3]}. */
  String fullId() {
    return details.job().array() instanceof ArrayPart.Task task
        ? id() + "[" + task.index() + "]"
        : id();
  }

  /** The name, with the tasks that it stands for. */
  String name() {
    Job job = details.job();
    String tasks =
        switch (job.array()) {
          case ArrayPart.Task task -> "[" + task.index() + "]";
          case ArrayPart.Waiting waiting -> "[" + waiting.waiting().text() + "]";
          case null -> "";
        };
    return PlainText.of(details.spec().name() + tasks);
  }

  String user() {
    return details.job().owner().userName();
  }

  String queue() {
    return details.partition();
  }

  String state() {
    return switch (details.job().state()) {
      case JobState.Pending pending -> pending.hold() == Hold.NONE ? "PEND" : "PSUSP";
      case JobState.Running _ -> "RUN";
      case JobState.Suspended _ -> "SSUSP";
      case JobState.Completing _ -> "RUN";
      case JobState.Ended(_, _, _, JobOutcome outcome, _, _) ->
          outcome instanceof JobOutcome.Completed ? "DONE" : "EXIT";
    };
  }

  boolean isOver() {
    return details.job().state() instanceof JobState.Ended;
  }

  /** Whether a user means it by a number, {@code 12} or {@code 12[3]}. */
  boolean isNamed(String word) {
    String job = LsfJobName.job(word);
    return id().equals(job)
        || Integer.toString(details.job().id()).equals(job)
        || details.job().displayId().equals(job)
        || holds(job);
  }

  private boolean holds(String job) {
    int underscore = job.indexOf('_');
    return underscore > 0
        && job.substring(0, underscore).equals(id())
        && details.job().array() instanceof ArrayPart.Waiting waiting
        && waiting.waiting().toList().stream()
            .anyMatch(index -> Integer.toString(index).equals(job.substring(underscore + 1)));
  }

  String fromHost() {
    return details.job().workload().submitHost();
  }

  /** Its hosts, {@code 4*n1} where it has several CPUs. */
  List<String> hosts() {
    Allocation held = details.allocation();
    List<NodeShare> shares = held == null ? List.of() : held.shares();
    return shares.stream()
        .map(share -> share.cpus() > 1 ? share.cpus() + "*" + share.node() : share.node())
        .toList();
  }

  /** Its exit code, with 128 and the signal that ended it; empty before its end. */
  String exitCode() {
    JobOutcome outcome = details.outcome();
    if (outcome == null) {
      return "";
    }
    int signal = outcome.exit().signal();
    return Integer.toString(signal == 0 ? outcome.exit().code() : signal + 128);
  }
}
