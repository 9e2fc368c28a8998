package io.dure.protocol.accounting;

import java.util.List;

/**
 * What was used between two times; amounts are those of a resource times seconds, of memory MiB
 * times seconds. Lists that were not asked for are empty.
 *
 * @param clusterName the cluster's name
 * @param owners use of users and accounts
 * @param cluster what the cluster had, by resource in Slurm's order
 * @param sizes jobs by their size
 * @param trackedTres what the cluster counts beside the usual resources, {@code gres/gpu}
 * @param reservations reservations by their begin
 */
public record UsageReport(
    String clusterName,
    List<OwnerUse> owners,
    List<ClusterUse> cluster,
    List<JobSize> sizes,
    List<String> trackedTres,
    List<ReservationUse> reservations) {
  public UsageReport {
    // Before there were any, they were not sent.
    reservations = reservations == null ? List.of() : List.copyOf(reservations);
  }

  /** A report without reservations. */
  public UsageReport(
      String clusterName,
      List<OwnerUse> owners,
      List<ClusterUse> cluster,
      List<JobSize> sizes,
      List<String> trackedTres) {
    this(clusterName, owners, cluster, sizes, trackedTres, List.of());
  }

  /** The same with reservations. */
  public UsageReport withReservations(List<ReservationUse> some) {
    return new UsageReport(clusterName, owners, cluster, sizes, trackedTres, some);
  }

  /**
   * Use of a resource that counts to a user in an account.
   *
   * @param account empty for jobs without one
   * @param wckey empty for jobs without one
   */
  public record OwnerUse(String account, String user, String wckey, String tres, long seconds) {}

  /**
   * What became of a resource. The parts from {@code allocated} to {@code planned} make up {@code
   * reported}, but for what is given out beyond what there was.
   *
   * @param count how much there was at the end
   * @param allocated held by jobs
   * @param down of nodes that took no jobs
   * @param plannedDown of nodes that were away on purpose
   * @param idle not used
   * @param planned not used while jobs waited that could have taken it
   * @param over held or down beyond what there was
   * @param reported all that there was
   */
  public record ClusterUse(
      String tres,
      long count,
      long allocated,
      long down,
      long plannedDown,
      long idle,
      long planned,
      long over,
      long reported) {}

  /**
   * Jobs of an owner with a number of CPUs.
   *
   * @param wckey empty for jobs without one
   * @param cpus how many each of them held
   * @param jobs how many jobs
   * @param seconds CPUs times seconds
   */
  public record JobSize(
      String account, String user, String wckey, long cpus, long jobs, long seconds) {}
}
