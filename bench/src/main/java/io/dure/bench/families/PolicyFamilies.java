package io.dure.bench.families;

import io.dure.twin.trace.SwfReadOptions;
import io.dure.twin.trace.SwfReadOptions.Cleaning;
import io.dure.twin.trace.TraceException;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceOpener;
import io.dure.twin.trace.WorkloadTrace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Logs that are generated, and public ones that are changed: in load, width, estimates, users, cut
 * and joined. The same on every machine. Those of one half may be used to choose parameters, those
 * of the other only to judge them.
 */
final class PolicyFamilies {
  private static final int GENERATED_JOBS = 6000;

  /** Which logs. */
  enum Half {
    /** Parameters are chosen on these. */
    TUNE,
    /** Results are reported of these. */
    REPORT
  }

  private final FamilyTrace kth;
  private final FamilyTrace theta;

  private PolicyFamilies(FamilyTrace kth, FamilyTrace theta) {
    this.kth = kth;
    this.theta = theta;
  }

  /**
   * Reads the public logs.
   *
   * @param traces the directory in which they are
   */
  static PolicyFamilies read(Path traces) throws TraceException {
    return new PolicyFamilies(
        log(traces, "KTH", "KTH-SP2-1996.swf.gz"), log(traces, "Theta", "ANL-Theta-2023.swf.gz"));
  }

  private static FamilyTrace log(Path traces, String name, String file) throws TraceException {
    WorkloadTrace trace =
        TraceOpener.read(traces.resolve(file), new SwfReadOptions(Cleaning.SC15, null));
    Integer processors = trace.processors();
    if (processors == null) {
      throw new TraceException(file, "does not say how many processors it has", "MaxProcs");
    }
    return new FamilyTrace(name, processors, trace.jobs());
  }

  /** The logs of one half. */
  List<FamilyTrace> of(Half half) {
    int odd = half == Half.TUNE ? 0 : 1;
    List<FamilyTrace> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(generated(2 * i + odd));
    }
    for (FamilyTrace log : List.of(kth, theta)) {
      changed(log, odd, all);
    }
    FamilyTrace first = generated(100 + odd);
    all.add(TraceChange.joined(part(kth, odd), first));
    all.add(TraceChange.joined(part(theta, odd), generated(102 + odd)));
    return all;
  }

  /** The generated logs of these numbers, the last among them. */
  static List<FamilyTrace> generated(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(PolicyFamilies::generated).toList();
  }

  /** A generated log: sizes of machines, loads, users and estimates follow from the seed. */
  private static FamilyTrace generated(int seed) {
    int[] machines = {64, 256, 1024, 128, 4096};
    double[] loads = {0.85, 0.6, 0.75, 0.95, 0.4};
    int variant = seed / 2;
    int processors = machines[variant % machines.length];
    double load = loads[(variant + variant / machines.length) % loads.length];
    int users = variant % 2 == 0 ? 0 : 40;
    TraceChange.Estimates[] kinds = TraceChange.Estimates.values();
    TraceChange.Estimates estimates = kinds[variant % kinds.length];
    List<TraceJob> jobs =
        new LublinFeitelsonModel(processors, seed).jobs(GENERATED_JOBS, load, users);
    return new FamilyTrace(
        "Lublin %d, %d processors, load %.2f, %s%s"
            .formatted(seed, processors, load, users == 0 ? "" : "users, ", name(estimates)),
        processors,
        TraceChange.estimated(jobs, estimates, seed));
  }

  private static String name(TraceChange.Estimates estimates) {
    return estimates.name().toLowerCase(Locale.ROOT);
  }

  private static FamilyTrace part(FamilyTrace log, int odd) {
    return new FamilyTrace(
        log.name() + (odd == 0 ? " first half" : " second half"),
        log.processors(),
        TraceChange.cut(log.jobs(), odd * 0.5, odd * 0.5 + 0.5));
  }

  private static void changed(FamilyTrace log, int odd, List<FamilyTrace> all) {
    List<TraceJob> jobs = log.jobs();
    int machine = log.processors();
    double[][] loads = {{0.7, 1.1}, {0.8, 1.05}};
    for (double load : loads[odd]) {
      all.add(
          new FamilyTrace(
              "%s, load times %.2f".formatted(log.name(), load),
              machine,
              TraceChange.loaded(TraceChange.shaken(jobs, 50, odd + 1), load)));
    }
    for (int seed = 0; seed < 2; seed++) {
      int one = 2 * seed + odd;
      all.add(
          new FamilyTrace(
              log.name() + ", shaken " + one, machine, TraceChange.shaken(jobs, 30, 10 + one)));
    }
    double[] factors = {1.3, 0.8};
    all.add(
        new FamilyTrace(
            "%s, widths times %.1f".formatted(log.name(), factors[odd]),
            machine,
            TraceChange.loaded(
                TraceChange.widened(jobs, factors[odd], machine), 1 / factors[odd])));
    TraceChange.Estimates[][] kinds = {
      {TraceChange.Estimates.EXACT, TraceChange.Estimates.CARELESS},
      {TraceChange.Estimates.USUAL, TraceChange.Estimates.MULTIPLE}
    };
    for (TraceChange.Estimates kind : kinds[odd]) {
      all.add(
          new FamilyTrace(
              log.name() + ", estimates " + name(kind),
              machine,
              TraceChange.estimated(TraceChange.cut(jobs, 0.25, 0.75), kind, odd + 1)));
    }
    all.add(part(log, odd));
  }
}
