package io.dure.model.accounting.usage;

import io.dure.model.collection.IntMap;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs wait or run, by whom they are charged to: by names, so that changes of the accounts
 * change nothing here. Each task of an array counts. It follows from the jobs, and is not stored.
 * Immutable.
 */
public final class OwnerJobCounts {
  /** No jobs. */
  public static final OwnerJobCounts NONE = new OwnerJobCounts(IntMap.empty());

  private static final int BUCKETS = 1 << 16;
  private static final String AGEING = "ageing\n";

  private final IntMap<List<Count>> buckets;

  /** How many there are of a name; at least one. */
  private record Count(String name, long jobs) {}

  private OwnerJobCounts(IntMap<List<Count>> buckets) {
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

  /** Waiting jobs of an account itself whose age counts. */
  public long ageingOfAccount(String account) {
    return of(AGEING + account(account));
  }

  /** Waiting jobs of a user charged to an account whose age counts. */
  public long ageingOfUser(String account, String user) {
    return of(AGEING + user(account, user));
  }

  /** Waiting jobs of a QOS whose age counts. */
  public long ageingOfQos(String qos) {
    return of(AGEING + qos(qos));
  }

  /** Waiting jobs of a QOS and a user whose age counts. */
  public long ageingOfQosAndUser(String qos, String user) {
    return of(AGEING + qos(qos) + "\nuser\n" + user);
  }

  /** Waiting jobs of a QOS and an account whose age counts. */
  public long ageingOfQosAndAccount(String qos, String account) {
    return of(AGEING + qos(qos) + "\naccount\n" + account);
  }

  /**
   * Jobs that a QOS binds.
   *
   * @param partitions those of which it is the QOS
   */
  public long ofQos(String qos, List<String> partitions) {
    return bound(qos, partitions, "");
  }

  /** Jobs of a user that a QOS binds. */
  public long ofQosAndUser(String qos, List<String> partitions, String user) {
    return bound(qos, partitions, "\nuser\n" + user);
  }

  /** Jobs of an account that a QOS binds. */
  public long ofQosAndAccount(String qos, List<String> partitions, String account) {
    return bound(qos, partitions, "\naccount\n" + account);
  }

  private long bound(String qos, List<String> partitions, String whose) {
    long sum = of(qos(qos) + whose);
    for (String partition : partitions) {
      // Those whose own QOS it is are counted already.
      sum += of(place(partition) + whose) - of(both(qos, partition) + whose);
    }
    return sum;
  }

  /** After a job became another; null before it came and after it went. */
  public OwnerJobCounts changed(@Nullable Job before, @Nullable Job after) {
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
    String partition = partition(job);
    String qos = job.spec().qos();
    if (qos != null) {
      addBound(names, qos(qos), user, account);
    }
    if (partition != null) {
      addBound(names, place(partition), user, account);
    }
    if (qos != null && partition != null) {
      addBound(names, both(qos, partition), user, account);
    }
    if (isAgeing(job)) {
      addAgeing(names, qos, user, account);
    }
    return names;
  }

  private static boolean isAgeing(Job job) {
    return job.state() instanceof JobState.Pending pending
        && pending.hold() == Hold.NONE
        && job.accrueTime() != null;
  }

  private static void addAgeing(
      List<String> names, @Nullable String qos, String user, @Nullable String account) {
    if (account != null) {
      names.add(AGEING + account(account));
      names.add(AGEING + user(account, user));
    }
    if (qos != null) {
      addBound(names, AGEING + qos(qos), user, account);
    }
  }

  private static void addBound(
      List<String> names, String what, String user, @Nullable String account) {
    names.add(what);
    names.add(what + "\nuser\n" + user);
    if (account != null) {
      names.add(what + "\naccount\n" + account);
    }
  }

  /** Where a job runs, or would run first. */
  private static @Nullable String partition(Job job) {
    List<String> asked = job.spec().partitions();
    return switch (job.state()) {
      case JobState.Running running -> running.allocation().partition();
      case JobState.Suspended suspended -> suspended.run().allocation().partition();
      case JobState.Pending _, JobState.Completing _, JobState.Ended _ ->
          asked.isEmpty() ? null : asked.getFirst();
    };
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

  private static String place(String partition) {
    return "place\n" + partition;
  }

  private static String both(String qos, String partition) {
    return "both\n" + qos + "\n" + partition;
  }

  private OwnerJobCounts with(@Nullable Job job, long more) {
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
    return new OwnerJobCounts(next);
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
    return other instanceof OwnerJobCounts counts && buckets.equals(counts.buckets);
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
