package io.dure.placement.step;

import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the other steps of a run hold alone, by node. */
final class OtherSteps {
  /** No other steps. */
  static final OtherSteps NONE = new OtherSteps();

  private final Map<String, List<Held>> byNode = new LinkedHashMap<>();

  private OtherSteps() {}

  /** What a step holds on a node. */
  record Held(StepSpec spec, StepShare share) {}

  /** Those that have not ended; none of them where the new step shares what it gets. */
  static OtherSteps of(RunSteps steps, StepSpec spec) {
    if (spec.sharing().isShared()) {
      return NONE;
    }
    OtherSteps others = new OtherSteps();
    for (LaunchedStep step : steps.live()) {
      if (!step.spec().sharing().isShared()) {
        Set<String> left = new LinkedHashSet<>(step.nodesLeft());
        for (StepShare share : step.shares()) {
          if (left.contains(share.node())) {
            others
                .byNode
                .computeIfAbsent(share.node(), _ -> new ArrayList<>())
                .add(new Held(step.spec(), share));
          }
        }
      }
    }
    return others;
  }

  /** What they hold on a node. */
  List<Held> on(String node) {
    return byNode.getOrDefault(node, List.of());
  }
}
