package io.dure.model.constraint;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job demands of the features of its nodes, each node for itself and all together.
 *
 * @param each what each node must have, null for nothing
 * @param oneOf of these all nodes have the same one ({@code [a|b]}); empty where that is not asked
 * @param counts how many nodes must have what ({@code [a*2&b*1]}, {@code a*2}); empty for none
 * @param others whether nodes beyond those counted may be of any kind ({@code a*2})
 * @see <a href="https://slurm.schedmd.com/sbatch.html">sbatch(1), --constraint</a>
 */
public record FeatureConstraint(
    @Nullable FeatureExpression each,
    List<FeatureExpression> oneOf,
    List<Count> counts,
    boolean others) {

  /**
   * So many nodes of a kind, no node counted twice.
   *
   * @param nodes at least 1
   */
  public record Count(FeatureExpression what, int nodes) {}

  public FeatureConstraint {
    oneOf = List.copyOf(oneOf);
    counts = List.copyOf(counts);
  }

  /** Whether each node can be judged by itself. */
  public boolean isSimple() {
    return oneOf.isEmpty() && counts.isEmpty();
  }

  /** The same where of the alternatives one is chosen. */
  public FeatureConstraint only(FeatureExpression one) {
    return new FeatureConstraint(each, List.of(one), counts, others);
  }

  /** Whether a node with these features may be one of the nodes. */
  public boolean matches(List<String> features) {
    if (each != null && !each.matches(features)) {
      return false;
    }
    boolean counted = counts.isEmpty() || others;
    for (Count count : counts) {
      counted |= count.what().matches(features);
    }
    boolean one = oneOf.isEmpty();
    for (FeatureExpression alternative : oneOf) {
      one |= alternative.matches(features);
    }
    return counted && one;
  }

  /** The fewest nodes that can satisfy the counts. */
  public int leastNodes() {
    long nodes = 0;
    for (Count count : counts) {
      nodes += count.nodes();
    }
    return Math.clamp(nodes, 1, Integer.MAX_VALUE);
  }

  /** The features it names, in order, with repeats. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    if (each != null) {
      names.addAll(each.names());
    }
    oneOf.forEach(part -> names.addAll(part.names()));
    counts.forEach(count -> names.addAll(count.what().names()));
    return names;
  }
}
