package io.dure.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes are listed; what is null lets every node pass. An empty list lets none pass in a
 * command and all in a request, and none is longer than there, as with {@link JobCriteria}.
 *
 * @param names names of nodes
 * @param states alternatives, of each of which all states must hold, by Slurm's names
 * @param responding whether only nodes that answer, or only those that do not
 * @param future whether nodes that are still to come pass
 */
public record NodeCriteria(
    @Nullable List<String> names,
    @Nullable List<List<String>> states,
    @Nullable Boolean responding,
    boolean future) {

  /** How many elements the longest list has. */
  public int longestList() {
    int longest = Math.max(names == null ? 0 : names.size(), states == null ? 0 : states.size());
    return states == null
        ? longest
        : states.stream().mapToInt(List::size).reduce(longest, Math::max);
  }
}
