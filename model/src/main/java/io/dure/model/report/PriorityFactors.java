package io.dure.model.report;

import io.dure.model.accounting.PrioritySettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a job's priority is made of; each factor is from 0 to 1 unless the configuration says that
 * it is taken as it is.
 *
 * @param age how long it has waited
 * @param assoc its association's own priority
 * @param fairShare how little its association has used of its share
 * @param jobSize how large, or small, it is
 * @param partition its partition's priority
 * @param qos its QOS's priority
 * @param tres what it asks for of each resource that has a weight
 * @param site what an operator added
 * @param nice what is taken away
 * @param priority what comes of it: at least 1; the value set by hand, where there is one; 0 while
 *     the job is held
 * @param fixed whether it was set by hand
 */
public record PriorityFactors(
    double age,
    double assoc,
    double fairShare,
    double jobSize,
    double partition,
    double qos,
    Map<String, Double> tres,
    long site,
    long nice,
    long priority,
    boolean fixed) {
  /** The largest priority. */
  public static final long MOST = 0xFFFF_FFFFL;

  public PriorityFactors {
    tres = Collections.unmodifiableMap(new LinkedHashMap<>(tres));
  }

  /** A priority that was set by hand. */
  public static PriorityFactors fixed(long priority) {
    return new PriorityFactors(0, 0, 0, 0, 0, 0, Map.of(), 0, 0, priority, true);
  }

  /** The sum that the weights make of factors. */
  public static long sum(
      PrioritySettings.Weights weights, double[] factors, double tres, long site, long nice) {
    double sum =
        weights.age() * factors[0]
            + weights.assoc() * factors[1]
            + weights.fairShare() * factors[2]
            + weights.jobSize() * factors[3]
            + weights.partition() * factors[4]
            + weights.qos() * factors[5]
            + tres
            + site
            - nice;
    if (!(sum >= 1)) {
      return 1;
    }
    return sum >= MOST ? MOST : (long) sum;
  }
}
