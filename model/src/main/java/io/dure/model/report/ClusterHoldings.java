package io.dure.model.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a cluster, or a partition of it.
 *
 * @param all what there is
 * @param supply what becomes of it, null where the asker may not know
 * @param holders accounts with those below them behind them, among equals the biggest holder first
 * @param closed nodes on which no job may start
 * @param kept reservations, now and soon
 * @param accounts whether jobs are charged to accounts
 * @param halfLife after which use counts half, null where it does not fade
 */
public record ClusterHoldings(
    ResourceAmounts all,
    @Nullable CapacitySummary supply,
    List<ResourceHolder> holders,
    List<Closed> closed,
    List<ReservationSummary> kept,
    boolean accounts,
    @Nullable Duration halfLife) {

  public ClusterHoldings {
    holders = List.copyOf(holders);
    closed = List.copyOf(closed);
    kept = List.copyOf(kept);
  }

  /** Why no job may start on a node. */
  public enum Closure {
    /** It is out of order, or was taken out. */
    DOWN,
    /** It takes no new job. */
    DRAINED,
    /** It is expected to fail. */
    FAILING,
    /** Its daemon is not heard. */
    SILENT
  }

  /**
   * Nodes on which no job may start for the same reason.
   *
   * @param nodes their names as one expression
   * @param count how many
   * @param why what is the matter
   * @param reason what was said of it, empty for nothing
   */
  public record Closed(String nodes, int count, Closure why, String reason) {}

  /**
   * A reservation.
   *
   * @param name its name
   * @param nodes its nodes as one expression
   * @param count how many
   * @param start when it begins
   * @param end when it ends
   * @param maintenance whether it is for work on the nodes
   * @param users whom it is for, as far as it says
   * @param accounts whose users it is for, as far as it says
   */
  public record ReservationSummary(
      String name,
      String nodes,
      int count,
      Instant start,
      Instant end,
      boolean maintenance,
      List<String> users,
      List<String> accounts) {}
}
