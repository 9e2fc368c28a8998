package io.dure.placement.admission;

import io.dure.model.config.NodeConfig;
import io.dure.model.constraint.FeatureExpression;
import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import io.dure.model.constraint.FeatureParser;
import io.dure.model.job.Allocation;
import io.dure.model.request.ResourceRequest;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** On which of its nodes the script of a job runs that asks for features there. */
public final class BatchNode {
  private BatchNode() {}

  /** Whether the features are among those that the job asks of its nodes, as Slurm demands. */
  static boolean isPossible(ResourceRequest request) {
    String features = request.more().batchFeatures();
    if (features == null) {
      return true;
    }
    String all = request.features();
    try {
      List<String> known = all == null ? List.of() : FeatureParser.constraint(all).names();
      return known.containsAll(FeatureParser.parse(features).names());
    } catch (InvalidFeatureException e) {
      return false;
    }
  }

  /** The allocation with the script on the first node that has them; else on its first. */
  public static Allocation chosen(
      Allocation allocation,
      ResourceRequest request,
      Function<String, @Nullable NodeConfig> nodes) {
    String features = request.more().batchFeatures();
    if (features == null) {
      return allocation;
    }
    try {
      FeatureExpression wanted = FeatureParser.parse(features);
      for (String name : allocation.nodes()) {
        NodeConfig node = nodes.apply(name);
        if (node != null && wanted.matches(node.features())) {
          return allocation.withScriptOn(name);
        }
      }
    } catch (InvalidFeatureException e) {
      // refused when the job was submitted
    }
    return allocation;
  }
}
