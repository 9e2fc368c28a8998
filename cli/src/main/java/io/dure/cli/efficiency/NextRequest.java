package io.dure.cli.efficiency;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.JobOutcome;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a job had better ask for the next time, from what an attempt of it used. The margins are in
 * docs/efficiency.md.
 *
 * @param advice what to ask for, empty where all was as it should be
 * @param spec the whole request with all of that, asked for now: without times to wait for,
 *     dependencies and the other tasks of its array
 */
record NextRequest(List<Advice> advice, JobSpec spec) {
  /** An attempt that ran for less says nothing of the next. */
  static final long LEAST_SECONDS = 60;

  private static final double CPUS_WELL_USED = 0.75;
  private static final double CPUS_MEANT_BUSY = 0.8;
  private static final double MEMORY_MARGIN = 1.2;
  private static final double MORE = 1.5;
  private static final double TIME_MARGIN = 1.25;
  private static final long MEMORY_STEP = 64;
  private static final long TIME_STEP = 5;
  private static final double A_GPU = 100;

  NextRequest {
    advice = List.copyOf(advice);
  }

  /** The request as it was, asked for now. */
  static JobSpec again(RunUse run) {
    return run.job().spec().unconditional().with().deadline(null).arrayTasks(null).build();
  }

  /** From one attempt. */
  static NextRequest of(RunUse run) {
    List<Advice> advice = new ArrayList<>();
    JobSpec asked = again(run);
    if (run.seconds() < LEAST_SECONDS || !run.over()) {
      return new NextRequest(advice, asked);
    }
    ResourceRequest resources = cpus(run, asked.resources(), advice);
    resources = gpus(run, resources, advice);
    resources = memory(run, resources, advice);
    TimeLimit limit = time(run, asked.timeLimit(), advice);
    return new NextRequest(advice, asked.with().resources(resources).timeLimit(limit).build());
  }

  private static ResourceRequest cpus(RunUse run, ResourceRequest asked, List<Advice> advice) {
    GresRequest gres = asked.gres();
    boolean byGpu = gres != null && gres.cpusPerGpu() != null;
    double busy = run.busyCpus();
    if (run.cpuMicros() == null
        || asked.sharing() == OversubscribeMode.EXCLUSIVE
        || byGpu
        || busy >= CPUS_WELL_USED * run.cpus()) {
      return asked;
    }
    int need = (int) Math.max(1, Math.ceil(busy / CPUS_MEANT_BUSY));
    String why =
        String.format(Locale.ROOT, "%.1f of %d CPUs were busy in the mean", busy, run.cpus());
    int each = Math.max(1, Math.ceilDiv(need, asked.tasks()));
    if (each < asked.cpusPerTask()) {
      advice.add(new Advice(Advice.Kind.CPUS, "--cpus-per-task=", each, why));
      return asked.with().cpusPerTask(each).build();
    }
    if (asked.cpusPerTask() == 1 && need < asked.tasks()) {
      advice.add(new Advice(Advice.Kind.CPUS, "--ntasks=", need, why));
      int least = Math.min(asked.minNodes(), need);
      return asked.with().tasks(need).minNodes(least).build();
    }
    return asked;
  }

  private static ResourceRequest gpus(RunUse run, ResourceRequest asked, List<Advice> advice) {
    Long percent = run.gpuPercent();
    GresRequest gres = asked.gres();
    if (percent == null || run.gpus() == 0 || gres == null) {
      return asked;
    }
    Long bytes = run.gpuBytes();
    boolean none = percent == 0 && (bytes == null || bytes == 0);
    long need = none ? 0 : Math.clamp((long) Math.ceil(percent / A_GPU), 1, run.gpus());
    if (need >= run.gpus()) {
      return asked;
    }
    String why =
        none
            ? "no GPU was used"
            : "GPUs were at most " + percent + " % of " + 100 * run.gpus() + " % busy";
    if (gres.all().size() == 1 && need == 0) {
      advice.add(new Advice(Advice.Kind.GPUS, option(gres), 0, why));
      return asked.with().gres(null).build();
    }
    boolean ofJob = gres.perJob().size() == 1 && gres.all().size() == 1;
    boolean ofNode = gres.perNode().size() == 1 && gres.all().size() == 1 && asked.maxNodes() == 1;
    if (!ofJob && !ofNode) {
      return asked;
    }
    advice.add(new Advice(Advice.Kind.GPUS, option(gres), need, why));
    List<GresCount> fewer = fewer(ofJob ? gres.perJob() : gres.perNode(), need);
    GresRequest next =
        ofJob ? gres.with().perJob(fewer).build() : gres.with().perNode(fewer).build();
    return asked.with().gres(next).build();
  }

  private static List<GresCount> fewer(List<GresCount> one, long count) {
    return List.of(new GresCount(one.getFirst().name(), one.getFirst().type(), count));
  }

  private static String option(GresRequest gres) {
    GresCount one = gres.all().getFirst();
    String type = one.type() == null ? "" : one.type() + ":";
    if (!gres.perJob().isEmpty()) {
      return "--gpus=" + type;
    }
    return gres.perNode().isEmpty() ? "GPUs" : "--gres=" + one.name() + ":" + type;
  }

  private static ResourceRequest memory(RunUse run, ResourceRequest asked, List<Advice> advice) {
    boolean outOfMemory = run.outcome() instanceof JobOutcome.OutOfMemory;
    long peak = run.peakMib();
    if (run.memoryMib() == 0 || !outOfMemory && peak == 0) {
      return asked;
    }
    double factor = outOfMemory ? MORE : MEMORY_MARGIN;
    long all = outOfMemory ? run.memoryMib() : peak;
    long ofNode = outOfMemory ? run.memoryMib() / run.nodes() : run.peakMibOfNode();
    MemoryRequest next =
        switch (asked.memory()) {
          case MemoryRequest.PerCpu _ ->
              new MemoryRequest.PerCpu(stepped(factor * all / asked.neededCpus(), MEMORY_STEP));
          case MemoryRequest.PerGpu _ when asked.totalGpus() > 0 ->
              new MemoryRequest.PerGpu(stepped(factor * all / asked.totalGpus(), MEMORY_STEP));
          case MemoryRequest.PerGpu _, MemoryRequest.PerNode _, MemoryRequest.Default _ ->
              new MemoryRequest.PerNode(stepped(factor * ofNode, MEMORY_STEP));
        };
    ResourceRequest changed = asked.with().memory(next).build();
    boolean less = changed.memoryMib() < run.memoryMib();
    // Memory that comes with each CPU or GPU has to grow where these become fewer.
    boolean tooFew = asked.memoryMib() > 0 && asked.memoryMib() < all;
    if (!outOfMemory && !less && !tooFew) {
      return asked;
    }
    String why =
        outOfMemory
            ? "it was stopped for want of memory; how much it needs is not known"
            : peak + " of " + run.memoryMib() + " MiB were used at most";
    advice.add(
        switch (next) {
          case MemoryRequest.PerCpu(long mib) -> memory("--mem-per-cpu=", mib, why);
          case MemoryRequest.PerGpu(long mib) -> memory("--mem-per-gpu=", mib, why);
          case MemoryRequest.PerNode(long mib) -> memory("--mem=", mib, why);
          case MemoryRequest.Default _ -> throw new IllegalStateException("no amount");
        });
    return changed;
  }

  private static Advice memory(String option, long mib, String why) {
    return new Advice(Advice.Kind.MEMORY, option, mib, why);
  }

  private static TimeLimit time(RunUse run, TimeLimit asked, List<Advice> advice) {
    Duration limit = run.limit();
    JobOutcome outcome = run.outcome();
    if (outcome instanceof JobOutcome.TimedOut && limit != null) {
      long more = stepped(MORE * limit.toMinutes(), TIME_STEP);
      return time(more, "its limit stopped it; how long it needs is not known", advice);
    }
    if (!(outcome instanceof JobOutcome.Completed)) {
      return asked;
    }
    long minutes = stepped(TIME_MARGIN * run.seconds() / 60, TIME_STEP);
    if (limit != null && minutes >= limit.toMinutes()) {
      return asked;
    }
    String of = limit == null ? "no limit" : "a limit of " + limit.toMinutes() + " minutes";
    String why = "it ran for " + Math.ceilDiv(run.seconds(), 60L) + " minutes, with " + of;
    return time(minutes, why, advice);
  }

  private static TimeLimit time(long minutes, String why, List<Advice> advice) {
    advice.add(new Advice(Advice.Kind.TIME, "--time=", minutes, why));
    return TimeLimit.minutes(minutes);
  }

  private static long stepped(double amount, long step) {
    return Math.max(step, (long) Math.ceil(amount / step) * step);
  }

  /** The advice of a kind, null for none. */
  @Nullable Advice of(Advice.Kind kind) {
    for (Advice one : advice) {
      if (one.kind() == kind) {
        return one;
      }
    }
    return null;
  }
}
