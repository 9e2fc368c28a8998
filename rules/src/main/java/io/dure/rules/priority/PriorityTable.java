package io.dure.rules.priority;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.PrioritySettings.Flag;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.usage.FairShareCalculation;
import io.dure.model.accounting.usage.FairShareTable;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.collection.IntMap;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.PriorityFactors;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The priorities of waiting jobs at one time. Fair shares are worked out once for all; each job
 * then takes a few hundred nanoseconds. Immutable; any thread.
 */
public final class PriorityTable {
  private static final double SECONDS_A_MINUTE = 60;
  private static final String GRES = "gres/";

  private final PrioritySettings settings;
  private final Instant now;
  private final IntMap<List<Owned>> owned;
  private final TreeMap<String, Double> qosFactor;
  private final TreeMap<String, Part> parts;
  private final double nodes;
  private final double cpus;
  private static final int AGE = 0;
  private static final int FAIR_SHARE = 2;

  private final double maxAgeSeconds;

  /**
   * What jobs of one user that are charged to one account have in common.
   *
   * @param account what they name, null for none
   * @param partition the partition they would run in
   * @param fairShare their fair share
   * @param assoc their association's own part
   */
  private record Owned(
      @Nullable String account, String partition, double fairShare, double assoc) {}

  /**
   * What jobs in one partition have in common.
   *
   * @param factor the partition's part
   * @param tres what there is of each resource
   */
  private record Part(double factor, TresAmounts tres) {}

  private PriorityTable(Builder builder) {
    settings = builder.settings;
    now = builder.now;
    owned = builder.owned;
    qosFactor = builder.qosFactor;
    parts = builder.parts;
    nodes = builder.nodes;
    cpus = builder.cpus;
    maxAgeSeconds = settings.maxAge().toSeconds();
  }

  /**
   * Whether the order of jobs is made of factors at all: without any weight it is the order of
   * submission, and by its own order Dure does not ask for them.
   */
  public static boolean isInForce(ClusterSettings settings) {
    PrioritySettings.Weights weights = settings.priority().weights();
    return settings.scheduling().multifactor()
        && settings.scheduling().policy() == null
        && (weights.age() > 0
            || weights.assoc() > 0
            || weights.fairShare() > 0
            || weights.jobSize() > 0
            || weights.partition() > 0
            || weights.qos() > 0
            || !weights.tres().isEmpty());
  }

  /**
   * The table for all pending jobs of a cluster.
   *
   * @param now the time that age and usage are of
   */
  public static PriorityTable of(
      SchedulerView view, AccountingTree tree, UsageLedger book, Instant now) {
    return of(view, tree, book, view.pending().values(), now);
  }

  /**
   * The table for some jobs of a cluster.
   *
   * @param jobs those that it will be asked about
   * @param now the time that age and usage are of
   */
  public static PriorityTable of(
      SchedulerView view, AccountingTree tree, UsageLedger book, List<Job> jobs, Instant now) {
    Builder builder = new Builder(view, tree, now);
    builder.partitions(view);
    builder.qos();
    builder.owners(jobs, book);
    return new PriorityTable(builder);
  }

  /** The priority of a job in a partition: 0 while it is held, at least 1 otherwise. */
  public long priority(Job job, PartitionConfig partition) {
    Long fixed = fixed(job);
    if (fixed != null) {
      return fixed;
    }
    return priority(job, partition, factors(job, partition.name()));
  }

  /** A priority that the job cannot get beyond by its age or by what others use meanwhile. */
  public long most(Job job, PartitionConfig partition) {
    Long fixed = fixed(job);
    if (fixed != null) {
      return fixed;
    }
    double[] factors = factors(job, partition.name());
    factors[AGE] = 1;
    factors[FAIR_SHARE] = 1;
    return priority(job, partition, factors);
  }

  private long priority(Job job, PartitionConfig partition, double[] factors) {
    double tres = 0;
    for (Map.Entry<String, Double> weight : settings.weights().tres().entrySet()) {
      tres += tres(job, partition.name(), weight.getKey()) * weight.getValue();
    }
    return PriorityFactors.sum(
        settings.weights(), factors, tres, job.spec().siteFactor(), job.spec().nice());
  }

  /** What the priority of a job in a partition is made of. */
  public PriorityFactors of(Job job, PartitionConfig partition) {
    Long fixed = fixed(job);
    if (fixed != null) {
      return PriorityFactors.fixed(fixed);
    }
    double[] f = factors(job, partition.name());
    return new PriorityFactors(
        f[0],
        f[1],
        f[2],
        f[3],
        f[4],
        f[5],
        tres(job, partition.name()),
        job.spec().siteFactor(),
        job.spec().nice(),
        priority(job, partition),
        false);
  }

  /** What no factor changes: 0 while held, or the value set by hand; null otherwise. */
  private static @Nullable Long fixed(Job job) {
    if (job.priority() == 0) {
      return 0L;
    }
    Long asked = job.spec().priority();
    return asked == null || asked == 0 ? null : asked;
  }

  /** In the order of {@link PriorityFactors}. */
  private double[] factors(Job job, String partition) {
    Owned owner = owned(job, partition);
    Part part = parts.get(partition);
    String qos = job.spec().qos();
    Double fromQos = qos == null ? null : qosFactor.get(qos);
    return new double[] {
      age(job),
      owner == null ? 0 : owner.assoc(),
      owner == null ? 0 : owner.fairShare(),
      size(job.spec()),
      part == null ? 0 : part.factor(),
      fromQos == null ? 0 : fromQos
    };
  }

  /** Whether it was made for jobs of that owner and account in the partition too. */
  public boolean knows(Job job, PartitionConfig partition) {
    return owned(job, partition.name()) != null;
  }

  private @Nullable Owned owned(Job job, String partition) {
    List<Owned> all = owned.get(job.owner().uid());
    if (all == null) {
      return null;
    }
    String account = job.spec().account();
    for (Owned one : all) {
      if (one.partition().equals(partition) && Objects.equals(one.account(), account)) {
        return one;
      }
    }
    return null;
  }

  private double age(Job job) {
    Instant since = job.accrueTime();
    if (settings.has(Flag.ACCRUE_ALWAYS)) {
      since = job.submitTime();
    }
    Instant until = waitedUntil(job);
    if (since == null || until == null || !since.isBefore(until)) {
      return 0;
    }
    double waited = until.getEpochSecond() - since.getEpochSecond();
    return Math.min(1, waited / maxAgeSeconds);
  }

  private @Nullable Instant waitedUntil(Job job) {
    return switch (job.state()) {
      case JobState.Pending _ -> now;
      case JobState.Running running -> running.start();
      case JobState.Suspended suspended -> suspended.run().start();
      case JobState.Completing completing -> completing.start();
      case JobState.Ended ended -> ended.start();
    };
  }

  private double size(JobSpec spec) {
    if (nodes == 0 || cpus == 0) {
      return 0;
    }
    ResourceRequest asked = spec.resources();
    double n = Math.min(asked.minNodes(), nodes);
    double c = Math.min((double) asked.tasks() * asked.cpusPerTask(), cpus);
    double factor;
    if (settings.has(Flag.SMALL_RELATIVE_TO_TIME)) {
      double relative = Math.max(n * cpus / nodes, c) / minutes(spec.timeLimit()) / cpus;
      factor = settings.favorSmall() ? 1 - relative : relative;
    } else if (settings.favorSmall()) {
      factor = ((nodes - n) / nodes + (cpus - c) / cpus) / 2;
    } else {
      factor = (n / nodes + c / cpus) / 2;
    }
    return Math.clamp(factor, 0.0, 1.0);
  }

  private static double minutes(TimeLimit limit) {
    return switch (limit) {
      case TimeLimit.Limited(Duration time) -> Math.max(1, time.toSeconds() / SECONDS_A_MINUTE);
      case TimeLimit.Unlimited _, TimeLimit.PartitionDefault _ -> Integer.MAX_VALUE;
    };
  }

  /** What a job asks for of each resource that has a weight, as part of what the partition has. */
  private Map<String, Double> tres(Job job, String partition) {
    if (settings.weights().tres().isEmpty()) {
      return Map.of();
    }
    Map<String, Double> found = new LinkedHashMap<>();
    for (String name : settings.weights().tres().keySet()) {
      found.put(name, tres(job, partition, name));
    }
    return found;
  }

  private double tres(Job job, String partition, String name) {
    Part part = parts.get(partition);
    ResourceRequest asked = job.spec().resources();
    long askedCpus = (long) asked.tasks() * asked.cpusPerTask();
    double wanted =
        switch (name) {
          case TresAmounts.CPU -> askedCpus;
          case TresAmounts.NODE -> asked.minNodes();
          case TresAmounts.MEMORY -> memory(asked, askedCpus);
          default -> name.startsWith(GRES) ? gres(asked, name.substring(GRES.length())) : 0;
        };
    if (settings.has(Flag.NO_NORMAL_TRES)) {
      return wanted;
    }
    double all = part == null ? 0 : part.tres().of(name);
    return all == 0 ? 0 : Math.min(1, wanted / all);
  }

  private static double memory(ResourceRequest asked, long cpus) {
    return switch (asked.memory()) {
      case MemoryRequest.PerNode(long mib) -> (double) mib * asked.minNodes();
      case MemoryRequest.PerCpu(long mib) -> (double) mib * cpus;
      case MemoryRequest.PerGpu(long mib) -> mib * gres(asked, GresCount.GPU);
      case MemoryRequest.Default _ -> 0;
    };
  }

  /** How many of a generic resource a job asks for on all its nodes. */
  private static double gres(ResourceRequest asked, String kind) {
    GresRequest request = asked.gres();
    if (request == null) {
      return 0;
    }
    return count(request.perJob(), kind)
        + count(request.perNode(), kind) * asked.minNodes()
        + count(request.perSocket(), kind) * asked.minNodes()
        + count(request.perTask(), kind) * asked.tasks();
  }

  private static double count(List<GresCount> counts, String kind) {
    double sum = 0;
    for (GresCount one : counts) {
      boolean meant = kind.equals(one.name()) || kind.equals(one.name() + ":" + one.type());
      sum += meant ? (double) one.count() : 0;
    }
    return sum;
  }

  /** A table being made. */
  private static final class Builder {
    private final PrioritySettings settings;
    private final AccountingTree tree;
    private final Instant now;
    private final TreeMap<String, Double> qosFactor = new TreeMap<>();
    private final TreeMap<String, Part> parts = new TreeMap<>();
    private IntMap<List<Owned>> owned = IntMap.empty();
    private double nodes;
    private double cpus;

    Builder(SchedulerView view, AccountingTree tree, Instant now) {
      settings = view.settings().priority();
      this.tree = tree;
      this.now = now;
    }

    void partitions(SchedulerView view) {
      TreeMap<String, SchedulerNode> byName = new TreeMap<>();
      for (SchedulerNode node : view.nodes().values()) {
        byName.put(node.config().name(), node);
        nodes++;
        cpus += node.config().shape().cpus();
      }
      double most = 0;
      for (PartitionConfig partition : view.partitions()) {
        most = Math.max(most, partition.priorityJobFactor());
      }
      boolean raw = settings.has(Flag.NO_NORMAL_PART);
      boolean counted = !settings.weights().tres().isEmpty();
      for (PartitionConfig partition : view.partitions()) {
        double factor = partition.priorityJobFactor();
        parts.put(
            partition.name(),
            new Part(
                raw ? factor : most == 0 ? 0 : factor / most,
                counted ? tres(partition, byName) : TresAmounts.NONE));
      }
    }

    private TresAmounts tres(PartitionConfig partition, Map<String, SchedulerNode> byName) {
      TresAmounts all = TresAmounts.NONE;
      for (String weighed : settings.weights().tres().keySet()) {
        long count = 0;
        for (String name : partition.nodes()) {
          SchedulerNode node = byName.get(name);
          count += node == null ? 0 : count(node.config(), weighed);
        }
        all = all.with(weighed, count);
      }
      return all;
    }

    private static long count(NodeConfig node, String tres) {
      return switch (tres) {
        case TresAmounts.CPU -> node.shape().cpus();
        case TresAmounts.MEMORY -> node.realMemoryMib();
        case TresAmounts.NODE -> 1;
        default -> tres.startsWith(GRES) ? gres(node, tres.substring(GRES.length())) : 0;
      };
    }

    private static long gres(NodeConfig node, String kind) {
      int colon = kind.indexOf(':');
      return colon < 0
          ? node.resources().count(kind, null)
          : node.resources().count(kind.substring(0, colon), kind.substring(colon + 1));
    }

    void qos() {
      double most = 0;
      for (Qos one : tree.qosByNumber()) {
        most = Math.max(most, (double) one.priority());
      }
      boolean raw = settings.has(Flag.NO_NORMAL_QOS);
      for (Qos one : tree.qosByNumber()) {
        double own = one.priority();
        qosFactor.put(one.name(), raw ? own : most == 0 ? 0 : own / most);
      }
    }

    /** Those who have waiting jobs, by what their jobs are charged to. */
    void owners(List<Job> jobs, UsageLedger book) {
      FairShareTable shares = FairShareCalculation.of(settings, tree, book, now);
      double most = mostPriority();
      boolean raw = settings.has(Flag.NO_NORMAL_ASSOC);
      for (Job job : jobs) {
        for (String partition : job.spec().partitions()) {
          owner(job, partition, shares, raw ? 1 : most);
        }
      }
    }

    private double mostPriority() {
      double most = 0;
      if (settings.weights().assoc() > 0) {
        for (Association one : tree.associations().values()) {
          Long own = tree.effective(one).priority();
          most = Math.max(most, own == null ? 0.0 : own.doubleValue());
        }
      }
      return most;
    }

    private void owner(Job job, String partition, FairShareTable shares, double most) {
      int uid = job.owner().uid();
      String account = job.spec().account();
      List<Owned> known = owned.get(uid);
      if (known != null) {
        for (Owned one : known) {
          boolean same =
              one.partition().equals(partition) && Objects.equals(one.account(), account);
          if (same) {
            return;
          }
        }
      }
      List<Owned> next = new ArrayList<>(known == null ? List.of() : known);
      Association association =
          account == null ? null : tree.charged(account, job.owner().userName(), partition);
      Long own = association == null ? null : tree.effective(association).priority();
      next.add(
          new Owned(
              account,
              partition,
              association == null ? 0 : shares.factor(association),
              own == null || most == 0 ? 0 : own / most));
      owned = owned.with(uid, List.copyOf(next));
    }
  }
}
