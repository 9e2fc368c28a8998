package io.dure.controller.slurmdbd;

import io.dure.model.accounting.usage.ClusterUsage;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.time.Duration;
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
  /** A leader that is over knows it within this time. */
  private static final Duration DEPOSED = Duration.ofSeconds(30);

  private final ReentrantLock lock = new ReentrantLock();
  private final String id = UUID.randomUUID().toString();

  /** What is known, by cluster; guarded by the lock. */
  private final SortedMap<String, Cluster> clusters = new TreeMap<>();

  /** How often something changed; guarded by the lock. */
  private long version;

  private final List<String> privateData;

  /**
   * Nothing was said.
   *
   * @param privateData what of the books controllers are told to hide
   */
  UsageBoard(List<String> privateData) {
    this.privateData = List.copyOf(privateData);
  }

  /** Whose use it is. */
  private record Key(String account, String user, @Nullable String partition) {
    static Key of(ClusterUsage.OfUser one) {
      return new Key(one.account(), one.user(), one.partition());
    }
  }

  /** What a cluster said; guarded by the lock. */
  private static final class Cluster {
    private final Map<Key, Entry> users = new LinkedHashMap<>();
    private String teller = "";

    /** How many events the state had that was told of last. */
    private long count;

    /** By {@link System#nanoTime}. */
    private long toldAt;

    /** When all of it was told. */
    private long wholeAt;

    /** Whether another leader tells that is over, and does not know it yet. */
    boolean isOutdated(SlurmdbdRequest.ShareUsage asked) {
      return !asked.teller().equals(teller)
          && asked.count() < count
          && System.nanoTime() - toldAt < DEPOSED.toNanos();
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
      Cluster told = clusters.get(asked.cluster());
      boolean outdated = told != null && told.isOutdated(asked);
      boolean takes =
          asked.whole() || follows && told != null && told.teller.equals(asked.teller());
      if (takes && !outdated && known.contains(asked.cluster())) {
        take(asked);
      }
      List<String> others =
          known.stream().filter(name -> !name.equals(asked.cluster())).sorted().toList();
      long since = follows ? asked.version() : 0;
      return new SlurmdbdReply.SharedUsage(
          id,
          version,
          !takes && !outdated,
          since(since, others),
          others,
          whole(since, others),
          privateData);
    } finally {
      lock.unlock();
    }
  }

  private void take(SlurmdbdRequest.ShareUsage asked) {
    Cluster cluster = clusters.computeIfAbsent(asked.cluster(), _ -> new Cluster());
    version++;
    if (asked.whole()) {
      cluster.users.clear();
      cluster.wholeAt = version;
    }
    cluster.teller = asked.teller();
    cluster.count = asked.count();
    cluster.toldAt = System.nanoTime();
    for (ClusterUsage.OfUser one : asked.users()) {
      cluster.users.put(Key.of(one), new Entry(one, version));
    }
  }

  /** Clusters that told all since then; whoever asks gets all of it. */
  private List<String> whole(long since, List<String> others) {
    return others.stream()
        .filter(name -> clusters.getOrDefault(name, new Cluster()).wholeAt > since)
        .toList();
  }

  private List<ClusterUsage> since(long since, List<String> others) {
    List<ClusterUsage> found = new ArrayList<>();
    for (String name : others) {
      List<ClusterUsage.OfUser> changed =
          clusters.getOrDefault(name, new Cluster()).users.values().stream()
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
