package io.dure.core.scheduler.plan;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.gres.LicenseRequest;
import io.dure.core.reservation.Reservation;
import io.dure.core.scheduler.Feasibility;
import io.dure.core.scheduler.Ledger;
import io.dure.core.scheduler.Need;
import io.dure.core.scheduler.Reason;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The different requests of the queue. A hundred thousand jobs are some hundreds of them, and one
 * that failed once in a plan fails again: nothing is given back within a plan.
 */
final class Shapes {
  private static final int MOST = 20_000;

  private final SchedulerView view;
  private final Ledger ledger;

  /** The same nodes without jobs. */
  private final Ledger idle;

  private final Map<Key, Shape> shapes = new LinkedHashMap<>();

  private final Map<String, Optional<Doors>> doors = new LinkedHashMap<>();

  private record Key(
      String partition,
      PartitionConfig.Limits limits,
      ResourceRequest request,
      int uid,
      @Nullable String reservation) {}

  Shapes(SchedulerView view, Ledger ledger, Ledger idle) {
    this.view = view;
    this.ledger = ledger;
    this.idle = idle;
  }

  /**
   * The shape of a request.
   *
   * @param uid whose job it is, -1 where all users are alike
   * @param own the reservation that it would run in, null for none
   */
  Shape of(PartitionConfig partition, ResourceRequest request, int uid, @Nullable Reservation own) {
    if (shapes.size() > MOST) {
      shapes.clear();
    }
    return shapes.computeIfAbsent(
        new Key(
            partition.name(), partition.limits(), request, uid, own == null ? null : own.name()),
        _ -> make(partition, request, uid, own));
  }

  private @Nullable Doors doors(@Nullable Reservation own) {
    if (view.reservations().isEmpty()) {
      return null;
    }
    return doors
        .computeIfAbsent(
            own == null ? "" : own.name(),
            _ -> Optional.ofNullable(Doors.of(view.reservations(), ledger, own)))
        .orElse(null);
  }

  /** The same for a request, which may want licences. */
  private @Nullable Doors doors(ResourceRequest request, @Nullable Reservation own) {
    Doors open = doors(own);
    LicenseRequest licenses = request.more().licenses();
    return licenses == null
        ? open
        : Doors.licensed(open, licenses, view.licenses(), view.reservations(), own);
  }

  private Shape make(
      PartitionConfig partition, ResourceRequest request, int uid, @Nullable Reservation own) {
    try {
      Need need = Feasibility.need(view, partition, request, uid);
      int[] members = Feasibility.members(ledger, partition, own);
      Feasibility.Answer answer = Feasibility.nodes(need, idle, members);
      String never =
          switch (answer) {
            case null -> null;
            case Feasibility.Answer.Possible _ -> null;
            case Feasibility.Answer.Waits(String waits, _) ->
                own == null ? waits : Reason.BAD_CONSTRAINTS;
            case Feasibility.Answer.Refused _ -> Reason.BAD_CONSTRAINTS;
          };
      int[] liked = Feasibility.liked(need, ledger, members);
      Shape shape = new Shape(ledger, idle, need, never, liked, doors(request, own));
      if (request.reach().prefer() != null) {
        shape.prefer(make(partition, request.asPreferred(), uid, own));
      }
      return shape;
    } catch (InvalidFeatureException e) {
      return new Shape(ledger, idle, null, Reason.BAD_CONSTRAINTS, new int[0], null);
    }
  }
}
