package io.dure.core.scheduler.plan;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.ResourceRequest;
import io.dure.core.scheduler.Feasibility;
import io.dure.core.scheduler.Ledger;
import io.dure.core.scheduler.Need;
import io.dure.core.scheduler.Reason;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import java.util.LinkedHashMap;
import java.util.Map;

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

  private record Key(String partition, ResourceRequest request, int uid) {}

  Shapes(SchedulerView view, Ledger ledger, Ledger idle) {
    this.view = view;
    this.ledger = ledger;
    this.idle = idle;
  }

  /**
   * The shape of a request.
   *
   * @param uid whose job it is, -1 where all users are alike
   */
  Shape of(PartitionConfig partition, ResourceRequest request, int uid) {
    if (shapes.size() > MOST) {
      shapes.clear();
    }
    return shapes.computeIfAbsent(
        new Key(partition.name(), request, uid), _ -> make(partition, request, uid));
  }

  private Shape make(PartitionConfig partition, ResourceRequest request, int uid) {
    try {
      Need need = Feasibility.need(view, partition, request, uid);
      int[] members = ledger.members(partition);
      Feasibility.Answer answer = Feasibility.nodes(need, idle, members);
      String never =
          switch (answer) {
            case null -> null;
            case Feasibility.Answer.Possible _ -> null;
            case Feasibility.Answer.Waits(String waits, _) -> waits;
            case Feasibility.Answer.Refused _ -> Reason.BAD_CONSTRAINTS;
          };
      return new Shape(ledger, idle, need, never, Feasibility.liked(need, ledger, members));
    } catch (InvalidFeatureException e) {
      return new Shape(ledger, idle, null, Reason.BAD_CONSTRAINTS, new int[0]);
    }
  }
}
