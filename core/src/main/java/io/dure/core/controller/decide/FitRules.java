package io.dure.core.controller.decide;

import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings.EnforcePartLimits;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.JobSpec;
import io.dure.core.scheduler.Feasibility;
import org.jspecify.annotations.Nullable;

/** Whether a request can ever be served by the nodes the cluster has. */
final class FitRules {
  private FitRules() {}

  /** Why a request is refused, null if one of its partitions can serve it, or may some day. */
  static SubmitRules.Checked.@Nullable Unfit refusal(ClusterState state, JobSpec spec) {
    EnforcePartLimits enforce = state.settings().jobs().enforcePartLimits();
    SubmitRules.Checked.Unfit last = null;
    boolean some = false;
    for (String name : spec.partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition == null) {
        continue;
      }
      SubmitRules.Checked.Unfit one =
          switch (Feasibility.configured(state, partition, spec)) {
            case Feasibility.Answer.Possible _ -> null;
            case Feasibility.Answer.Refused(var code, String detail) ->
                SubmitRules.no(code, detail);
            case Feasibility.Answer.Waits(_, var code) ->
                enforce == EnforcePartLimits.NO ? null : SubmitRules.no(code, "");
          };
      if (one == null) {
        some = true;
      } else if (enforce == EnforcePartLimits.ALL) {
        return one;
      } else {
        last = one;
      }
    }
    return some ? null : last;
  }
}
