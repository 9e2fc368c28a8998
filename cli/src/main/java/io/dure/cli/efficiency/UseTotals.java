package io.dure.cli.efficiency;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What attempts of jobs held together, and what they used of it. Amounts are by seconds. For one
 * thread.
 */
public final class UseTotals {
  private static final double MICROS = 1e6;
  private static final double PERCENT = 100;

  private final Map<Advice.Kind, Advice> advice = new EnumMap<>(Advice.Kind.class);
  private final Map<Advice.Kind, Integer> advised = new EnumMap<>(Advice.Kind.class);
  private long runs;
  private long unknown;
  private long cpuSeconds;
  private long knownCpuSeconds;
  private double busy;
  private double memoryHeld;
  private double memoryUsed;
  private long gpuSeconds;
  private double gpuHeld;
  private double gpuUsed;
  private double limitSeconds;
  private double limitUsed;
  private int judged;
  private @Nullable RunUse example;

  /** With an attempt more; one that held nothing counts as an attempt alone. */
  public void add(RunUse run) {
    runs++;
    if (!run.ran()) {
      return;
    }
    cpuSeconds += run.cpuSeconds();
    gpuSeconds += run.gpus() * run.seconds();
    if (run.cpuMicros() == null) {
      unknown++;
    } else {
      knownCpuSeconds += run.cpuSeconds();
      busy += run.cpuMicros() / MICROS;
    }
    if (run.peakBytes() != null && run.memoryMib() > 0) {
      memoryHeld += (double) run.memoryMib() * run.seconds();
      memoryUsed += (double) run.peakMib() * run.seconds();
    }
    if (run.gpuPercent() != null && run.gpus() > 0) {
      gpuHeld += (double) run.gpus() * run.seconds();
      gpuUsed += run.gpuPercent() / PERCENT * run.seconds();
    }
    Duration limit = run.limit();
    if (run.over() && limit != null && !limit.isZero()) {
      limitSeconds += limit.toSeconds();
      limitUsed += run.seconds();
    }
    if (run.over() && run.seconds() >= NextRequest.LEAST_SECONDS) {
      judged++;
      List<Advice> own = NextRequest.of(run).advice();
      own.forEach(this::add);
      if (!own.isEmpty()) {
        example = run;
      }
    }
  }

  private void add(Advice one) {
    advised.merge(one.kind(), 1, Integer::sum);
    Advice before = advice.get(one.kind());
    if (before == null || before.option().equals(one.option()) && before.value() < one.value()) {
      advice.put(one.kind(), one);
    } else if (!before.option().equals(one.option())) {
      // They asked in different ways, so no one answer suits them.
      advised.put(one.kind(), Integer.MIN_VALUE);
    }
  }

  /** What suits all of them: the largest of what suits each, where each could do with less. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Advice.Kind, Advice> one : advice.entrySet()) {
      if (advised.getOrDefault(one.getKey(), 0) == judged) {
        text.append(text.isEmpty() ? "" : " ").append(one.getValue().text());
      }
    }
    return text.toString();
  }

  /** The last attempt that could do with another request, null for none. */
  @Nullable RunUse example() {
    return example;
  }

  /** How many attempts. */
  public long runs() {
    return runs;
  }

  /** Of how many that ran no use is known. */
  long unknown() {
    return unknown;
  }

  /** CPUs by seconds. */
  long cpuSeconds() {
    return cpuSeconds;
  }

  /** GPUs by seconds. */
  long gpuSeconds() {
    return gpuSeconds;
  }

  /** CPUs by seconds that were held and not busy, of those whose use is known. */
  long idleCpuSeconds() {
    return Math.max(0, Math.round((double) knownCpuSeconds - busy));
  }

  /** Processor time over what was held, null where none is known. */
  public @Nullable Double cpus() {
    return part(busy, (double) knownCpuSeconds);
  }

  /** The peak of memory over what was held. */
  public @Nullable Double memory() {
    return part(memoryUsed, memoryHeld);
  }

  /** The peak of busy GPUs over what was held. */
  public @Nullable Double gpus() {
    return part(gpuUsed, gpuHeld);
  }

  /** Run times over limits. */
  @Nullable Double time() {
    return part(limitUsed, limitSeconds);
  }

  private static @Nullable Double part(double used, double held) {
    return held == 0 ? null : Double.valueOf(used / held);
  }
}
