package io.dure.scheduler;

import io.dure.model.command.PendingVerdict;
import io.dure.model.config.PartitionConfig;
import io.dure.model.request.ResourceRequest;
import io.dure.model.reservation.Reservation;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import io.dure.scheduler.timeline.RequestClass;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of one partition that nothing but their order tells apart: if one of them does not fit, none
 * behind it does. A queue of a hundred thousand jobs is some hundreds of lanes.
 */
final class JobEquivalenceClass {
  /**
   * What the jobs of a lane have in common.
   *
   * @param seconds how long they are planned for
   * @param limit how long they are planned for while starts are reserved for overdue jobs
   * @param overdue whether they have waited beyond their bounds
   * @param least for how long one would start if it need not wait then
   * @param named whether they name a reservation, where the partition requires it
   */
  record Key(
      String partition,
      ResourceRequest request,
      long seconds,
      long limit,
      boolean overdue,
      long least,
      int uid,
      @Nullable String account,
      @Nullable String qos,
      @Nullable String reservation,
      List<PartitionRules.Freedom> freedoms,
      int rank,
      boolean named) {}

  final int number;
  final Key key;
  final PartitionConfig partition;
  final RequestClass shape;

  /** The reservation that they would run in, null for none. */
  final @Nullable Reservation own;

  /** The jobs that wait for the same nodes: the partition, or what of it is in the reservation. */
  final String line;

  /** By what all lanes of the queue are planned. */
  private final Basis basis;

  /** What the lanes of a queue have in common. One thread. */
  static final class Basis {
    /** Whether by limits, since a start is reserved for a job that is overdue. */
    boolean limits;

    /** How many lanes there have been. */
    private int lanes;
  }

  /** Why the partition takes none of them, null if it does. */
  final @Nullable String rule;

  final TreeSet<PartitionQueueEntry> entries = new TreeSet<>();

  /** What is said of all but the odd ones. */
  @Nullable PendingVerdict settled;

  /** Entries of which something else is said, or nothing yet. */
  final Set<PartitionQueueEntry> odd = new LinkedHashSet<>();

  /** Number of the pass that {@link #promised} is of. */
  long promisedIn;

  /** The last start that was promised to one of its jobs: none behind it starts before. */
  long promised;

  JobEquivalenceClass(
      Key key,
      PartitionConfig partition,
      RequestClass shape,
      @Nullable Reservation own,
      @Nullable String rule,
      Basis basis) {
    this.basis = basis;
    number = basis.lanes++;
    this.key = key;
    this.partition = partition;
    this.shape = shape;
    this.own = own;
    line = own == null ? partition.name() : partition.name() + "@" + own.name();
    this.rule = rule;
  }

  /** Whether jobs belong here that differ from its own in no other way. */
  boolean isOf(long seconds, boolean overdue, @Nullable Reservation reservation) {
    return key.seconds() == seconds && key.overdue() == overdue && Objects.equals(own, reservation);
  }

  long seconds() {
    return basis.limits ? key.limit() : key.seconds();
  }

  /** How long one of them would run that starts then: the end of its reservation is its own. */
  long seconds(long start) {
    return own == null || !own.binds()
        ? seconds()
        : Math.clamp(closing(start) - start, 0, seconds());
  }

  /** When the reservation ends that binds them. */
  private long closing(long now) {
    return own == null
        ? PlannerTime.NEVER
        : PlannerTime.second(own.end(Instant.ofEpochSecond(now)));
  }

  /** Whether their reservation has not begun, or is over. */
  boolean isShut(Instant now) {
    return own != null && own.binds() && !own.active(now);
  }
}
