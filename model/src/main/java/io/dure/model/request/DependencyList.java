package io.dure.model.request;

import java.util.List;

/**
 * The conditions on other jobs.
 *
 * @param conditions in the order given; empty where there are none
 * @param any true if one of them is enough ({@code ?}), false if all must hold ({@code ,})
 */
public record DependencyList(List<Dependency> conditions, boolean any) {
  /** No conditions. */
  public static final DependencyList NONE = new DependencyList(List.of(), false);

  /** Whether each task of an array waits for a task of its own. */
  public boolean eachTaskDepends() {
    for (Dependency condition : conditions) {
      if (condition.type() == DependencyType.AFTER_CORR) {
        return true;
      }
    }
    return false;
  }
}
