package io.dure.bench.families;

import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Batch jobs of a rigid parallel machine, after U. Lublin and D. Feitelson, "The workload on
 * parallel supercomputers: modeling the characteristics of rigid jobs" (2003), with the constants
 * published there for batch jobs: sizes, run times that depend on them, and the daily cycle of
 * arrivals. Gaps between arrivals are scaled so that a part of the machine is asked for. Users are
 * added: who comes again often asks for what was asked for before. Used once; one thread.
 */
final class LublinFeitelsonModel {
  private static final double SERIAL = 0.2927;
  private static final double POWER_OF_TWO = 0.6686;
  private static final double LEAST_LOG_SIZE = 1.2;
  private static final double MIDDLE_BELOW_MOST = 2.5;
  private static final double SMALLER = 0.875;
  private static final double SHORT_SHAPE = 6.57;
  private static final double SHORT_SCALE = 0.823;
  private static final double LONG_SHAPE = 639.1;
  private static final double LONG_SCALE = 0.0156;
  private static final double SHORT_BY_SIZE = -0.003;
  private static final double SHORT_AT_NO_SIZE = 0.6986;
  private static final double GAP_SHAPE = 6.0415;
  private static final double GAP_SCALE = 0.8531;
  private static final double CYCLE_SHAPE = 6.1271;
  private static final double CYCLE_SCALE = 5.2740;

  /** Half hours of a day, and the one in which the cycle begins. */
  private static final int SLOTS = 48;

  private static final int FIRST_SLOT = 11;
  private static final int SLOT_SECONDS = 1800;
  private static final long LONGEST_RUN = Duration.ofDays(3).toSeconds();
  private static final Instant START = Instant.ofEpochSecond(1_000_000_000);

  private final Random random;
  private final int processors;

  LublinFeitelsonModel(int processors, long seed) {
    this.processors = processors;
    random = new Random(seed);
  }

  private record Shape(int size, double logRun) {}

  /**
   * Jobs that together ask for a part of the machine.
   *
   * @param count jobs
   * @param load the part, 0 to 1
   * @param users 0 for jobs of nobody
   */
  List<TraceJob> jobs(int count, double load, int users) {
    List<Shape> last = new ArrayList<>();
    for (int user = 0; user < users; user++) {
      last.add(shape());
    }
    List<Shape> shapes = new ArrayList<>();
    int[] owners = new int[count];
    double work = 0;
    for (int i = 0; i < count; i++) {
      owners[i] = users == 0 ? 0 : (int) (users * Math.pow(random.nextDouble(), 2));
      Shape shape = shape();
      if (users > 0) {
        if (random.nextDouble() < 0.7) {
          Shape before = last.get(owners[i]);
          shape = new Shape(before.size, before.logRun + random.nextGaussian() * 0.5);
        }
        last.set(owners[i], shape);
      }
      shapes.add(shape);
      work += (double) shape.size * seconds(shape);
    }
    double[] arrivals = arrivals(count);
    double scale = work / (load * processors) / arrivals[count - 1];
    List<TraceJob> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Duration run = Duration.ofSeconds(seconds(shapes.get(i)));
      jobs.add(
          new TraceJob(
              Integer.toString(i + 1),
              START.plusSeconds(Math.round(cyclic(arrivals[i] * scale))),
              run,
              users == 0 ? "" : Integer.toString(owners[i] + 1),
              new TraceJobRequest.ProcessorRequest(shapes.get(i).size, run)));
    }
    return jobs;
  }

  private static long seconds(Shape shape) {
    return Math.clamp(Math.round(Math.exp(shape.logRun)), 1, LONGEST_RUN);
  }

  private Shape shape() {
    int size = 1;
    if (random.nextDouble() >= SERIAL) {
      double most = Math.log(processors) / Math.log(2);
      double middle = Math.max(LEAST_LOG_SIZE, most - MIDDLE_BELOW_MOST);
      boolean smaller = random.nextDouble() < SMALLER;
      double low = smaller ? LEAST_LOG_SIZE : middle;
      double high = smaller ? middle : most;
      double log = low + random.nextDouble() * (high - low);
      log = random.nextDouble() < POWER_OF_TWO ? Math.rint(log) : log;
      size = Math.clamp(Math.round(Math.pow(2, log)), 1, processors);
    }
    double isShort = Math.clamp(SHORT_BY_SIZE * size + SHORT_AT_NO_SIZE, 0, 1);
    return new Shape(
        size,
        random.nextDouble() < isShort
            ? gamma(SHORT_SHAPE, SHORT_SCALE)
            : gamma(LONG_SHAPE, LONG_SCALE));
  }

  /** When jobs come on a clock that runs faster at busy times of the day. */
  private double[] arrivals(int count) {
    double[] arrivals = new double[count];
    double clock = 0;
    for (int i = 0; i < count; i++) {
      clock += Math.exp(gamma(GAP_SHAPE, GAP_SCALE));
      arrivals[i] = clock;
    }
    return arrivals;
  }

  /** The second of the wall clock at which the other clock, right once a day, shows a time. */
  private double cyclic(double clock) {
    double day = SLOTS * (double) SLOT_SECONDS;
    double left = clock % day / day;
    double sum = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      sum += density(slot);
    }
    int slot = 0;
    for (; slot < SLOTS - 1 && left > density(slot) / sum; slot++) {
      left -= density(slot) / sum;
    }
    double part = Math.min(1, left * sum / density(slot));
    return clock - clock % day + (slot + part) * SLOT_SECONDS;
  }

  /** How busy a half hour of the day is: the density of the cycle, nowhere nothing. */
  private static double density(int slot) {
    double x = (slot - FIRST_SLOT + SLOTS) % SLOTS + 0.5;
    double log =
        (CYCLE_SHAPE - 1) * Math.log(x / (CYCLE_SHAPE * CYCLE_SCALE))
            - (x - CYCLE_SHAPE * CYCLE_SCALE) / CYCLE_SCALE;
    return 0.1 + Math.exp(Math.min(log, 2));
  }

  /** Marsaglia and Tsang's method, for shapes of at least 1. */
  private double gamma(double shape, double scale) {
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double v = Math.pow(1 + c * x, 3);
      if (v > 0 && Math.log(random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
        return d * v * scale;
      }
    }
  }
}
