package io.dure.model.history;

import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import org.jspecify.annotations.Nullable;

/**
 * What jobs of one user have in common that are taken to run about equally long.
 *
 * @param name the job's name, numbers in it left out: {@code run-17} is as {@code run-18}
 * @param account whom it is charged to, null for none
 * @param nodes fewest nodes
 * @param cpus CPUs of all tasks
 * @param gpus GPUs on all nodes
 * @param limit its time limit in seconds, {@link RecordedRun#UNLIMITED} or more for none
 */
public record SimilarRunKey(
    String name, @Nullable String account, int nodes, int cpus, long gpus, long limit) {
  private static final int LONGEST_NAME = 64;

  /** That of a request whose limit is so long. */
  public static SimilarRunKey of(JobSpec spec, long limit) {
    ResourceRequest asked = spec.resources();
    return new SimilarRunKey(
        plain(spec.name()),
        spec.account(),
        asked.minNodes(),
        asked.totalCpus(),
        asked.totalGpus(),
        Math.max(1, limit));
  }

  /** The name with a {@code #} for each number. */
  static String plain(String name) {
    StringBuilder plain = new StringBuilder();
    boolean inNumber = false;
    for (int i = 0; i < name.length() && plain.length() < LONGEST_NAME; i++) {
      char c = name.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      if (!digit) {
        plain.append(c);
      } else if (!inNumber) {
        plain.append('#');
      }
      inNumber = digit;
    }
    return plain.toString();
  }
}
