package io.dure.cluster.derived;

import io.dure.model.config.ClusterSettings;
import io.dure.model.job.JobId;
import java.util.function.IntPredicate;

/** Ids of this cluster that no record has. */
public final class FreeJobIds {
  private FreeJobIds() {}

  /**
   * The first of so many free ids, one behind the other: from the next on, else from the first on,
   * else behind the last, else before the first.
   *
   * @return above {@link JobId#MAX_LOCAL} if there are none
   */
  public static int next(int next, ClusterSettings.Jobs range, int count, IntPredicate taken) {
    int first = (int) range.firstJobId();
    int last = (int) range.maxJobId();
    int id = free(next, last, count, taken);
    id = id < 0 ? free(first, last, count, taken) : id;
    id = id < 0 ? free(last + 1, JobId.MAX_LOCAL, count, taken) : id;
    id = id < 0 ? free(1, first - 1, count, taken) : id;
    return id < 0 ? JobId.MAX_LOCAL + 1 : id;
  }

  /**
   * The first of so many free ids, one behind the other, in a range.
   *
   * @return -1 if there are none
   */
  private static int free(int from, int to, int count, IntPredicate taken) {
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
