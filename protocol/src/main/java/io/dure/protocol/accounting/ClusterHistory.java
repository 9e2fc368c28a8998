package io.dure.protocol.accounting;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a cluster's history; lists that were not asked for are empty.
 *
 * @param events by their begin
 * @param transactions by their time
 * @param reservations by their begin
 */
public record ClusterHistory(
    String clusterName,
    List<ClusterEvent> events,
    List<Transaction> transactions,
    List<ReservationUse> reservations) {
  public ClusterHistory {
    // Before there were any, they were not sent.
    reservations = reservations == null ? List.of() : List.copyOf(reservations);
  }

  /** A history without reservations. */
  public ClusterHistory(
      String clusterName, List<ClusterEvent> events, List<Transaction> transactions) {
    this(clusterName, events, transactions, List.of());
  }

  /**
   * What the cluster had for a time, or why a node took no jobs.
   *
   * @param node null for the cluster as a whole
   * @param nodes the cluster's nodes as a host list, or the node
   * @param end null while it lasts
   * @param state the node's state by Slurm's word, empty for the cluster
   * @param reason why, empty for no reason
   * @param user the user that gave the reason, null for the cluster
   * @param tres what the cluster had, or lacked: {@code cpu=4,mem=1024}, memory in MiB
   */
  public record ClusterEvent(
      @Nullable String node,
      String nodes,
      Instant start,
      @Nullable Instant end,
      String state,
      String reason,
      @Nullable Long user,
      String tres) {}

  /**
   * A change of the accounts.
   *
   * @param actor login name of the user that made it
   * @param action what was done, by Slurm's words
   * @param where what it was done to
   * @param info what it was since
   * @param number its number in the database, null from an older release
   */
  public record Transaction(
      Instant at, String actor, String action, String where, String info, @Nullable Long number) {}
}
