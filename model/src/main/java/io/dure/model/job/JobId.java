package io.dure.model.job;

import org.jspecify.annotations.Nullable;

/**
 * The number of a job, laid out as Slurm lays it out in a federation: the local number in the lower
 * 26 bits, the cluster that gave it above them. A cluster that is in no federation has the number
 * 0, so that its ids are the local ones. Slurm counts clusters up to 63; here they end at 31, which
 * keeps every id a positive {@code int}: records, maps, messages and the journal hold it as that,
 * and this type is for where ids are given, read or taken apart.
 *
 * @param value the whole number, at least 1
 */
public record JobId(int value) {
  private static final int LOCAL_BITS = 26;

  /** The highest local number; MaxJobId is below it. */
  public static final int MAX_LOCAL = (1 << LOCAL_BITS) - 1;

  /** The highest number of a cluster. */
  public static final int MAX_CLUSTER = Integer.MAX_VALUE >>> LOCAL_BITS;

  /** Checks it. */
  public JobId {
    if (value < 1) {
      throw new IllegalArgumentException("no job id: " + value);
    }
  }

  /**
   * The id of a job of a cluster.
   *
   * @param cluster its number in the federation, 0 for none
   * @param local at least 1 where the cluster is 0
   */
  public static JobId of(int cluster, int local) {
    if (cluster < 0 || cluster > MAX_CLUSTER || local < 0 || local > MAX_LOCAL) {
      throw new IllegalArgumentException("no job " + local + " of cluster " + cluster);
    }
    return new JobId(cluster << LOCAL_BITS | local);
  }

  /** The id that a text says, null if it says none. */
  public static @Nullable JobId parse(String text) {
    try {
      boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
      int value = digits ? Integer.parseInt(text) : 0;
      return value < 1 ? null : new JobId(value);
    } catch (NumberFormatException tooLarge) {
      return null;
    }
  }

  /** The cluster that gave it, 0 for one in no federation. */
  public int cluster() {
    return value >>> LOCAL_BITS;
  }

  /** Its number in that cluster. */
  public int local() {
    return value & MAX_LOCAL;
  }

  /** As it is typed and printed. */
  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
