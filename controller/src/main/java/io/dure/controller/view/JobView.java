package io.dure.controller.view;

import io.dure.cluster.ClusterState;
import io.dure.model.ExitStatus;
import io.dure.model.command.PendingVerdict;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.Dependency;
import io.dure.protocol.JobInfo;
import io.dure.protocol.StartForecastInfo;
import io.dure.rules.limits.ChargeCalculator;
import io.dure.rules.preemption.PreemptionEligibility;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs as they are shown. Any thread. */
public final class JobView {
  private static final Duration ABOUT_NOW = Duration.ofSeconds(30);

  private JobView() {}

  /**
   * A job with what is known of its wait.
   *
   * @param priorities what it shows as its priority
   * @param unlisted partitions that the caller sees only when asking for all
   */
  public static JobInfo info(
      ClusterState state,
      PendingVerdicts verdicts,
      DisplayedPriorities priorities,
      Job job,
      List<String> unlisted) {
    PendingVerdict verdict =
        job.state() instanceof JobState.Pending ? verdicts.byJob().get(job.id()) : null;
    StartForecastInfo forecast = forecast(verdicts, job);
    return new JobInfo(
        job.withWorkload(job.workload().summary())
            .withSpec(job.spec(), priority(state, priorities, job)),
        reason(job, verdict),
        expectedStart(verdict, forecast, verdicts.at()),
        verdict == null ? List.of() : verdict.plannedNodes(),
        evaluated(job, verdict, verdicts),
        switch (job.spec().requeue()) {
          case YES -> true;
          case NO -> false;
          case DEFAULT -> state.settings().jobs().requeue();
        },
        openConditions(job),
        unlisted.containsAll(job.spec().partitions()),
        state.settings().resources().trackedTres(),
        preemptable(state, job),
        forecast,
        ChargeCalculator.asked(state, job));
  }

  /** What was foretold of a job that waits and may start some time; null for nothing. */
  public static @Nullable StartForecastInfo forecast(PendingVerdicts verdicts, Job job) {
    return job.state() instanceof JobState.Pending pending
            && pending.hold() == Hold.NONE
            && !pending.dependencyFailed()
        ? ForecastView.told(job, verdicts.forecasts().get(job.id()))
        : null;
  }

  /**
   * When a job is expected to start. What the plan lets start about now does; else it is the middle
   * of the forecast, where there is one: the plan takes every job to run to its limit.
   */
  private static @Nullable Instant expectedStart(
      @Nullable PendingVerdict verdict, @Nullable StartForecastInfo forecast, Instant at) {
    Instant planned = verdict == null ? null : verdict.expectedStart();
    if (forecast == null || planned != null && !planned.isAfter(at.plus(ABOUT_NOW))) {
      return planned;
    }
    return forecast.p50().isBefore(at) ? at : forecast.p50();
  }

  private static @Nullable Instant preemptable(ClusterState state, Job job) {
    PreemptionEligibility rules = PreemptionEligibility.of(state, (_, _) -> 0);
    Instant start = evaluated(job, null, PendingVerdicts.NONE);
    return rules == null || start == null ? null : rules.eligible(job, start);
  }

  /** What an operator suspended shows none, as in Slurm. */
  private static long priority(ClusterState state, DisplayedPriorities priorities, Job job) {
    return job.state() instanceof JobState.Suspended suspended
            && suspended.cause() == JobState.Suspended.Cause.OPERATOR
        ? 0
        : priorities.of(state, job);
  }

  private static @Nullable Instant evaluated(
      Job job, @Nullable PendingVerdict verdict, PendingVerdicts verdicts) {
    return switch (job.state()) {
      case JobState.Pending _ -> verdict == null ? null : verdicts.at();
      case JobState.Running running -> running.start();
      case JobState.Suspended suspended -> suspended.run().start();
      case JobState.Completing completing -> completing.start();
      case JobState.Ended ended -> ended.start();
    };
  }

  private static String reason(Job job, @Nullable PendingVerdict verdict) {
    return switch (job.state()) {
      case JobState.Pending pending -> {
        String known = pending.reason();
        yield known != null ? known : verdict == null ? "None" : verdict.reason();
      }
      case JobState.Running running -> running.configuring() ? "Prolog" : "None";
      case JobState.Suspended _ -> "None";
      case JobState.Completing completing -> ended(completing.outcome());
      case JobState.Ended ended -> ended.reason() == null ? ended(ended.outcome()) : ended.reason();
    };
  }

  private static String ended(JobOutcome outcome) {
    return switch (outcome) {
      case JobOutcome.Completed _, JobOutcome.Cancelled _, JobOutcome.Preempted _ -> "None";
      case JobOutcome.Failed(ExitStatus(int code, int signal)) ->
          code != 0 ? "NonZeroExitCode" : signal != 0 ? raised(signal) : "None";
      case JobOutcome.LaunchFailed _ -> "JobLaunchFailure";
      case JobOutcome.TimedOut _ -> "TimeLimit";
      case JobOutcome.NodeFailed _ -> "NodeDown";
      case JobOutcome.OutOfMemory _ -> "OutOfMemory";
      case JobOutcome.DeadlineMissed _ -> "DeadLine";
    };
  }

  private static String raised(int signal) {
    return "RaisedSignal:" + signal + "(" + SignalTexts.of(signal) + ")";
  }

  /** Open conditions as {@code scontrol show job} prints them; empty if there are none. */
  private static String openConditions(Job job) {
    if (!(job.state() instanceof JobState.Pending pending)) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    String separator = job.spec().dependency().any() ? "?" : ",";
    for (Dependency condition : pending.waitingFor()) {
      text.append(text.isEmpty() ? "" : separator)
          .append(condition.text())
          .append(pending.dependencyFailed() ? "(failed)" : "(unfulfilled)");
    }
    return text.toString();
  }
}
