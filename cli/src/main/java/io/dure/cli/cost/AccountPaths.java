package io.dure.cli.cost;

import io.dure.model.accounting.Association;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which account stands below which. Immutable. */
final class AccountPaths {
  private static final int DEEPEST = 1000;

  private final Map<String, String> parents = new TreeMap<>();

  /** Those of a tree, of which parts may be hidden. */
  AccountPaths(List<Association> associations) {
    for (Association one : associations) {
      String parent = one.parent();
      if (one.user() == null && parent != null) {
        parents.put(one.account(), parent);
      }
    }
  }

  /** Whether an account is another, or stands below it. */
  boolean isWithin(String account, String above) {
    String at = account;
    for (int depth = 0; at != null && depth < DEEPEST; depth++) {
      if (at.equals(above)) {
        return true;
      }
      at = parents.get(at);
    }
    return false;
  }

  /** An account, and those above it. */
  List<String> lineage(String account) {
    List<String> all = new ArrayList<>();
    String at = account;
    while (at != null && all.size() < DEEPEST) {
      all.add(at);
      at = parents.get(at);
    }
    return all;
  }

  /** All accounts within one, itself included. */
  List<String> within(String above) {
    TreeMap<String, String> all = new TreeMap<>(parents);
    all.put(above, "");
    return all.keySet().stream().filter(one -> isWithin(one, above)).toList();
  }
}
