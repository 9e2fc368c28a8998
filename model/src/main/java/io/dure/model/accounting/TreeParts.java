package io.dure.model.accounting;

import io.dure.model.collection.IntMap;
import io.dure.model.federation.Federations;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What an accounting tree consists of: its records, and by what they are found. */
record TreeParts(
    long version,
    TreeMap<String, Account> accounts,
    TreeMap<String, AccountUser> users,
    IntMap<Association> associations,
    TreeMap<Key, Integer> ids,
    TreeMap<String, List<Integer>> children,
    TreeMap<String, List<Integer>> ofUser,
    TreeMap<String, Qos> qos,
    int nextAssociation,
    int nextQos,
    TreeMap<String, ServerResource> resources,
    Federations federations) {

  /**
   * By what an association is found: it is asked for each waiting job in each plan, and so puts no
   * texts together.
   */
  record Key(String account, @Nullable String user, @Nullable String partition)
      implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = account.compareTo(other.account);
      order = order == 0 ? compare(user, other.user) : order;
      return order == 0 ? compare(partition, other.partition) : order;
    }

    private static int compare(@Nullable String one, @Nullable String other) {
      if (one == null || other == null) {
        return one == null ? (other == null ? 0 : -1) : 1;
      }
      return one.compareTo(other);
    }
  }
}
