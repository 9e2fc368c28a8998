package io.dure.core.scheduler;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Job;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.Sharing;
import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The different requests met in a pass. A queue of a hundred thousand jobs is some hundreds of
 * them, and one that failed once in a pass fails again: nothing is given back within a pass.
 */
final class Shapes {
  private final SchedulerView view;
  private final Ledger idle;
  private final boolean usersMatter;
  private final Map<Key, Shape> shapes = new LinkedHashMap<>();

  private record Key(String partition, ResourceRequest request, int uid) {}

  /** One request in one partition. */
  static final class Shape {
    private final @Nullable Need need;
    private final @Nullable String reason;
    private final int[] nodes;
    private final List<Long> failed = new ArrayList<>();

    private Shape(@Nullable Need need, @Nullable String reason, int[] nodes) {
      this.need = need;
      this.reason = reason;
      this.nodes = nodes;
    }

    /** Why it cannot start however idle the cluster is; null if it could. */
    @Nullable String reason() {
      return reason;
    }

    Need need() {
      if (need == null) {
        throw new IllegalStateException("a request that cannot be placed: " + reason);
      }
      return need;
    }

    /** Indices of the nodes that take jobs and are of the right kind. */
    int[] nodes() {
      return nodes;
    }

    /** Whether it did not fit behind these barriers, or fewer. */
    boolean knownToFail(long barriers) {
      for (long mask : failed) {
        if ((mask & ~barriers) == 0) {
          return true;
        }
      }
      return false;
    }

    void fails(long barriers) {
      failed.add(barriers);
    }
  }

  /** {@code usersMatter} tells whether jobs that keep other users off run or wait. */
  Shapes(SchedulerView view, Ledger idle, boolean usersMatter) {
    this.view = view;
    this.idle = idle;
    this.usersMatter = usersMatter;
  }

  Shape of(Job job, PartitionConfig partition) {
    ResourceRequest request = job.spec().resources();
    boolean user = usersMatter || request.sharing() == Sharing.USER;
    Key key = new Key(partition.name(), request, user ? job.owner().uid() : -1);
    return shapes.computeIfAbsent(key, _ -> make(partition, request, job.owner().uid()));
  }

  private Shape make(PartitionConfig partition, ResourceRequest request, int uid) {
    try {
      Need need = Feasibility.need(view, partition, request, uid);
      int[] members = idle.members(partition);
      Feasibility.Answer answer = Feasibility.nodes(need, idle, members);
      String reason =
          switch (answer) {
            case null -> Feasibility.unavailable(need, idle);
            case Feasibility.Answer.Waits(String waits, _) -> waits;
            case Feasibility.Answer.Refused _ -> Reason.BAD_CONSTRAINTS;
            case Feasibility.Answer.Possible _ -> null;
          };
      int[] liked = Feasibility.liked(need, idle, members);
      return new Shape(need, reason, Feasibility.up(idle, liked));
    } catch (InvalidFeatureException e) {
      return new Shape(null, Reason.BAD_CONSTRAINTS, new int[0]);
    }
  }
}
