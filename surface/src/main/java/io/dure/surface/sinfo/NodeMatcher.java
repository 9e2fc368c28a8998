package io.dure.surface.sinfo;

import io.dure.protocol.NodeCriteria;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.facts.SlurmNodeState;
import io.dure.surface.sinfo.NodeStateFilter.Term;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares nodes with what is asked for. Any thread. */
public final class NodeMatcher {
  private final NodeCriteria criteria;
  private final @Nullable Set<String> names;
  private final @Nullable NodeStateFilter states;

  /** A matcher; states that are not known here match no node. */
  public NodeMatcher(NodeCriteria criteria) {
    this(criteria, criteria.names(), criteria.states());
  }

  private NodeMatcher(
      NodeCriteria criteria, @Nullable List<String> names, @Nullable List<List<String>> states) {
    this.criteria = criteria;
    this.names = names == null ? null : new HashSet<>(names);
    this.states = states == null ? null : states(states);
  }

  /** A matcher of what came in a request; an empty list lets every node pass, as with jobs. */
  public static NodeMatcher ofRequest(NodeCriteria criteria) {
    return new NodeMatcher(criteria, unlessEmpty(criteria.names()), unlessEmpty(criteria.states()));
  }

  private static <T> @Nullable List<T> unlessEmpty(@Nullable List<T> list) {
    return list == null || list.isEmpty() ? null : list;
  }

  private static NodeStateFilter states(List<List<String>> all) {
    Set<List<Term>> choices = new LinkedHashSet<>();
    for (List<String> one : all) {
      List<Term> words = new ArrayList<>();
      for (String word : one) {
        Term term = Term.of(word);
        if (term != null) {
          words.add(term);
        }
      }
      if (words.size() == one.size()) {
        choices.add(words);
      }
    }
    return new NodeStateFilter(List.copyOf(choices));
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
