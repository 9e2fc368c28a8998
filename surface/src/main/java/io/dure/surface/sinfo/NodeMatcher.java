package io.dure.surface.sinfo;

import io.dure.protocol.NodeCriteria;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.facts.SlurmNodeState;
import io.dure.surface.sinfo.NodeStateFilter.StateName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares nodes with what is asked for. Any thread. */
public final class NodeMatcher {
  private final NodeCriteria criteria;
  private final @Nullable Set<String> names;
  private final @Nullable NodeStateFilter states;

  /** A matcher; states that are not known here match no node. */
  public NodeMatcher(NodeCriteria criteria) {
    this.criteria = criteria;
    names = criteria.names() == null ? null : new TreeSet<>(criteria.names());
    states = criteria.states() == null ? null : states(criteria.states());
  }

  private static NodeStateFilter states(List<List<String>> all) {
    List<List<StateName>> choices = new ArrayList<>();
    for (List<String> one : all) {
      List<StateName> words =
          Stream.of(StateName.values()).filter(word -> one.contains(word.name())).toList();
      if (words.size() == Set.copyOf(one).size()) {
        choices.add(words);
      }
    }
    return new NodeStateFilter(choices);
  }

  /** What is asked for. */
  public NodeCriteria criteria() {
    return criteria;
  }

  /** Whether that holds for a node. */
  public boolean matches(NodeDetails node) {
    Boolean responding = criteria.responding();
    return (names == null || names.contains(node.name()))
        && (responding == null || node.info().responding() == responding)
        && (states == null || states.matches(node.state()))
        && (criteria.future() || node.state().base() != SlurmNodeState.Base.FUTURE);
  }
}
