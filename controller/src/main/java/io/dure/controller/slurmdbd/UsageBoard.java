package io.dure.controller.slurmdbd;

import io.dure.model.accounting.usage.ClusterUsage;
import io.dure.model.accounting.usage.DecayedUsage;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the users of each cluster have used, as its controller last said, for the controllers of the
 * others. Kept in memory alone: controllers keep what they heard, and tell all again when this
 * begins anew. Any thread.
 */
final class UsageBoard {
  private final ReentrantLock lock = new ReentrantLock();
  private final String id = UUID.randomUUID().toString();

  /** What is known, by cluster; guarded by the lock. */
  private final SortedMap<String, Map<Key, Entry>> clusters = new TreeMap<>();

  /** How often something changed; guarded by the lock. */
  private long version;

  /** Whose use it is. */
  private record Key(String account, String user, @Nullable String partition) {
    static Key of(ClusterUsage.OfUser one) {
      return new Key(one.account(), one.user(), one.partition());
    }
  }

  /**
   * What was said last of a user.
   *
   * @param version when it was said
   */
  private record Entry(ClusterUsage.OfUser usage, long version) {}

  /**
   * Takes what one cluster says, and answers with what others said since it last heard.
   *
   * @param known the clusters that there are
   */
  SlurmdbdReply.SharedUsage share(SlurmdbdRequest.ShareUsage asked, List<String> known) {
    lock.lock();
    try {
      clusters.keySet().retainAll(known);
      boolean follows = asked.board().equals(id);
      boolean takes = asked.whole() || follows && clusters.containsKey(asked.cluster());
      if (takes && known.contains(asked.cluster())) {
        take(asked);
      }
      List<String> others =
          known.stream().filter(name -> !name.equals(asked.cluster())).sorted().toList();
      long since = follows ? asked.version() : 0;
      return new SlurmdbdReply.SharedUsage(id, version, !takes, since(since, others), others);
    } finally {
      lock.unlock();
    }
  }

  private void take(SlurmdbdRequest.ShareUsage asked) {
    Map<Key, Entry> users = clusters.computeIfAbsent(asked.cluster(), _ -> new LinkedHashMap<>());
    version++;
    if (asked.whole()) {
      users.replaceAll((_, entry) -> new Entry(nothing(entry.usage()), version));
    }
    for (ClusterUsage.OfUser one : asked.users()) {
      users.put(Key.of(one), new Entry(one, version));
    }
  }

  private static ClusterUsage.OfUser nothing(ClusterUsage.OfUser one) {
    return new ClusterUsage.OfUser(
        one.account(), one.user(), one.partition(), DecayedUsage.none(one.usage().at()));
  }

  private List<ClusterUsage> since(long since, List<String> others) {
    List<ClusterUsage> found = new ArrayList<>();
    for (String name : others) {
      List<ClusterUsage.OfUser> changed =
          clusters.getOrDefault(name, Map.of()).values().stream()
              .filter(entry -> entry.version() > since)
              .map(Entry::usage)
              .toList();
      if (!changed.isEmpty()) {
        found.add(new ClusterUsage(name, changed));
      }
    }
    return found;
  }
}
