package io.dure.core.controller.decide;

import io.dure.core.controller.ClusterState;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.JobSpec;
import org.jspecify.annotations.Nullable;

/** Whether a request can ever be served by the nodes the cluster has. */
final class FitRules {
  private FitRules() {}

  /** Why a request is refused, null if it may be accepted. */
  static @Nullable ErrorCode refusal(ClusterState state, JobSpec spec) {
    for (String node : spec.resources().requiredNodes()) {
      if (state.node(node) == null) {
        return ErrorCode.INVALID_NODE_NAME;
      }
    }
    return null;
  }
}
