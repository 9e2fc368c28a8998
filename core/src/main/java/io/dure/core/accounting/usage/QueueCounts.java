package io.dure.core.accounting.usage;

import io.dure.core.collection.IntMap;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs wait or run, by whom they are charged to: by names, so that changes of the accounts
 * change nothing here. Each task of an array counts. It follows from the jobs, and is not stored.
 * Immutable.
 */
public final class QueueCounts {
  /** No jobs. */
  public static final QueueCounts NONE = new QueueCounts(IntMap.empty());

  private static final int BUCKETS = 1 << 16;

  private final IntMap<List<Count>> buckets;

  /** How many there are of a name; at least one. */
  private record Count(String name, long jobs) {}

  private QueueCounts(IntMap<List<Count>> buckets) {
    this.buckets = buckets;
  }

  /** Jobs charged to an account itself. */
  public long ofAccount(String account) {
    return of(account(account));
  }

  /** Jobs of a user charged to an account. */
  public long ofUser(String account, String user) {
    return of(user(account, user));
  }

  /** Jobs of a user charged to an account that ask for a partition before all others. */
  public long ofUser(String account, String user, String partition) {
    return of(partition(account, user, partition));
  }

  /** Jobs of a QOS. */
  public long ofQos(String qos) {
    return of(qos(qos));
  }

  /** Jobs of a QOS and a user. */
  public long ofQosAndUser(String qos, String user) {
    return of(qosAndUser(qos, user));
  }

  /** Jobs of a QOS and an account. */
  public long ofQosAndAccount(String qos, String account) {
    return of(qosAndAccount(qos, account));
  }

  /** After a job became another; null before it came and after it went. */
  public QueueCounts changed(@Nullable Job before, @Nullable Job after) {
    if (jobs(before) == jobs(after) && names(before).equals(names(after))) {
      return this;
    }
    return with(before, -jobs(before)).with(after, jobs(after));
  }

  private static long jobs(@Nullable Job job) {
    return switch (job == null ? null : job.state()) {
      case JobState.Pending _, JobState.Running _, JobState.Suspended _ ->
          job != null && job.array() instanceof ArrayPart.Waiting waiting
              ? waiting.waiting().size()
              : 1;
      case JobState.Completing _, JobState.Ended _ -> 0;
      case null -> 0;
    };
  }

  private static List<String> names(@Nullable Job job) {
    if (job == null) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    String account = job.spec().account();
    String user = job.owner().userName();
    if (account != null) {
      names.add(account(account));
      names.add(user(account, user));
      if (!job.spec().partitions().isEmpty()) {
        names.add(partition(account, user, job.spec().partitions().getFirst()));
      }
    }
    String qos = job.spec().qos();
    if (qos != null) {
      names.add(qos(qos));
      names.add(qosAndUser(qos, user));
      if (account != null) {
        names.add(qosAndAccount(qos, account));
      }
    }
    return names;
  }

  private static String account(String account) {
    return "account\n" + account;
  }

  private static String user(String account, String user) {
    return "user\n" + account + "\n" + user;
  }

  private static String partition(String account, String user, String partition) {
    return "partition\n" + account + "\n" + user + "\n" + partition;
  }

  private static String qos(String qos) {
    return "qos\n" + qos;
  }

  private static String qosAndUser(String qos, String user) {
    return "qos+user\n" + qos + "\n" + user;
  }

  private static String qosAndAccount(String qos, String account) {
    return "qos+account\n" + qos + "\n" + account;
  }

  private QueueCounts with(@Nullable Job job, long more) {
    if (more == 0) {
      return this;
    }
    IntMap<List<Count>> next = buckets;
    for (String name : names(job)) {
      List<Count> counts = new ArrayList<>();
      long jobs = more;
      for (Count one : bucket(next, name)) {
        if (one.name().equals(name)) {
          jobs += one.jobs();
        } else {
          counts.add(one);
        }
      }
      if (jobs != 0) {
        counts.add(new Count(name, jobs));
        counts.sort(Comparator.comparing(Count::name));
      }
      int key = key(name);
      next = counts.isEmpty() ? next.without(key) : next.with(key, List.copyOf(counts));
    }
    return new QueueCounts(next);
  }

  private long of(String name) {
    for (Count one : bucket(buckets, name)) {
      if (one.name().equals(name)) {
        return one.jobs();
      }
    }
    return 0;
  }

  private static List<Count> bucket(IntMap<List<Count>> buckets, String name) {
    List<Count> bucket = buckets.get(key(name));
    return bucket == null ? List.of() : bucket;
  }

  private static int key(String name) {
    return Math.floorMod(name.hashCode(), BUCKETS);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QueueCounts counts && buckets.equals(counts.buckets);
  }

  @Override
  public int hashCode() {
    return buckets.hashCode();
  }

  @Override
  public String toString() {
    return buckets.toString();
  }
}
