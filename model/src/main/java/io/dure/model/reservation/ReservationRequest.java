package io.dure.model.reservation;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.License;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of a reservation to make or to change; what is null stays as it is, or as
 * usual.
 *
 * @param name its name; null for one of the controller's choice
 * @param start when it begins
 * @param end when it ends
 * @param duration how long it lasts, which is at most a year
 * @param lengthen how much longer it lasts, negative for shorter
 * @param nodes names of nodes; {@code ALL} alone for all, empty for others than were named
 * @param nodeCount how many nodes
 * @param coreCount how many cores on all of them
 * @param features what the nodes must have, empty for nothing
 * @param partition where they come from, empty for nowhere
 * @param users what becomes of the users
 * @param accounts what becomes of the accounts
 * @param groups what becomes of the groups
 * @param set flags to set
 * @param clear flags to take away
 * @param maxStartDelay how long others may hold its jobs up, zero for not at all
 * @param purgeAfter after which time without jobs it is over
 * @param skip whether it goes on to its next repetition
 * @param zone the time zone of the user that asks
 * @param coreCounts how many cores of each of the nodes, in their order; where one number is said
 *     it is the {@code coreCount}
 * @param licenses licences to keep for its jobs, empty for none
 * @param qos what becomes of the qualities of service
 * @param allowedPartitions what becomes of the partitions with jobs that may use it
 * @param gres generic resources that its nodes are to have together
 */
@RecordBuilder
public record ReservationRequest(
    @Nullable String name,
    @Nullable Instant start,
    @Nullable Instant end,
    @Nullable Duration duration,
    @Nullable Duration lengthen,
    @Nullable List<String> nodes,
    @Nullable Integer nodeCount,
    @Nullable Integer coreCount,
    @Nullable String features,
    @Nullable String partition,
    @Nullable NameListEdit users,
    @Nullable NameListEdit accounts,
    @Nullable NameListEdit groups,
    List<ReservationFlag> set,
    List<ReservationFlag> clear,
    @Nullable Duration maxStartDelay,
    @Nullable Duration purgeAfter,
    boolean skip,
    @Nullable String zone,
    @Nullable List<Integer> coreCounts,
    @Nullable List<License> licenses,
    @Nullable NameListEdit qos,
    @Nullable NameListEdit allowedPartitions,
    @Nullable List<GresCount> gres)
    implements ReservationRequestBuilder.With {

  /** A duration that has no end lasts so long. */
  public static final Duration LONGEST = Duration.ofDays(365);

  /** Whether the nodes are all of the cluster. */
  public boolean asksForAll() {
    return nodes != null && nodes.size() == 1 && nodes.getFirst().equalsIgnoreCase("ALL");
  }
}
