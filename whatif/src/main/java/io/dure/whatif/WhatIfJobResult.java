package io.dure.whatif;

import io.dure.model.history.RecordedRun;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.request.JobSpec;
import io.dure.model.request.TimeLimit;
import io.dure.twin.result.JobResult;
import io.dure.twin.result.TraceJobOutcome;
import io.dure.twin.trace.TraceJobRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a job in the time that is looked at; seconds since 1970.
 *
 * @param who the job and whose it is
 * @param submit when it came, or wanted to begin
 * @param start when it started at last, null if it did not
 * @param end when it ended, null if it did not
 * @param run how long it runs
 * @param held what it held
 * @param refused why it was sent away, null if it was not
 * @param waitsFor what it waits for at last, null if it does not
 * @param pauses when it stood still
 */
record WhatIfJobResult(
    JobOwnerFacts who,
    long submit,
    @Nullable Long start,
    @Nullable Long end,
    double run,
    Held held,
    @Nullable String refused,
    @Nullable String waitsFor,
    List<JobResult.Pause> pauses) {
  private static final double SHORTEST = 10;

  WhatIfJobResult {
    pauses = List.copyOf(pauses);
  }

  /**
   * A job and whose it is.
   *
   * @param name what the trace calls it
   * @param account whom it is charged to, empty for nobody
   * @param nodes nodes that it asks for
   * @param cpus CPUs that it asks for
   * @param gpus GPUs that it asks for
   */
  record JobOwnerFacts(
      String name, String user, String account, String qos, int nodes, int cpus, long gpus) {}

  /** What a job holds while it runs. */
  record Held(int cpus, long gpus) {}

  static WhatIfJobResult of(JobResult result) {
    JobSpec spec = spec(result);
    long submit = result.job().submit().getEpochSecond();
    if (spec != null && spec.beginTime() != null) {
      submit = Math.max(submit, spec.beginTime().getEpochSecond());
    }
    Instant start = null;
    Instant end = null;
    String refused = null;
    String waitsFor = null;
    switch (result.ending()) {
      case TraceJobOutcome.Finished(Instant from, Instant to) -> {
        start = from;
        end = to;
      }
      case TraceJobOutcome.TimedOut(Instant from, Instant to) -> {
        start = from;
        end = to;
      }
      case TraceJobOutcome.NodeFailed(Instant from, Instant to) -> {
        start = from;
        end = to;
      }
      case TraceJobOutcome.Preempted(Instant from, Instant to) -> {
        start = from;
        end = to;
      }
      case TraceJobOutcome.Running(Instant from) -> start = from;
      case TraceJobOutcome.Refused(String why) -> refused = why;
      case TraceJobOutcome.NeverStarted(String reason) -> waitsFor = reason;
    }
    return new WhatIfJobResult(
        who(result, spec),
        submit,
        start == null ? null : start.getEpochSecond(),
        end == null ? null : end.getEpochSecond(),
        (double) Math.min(result.job().run().toSeconds(), limit(spec)),
        new Held(result.cpus(), result.gpus()),
        refused,
        waitsFor,
        result.pauses());
  }

  private static long limit(@Nullable JobSpec spec) {
    return spec != null && spec.timeLimit() instanceof TimeLimit.Limited(var limit)
        ? limit.toSeconds()
        : Long.MAX_VALUE;
  }

  private static @Nullable JobSpec spec(JobResult result) {
    if (result.taken() != null) {
      return result.taken();
    }
    return result.job().demand() instanceof TraceJobRequest.SbatchRequest(JobSpec spec)
        ? spec
        : null;
  }

  private static JobOwnerFacts who(JobResult result, @Nullable JobSpec spec) {
    String name = result.job().name();
    String user = result.job().user();
    if (spec == null) {
      int count =
          result.job().demand() instanceof TraceJobRequest.ProcessorRequest(int processors, _)
              ? processors
              : 0;
      return new JobOwnerFacts(name, user, "", "", 1, count, 0);
    }
    String account = spec.account() == null ? "" : spec.account();
    String qos = spec.qos() == null ? "" : spec.qos();
    long gpus = SimilarRunKey.of(spec, RecordedRun.UNLIMITED).gpus();
    return new JobOwnerFacts(
        name,
        user,
        account,
        qos,
        Math.max(1, spec.resources().minNodes()),
        spec.resources().totalCpus(),
        gpus);
  }

  /** Whether it started by then. */
  boolean startedBy(long second) {
    return start != null && start < second;
  }

  /** How long it waited, or had waited by then. */
  double waited(long second) {
    long until = start != null && start < second ? start : second;
    return (double) Math.max(0, until - submit);
  }

  /** How much longer it takes than if it did not wait; runs of less than 10 s count as 10. */
  double slowdown(long second) {
    double time = Math.max(run, SHORTEST);
    return Math.max(1, (waited(second) + run) / time);
  }

  /** For how many seconds between two it held what it held. */
  double heldWithin(long from, long to) {
    if (start == null) {
      return 0;
    }
    long last = end == null ? to : Math.min(to, end);
    long sum = Math.max(0, last - Math.max(from, start));
    for (JobResult.Pause pause : pauses) {
      sum -= Math.max(0, Math.min(last, pause.to()) - Math.max(from, pause.from()));
    }
    return (double) Math.max(0, sum);
  }
}
