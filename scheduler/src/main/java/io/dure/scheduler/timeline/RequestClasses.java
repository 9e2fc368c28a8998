package io.dure.scheduler.timeline;

import io.dure.model.command.PendingReason;
import io.dure.model.config.PartitionConfig;
import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.model.reservation.Reservation;
import io.dure.placement.AllocationLedger;
import io.dure.placement.JobFeasibility;
import io.dure.placement.NodeDemand;
import io.dure.rules.SchedulerView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The different requests of the queue. A hundred thousand jobs are some hundreds of them, and one
 * that failed once in a plan fails again: nothing is given back within a plan.
 */
public final class RequestClasses {
  private static final int MOST = 20_000;

  private SchedulerView view;
  private final AllocationLedger ledger;

  /** The same nodes without jobs. */
  private final AllocationLedger idle;

  private final Map<Key, RequestClass> shapes = new LinkedHashMap<>();

  private final Map<String, Optional<ReservationWindows>> doors = new LinkedHashMap<>();

  private record Key(
      String partition,
      PartitionConfig.Limits limits,
      ResourceRequest request,
      int uid,
      @Nullable String reservation) {}

  public RequestClasses(SchedulerView view, AllocationLedger ledger, AllocationLedger idle) {
    this.view = view;
    this.ledger = ledger;
    this.idle = idle;
  }

  /** Goes on to a later view, so that the one before is not kept in memory. */
  public void follow(SchedulerView next) {
    view = next;
  }

  /**
   * The shape of a request.
   *
   * @param uid whose job it is, -1 where all users are alike
   * @param own the reservation that it would run in, null for none
   */
  public RequestClass of(
      PartitionConfig partition, ResourceRequest request, int uid, @Nullable Reservation own) {
    if (shapes.size() > MOST) {
      shapes.clear();
    }
    return shapes.computeIfAbsent(
        new Key(
            partition.name(), partition.limits(), request, uid, own == null ? null : own.name()),
        _ -> make(partition, request, uid, own));
  }

  private @Nullable ReservationWindows doors(@Nullable Reservation own) {
    if (view.reservations().isEmpty()) {
      return null;
    }
    return doors
        .computeIfAbsent(
            own == null ? "" : own.name(),
            _ -> Optional.ofNullable(ReservationWindows.of(view.reservations(), ledger, own)))
        .orElse(null);
  }

  /** The same for a request, which may want licences. */
  private @Nullable ReservationWindows doors(ResourceRequest request, @Nullable Reservation own) {
    ReservationWindows open = doors(own);
    LicenseRequest licenses = request.more().licenses();
    return licenses == null
        ? open
        : ReservationWindows.licensed(open, licenses, view.licenses(), view.reservations(), own);
  }

  private RequestClass make(
      PartitionConfig partition, ResourceRequest request, int uid, @Nullable Reservation own) {
    try {
      NodeDemand need = JobFeasibility.need(view, partition, request, uid);
      int[] members = JobFeasibility.members(ledger, partition, own);
      JobFeasibility.Answer answer = JobFeasibility.nodes(need, idle, members);
      String never =
          switch (answer) {
            case null -> null;
            case JobFeasibility.Answer.Possible _ -> null;
            case JobFeasibility.Answer.Waits(String waits, _) ->
                own == null ? waits : PendingReason.BAD_CONSTRAINTS;
            case JobFeasibility.Answer.Refused _ -> PendingReason.BAD_CONSTRAINTS;
          };
      int[] liked = JobFeasibility.matchingNodes(need, ledger, members);
      RequestClass shape = new RequestClass(ledger, idle, need, never, liked, doors(request, own));
      if (request.reach().prefer() != null) {
        shape.prefer(make(partition, request.requiringPreferredFeatures(), uid, own));
      }
      return shape;
    } catch (InvalidFeatureException e) {
      return new RequestClass(ledger, idle, null, PendingReason.BAD_CONSTRAINTS, new int[0], null);
    }
  }
}
