package io.dure.protocol.accounting;

import java.time.Instant;
import java.util.List;

/**
 * A time in which a reservation had the same, and what its jobs used.
 *
 * @param id its number
 * @param start when the time began
 * @param end when it ends
 * @param seconds how much of it is in the time that was asked for
 * @param nodes its nodes, as a host list
 * @param flags by Slurm's words, separated by commas
 * @param users login names that may use it, separated by commas
 * @param accounts accounts that may use it, separated by commas
 * @param amounts what it had
 */
public record ReservationUse(
    int id,
    String name,
    Instant start,
    Instant end,
    long seconds,
    String nodes,
    String flags,
    String users,
    String accounts,
    List<Amount> amounts) {
  public ReservationUse {
    amounts = List.copyOf(amounts);
  }

  /**
   * An amount of a resource.
   *
   * @param count how much the reservation has
   * @param used what jobs held of it, times seconds
   */
  public record Amount(String tres, long count, long used) {}
}
