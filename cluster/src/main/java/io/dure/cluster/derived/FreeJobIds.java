package io.dure.cluster.derived;

import io.dure.model.config.ClusterSettings;
import java.util.function.IntPredicate;

/** Ids that no record has. */
public final class FreeJobIds {
  private FreeJobIds() {}

  /**
   * The first of so many free ids, one behind the other: from the next on, else from the first on,
   * else behind the last.
   */
  public static int next(int next, ClusterSettings.Jobs range, int count, IntPredicate taken) {
    int last = (int) range.maxJobId();
    int id = free(next, last, count, taken);
    id = id < 0 ? free((int) range.firstJobId(), last, count, taken) : id;
    return id < 0 ? free(last + 1, Integer.MAX_VALUE, count, taken) : id;
  }

  /**
   * The first of so many free ids, one behind the other, in a range.
   *
   * @return -1 if there are none
   */
  public static int free(int from, int to, int count, IntPredicate taken) {
    int first = from;
    for (int id = from; id <= to && id > 0; id++) {
      if (taken.test(id)) {
        first = id + 1;
      } else if (id - first + 1 == count) {
        return first;
      }
    }
    return -1;
  }
}
