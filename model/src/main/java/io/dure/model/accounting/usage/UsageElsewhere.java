package io.dure.model.accounting.usage;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.collection.IntMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What has been used on other clusters that share slurmdbd, as they last said. It counts where what
 * was used here counts, except that nothing of it is held here.
 *
 * @param clusters by name
 * @param associations the sums of it by the numbers of the associations here; accounts hold what is
 *     used below them
 */
public record UsageElsewhere(List<ClusterUsage> clusters, IntMap<DecayedUsage> associations) {
  /** Nothing used elsewhere. */
  public static final UsageElsewhere NONE = new UsageElsewhere(List.of(), IntMap.empty());

  /** Whose use it is. */
  private record Key(String account, String user, @Nullable String partition) {
    static Key of(ClusterUsage.OfUser one) {
      return new Key(one.account(), one.user(), one.partition());
    }
  }

  public UsageElsewhere {
    clusters = List.copyOf(clusters);
  }

  /**
   * What other clusters say.
   *
   * @param changed users of which something else is known now; others stay
   * @param known the clusters there are; what others used is forgotten
   * @param whole clusters of which all users are named
   */
  public record News(List<ClusterUsage> changed, List<String> known, List<String> whole) {}

  /** What other clusters say now. */
  UsageElsewhere with(News news, AccountingTree tree, Instant at, UsageDecay decay) {
    List<ClusterUsage> next = new ArrayList<>();
    for (String name : news.known().stream().sorted().toList()) {
      Map<Key, ClusterUsage.OfUser> users = new LinkedHashMap<>();
      if (!news.whole().contains(name)) {
        collect(users, name, clusters);
      }
      collect(users, name, news.changed());
      users.values().removeIf(one -> one.usage().isNothing());
      if (!users.isEmpty()) {
        next.add(new ClusterUsage(name, List.copyOf(users.values())));
      }
    }
    return new UsageElsewhere(next, IntMap.empty()).forTree(tree, at, decay);
  }

  private static void collect(
      Map<Key, ClusterUsage.OfUser> users, String cluster, List<ClusterUsage> from) {
    for (ClusterUsage one : from) {
      if (one.cluster().equals(cluster)) {
        one.users().forEach(user -> users.put(Key.of(user), user));
      }
    }
  }

  /** The same with other associations; all of it brought to that time. */
  UsageElsewhere forTree(AccountingTree tree, Instant at, UsageDecay decay) {
    List<ClusterUsage> next = new ArrayList<>();
    SortedMap<Integer, DecayedUsage> direct = new TreeMap<>();
    for (ClusterUsage cluster : clusters) {
      List<ClusterUsage.OfUser> users = new ArrayList<>();
      for (ClusterUsage.OfUser one : cluster.users()) {
        DecayedUsage usage = one.usage().at(at, decay);
        users.add(new ClusterUsage.OfUser(one.account(), one.user(), one.partition(), usage));
        Association counted = tree.charged(one.account(), one.user(), one.partition());
        if (counted == null) {
          counted = tree.association(one.account(), null, null);
        }
        if (counted != null) {
          direct.merge(counted.id(), usage.unheld(), DecayedUsage::plus);
        }
      }
      next.add(new ClusterUsage(cluster.cluster(), users));
    }
    return new UsageElsewhere(next, sums(tree, direct));
  }

  /**
   * What counts to associations and to all above them; each hands its sum up once, and what nothing
   * counts to is not looked at.
   */
  private static IntMap<DecayedUsage> sums(
      AccountingTree tree, SortedMap<Integer, DecayedUsage> direct) {
    SortedMap<Integer, DecayedUsage> all = new TreeMap<>(direct);
    Paths paths = new Paths(tree);
    direct.keySet().forEach(id -> paths.add(tree.associations().require(id)));
    for (List<Association> level : paths.levels.values()) {
      for (Association one : level) {
        DecayedUsage used = all.get(one.id());
        Association above = tree.parent(one);
        if (used != null && above != null) {
          all.merge(above.id(), used, DecayedUsage::plus);
        }
      }
    }
    IntMap<DecayedUsage> sums = IntMap.empty();
    for (Map.Entry<Integer, DecayedUsage> one : all.entrySet()) {
      sums = sums.with(one.getKey(), one.getValue());
    }
    return sums;
  }

  /** Associations and all above them, each once. */
  private static final class Paths {
    private final AccountingTree tree;
    private final SortedMap<Integer, Integer> depths = new TreeMap<>();

    /** By how many stand above, the most first. */
    private final SortedMap<Integer, List<Association>> levels =
        new TreeMap<>(Comparator.reverseOrder());

    Paths(AccountingTree tree) {
      this.tree = tree;
    }

    /** How many stand above it. */
    int add(Association one) {
      Integer known = depths.get(one.id());
      if (known != null) {
        return known;
      }
      Association above = tree.parent(one);
      int depth = above == null ? 0 : add(above) + 1;
      depths.put(one.id(), depth);
      levels.computeIfAbsent(depth, _ -> new ArrayList<>()).add(one);
      return depth;
    }
  }
}
