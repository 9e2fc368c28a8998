package io.dure.rules.priority;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.collection.IntMap;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.node.NodeLife;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each factor and flag of multifactor priority, one rule a line. */
@Tag("pure")
class PriorityTableTest {
  private static final Instant NOW = Instant.parse("2026-01-12T00:00:00Z");
  private static final String LAB =
      """
      ClusterName=lab
      SlurmctldHost=c
      NodeName=n[1-4] CPUs=16 RealMemory=32000
      PartitionName=debug Nodes=ALL Default=YES PriorityJobFactor=10
      PartitionName=short Nodes=n1 PriorityJobFactor=20
      """;
  private static final String WEIGHTS =
      """
      PriorityWeightFairShare=100000
      PriorityWeightAge=1000
      PriorityWeightPartition=10000
      PriorityWeightJobSize=500
      PriorityWeightQOS=20000
      """;

  private record Node(NodeConfig config) implements SchedulerNode {
    @Override
    public NodeLife life() {
      return NodeLife.Plain.UP;
    }

    @Override
    public IntMap<NodeShare> shares() {
      return IntMap.empty();
    }
  }

  private record View(ClusterConfig config, IntMap<Node> nodes, IntMap<Job> pending)
      implements SchedulerView {
    @Override
    public ClusterSettings settings() {
      return config.settings();
    }

    @Override
    public List<PartitionConfig> partitions() {
      return config.partitions();
    }

    @Override
    public int nodePosition(String name) {
      return -1;
    }

    @Override
    public IntMap<Job> active() {
      return IntMap.empty();
    }

    @Override
    public IntMap<Integer> arrayTasks(int arrayJobId) {
      return IntMap.empty();
    }
  }

  private static View view(String text, List<Job> jobs) {
    ClusterConfig config = SlurmConfParser.parseAlone("slurm.conf", LAB + text).config();
    IntMap<Node> nodes = IntMap.empty();
    for (NodeConfig node : config.nodes()) {
      nodes = nodes.with(nodes.size(), new Node(node));
    }
    IntMap<Job> pending = IntMap.empty();
    for (Job job : jobs) {
      pending = pending.with(job.id(), job);
    }
    return new View(config, nodes, pending);
  }

  /** The lab's tree and usage, in which alice has 0.4 of physics and 0.8 of bio. */
  private static AccountingTree tree() {
    try {
      AccountingTree tree = AccountingTree.initial();
      tree = account(tree, "science", "root", 80);
      tree = account(tree, "physics", "science", 60);
      tree = account(tree, "bio", "science", 40);
      tree = account(tree, "ops", "root", 20);
      tree =
          tree.with(
              List.of(
                  new AccountingChange.UserSet(
                      new AccountUser("alice", AdminLevel.NONE, "physics")),
                  new AccountingChange.UserSet(new AccountUser("bob", AdminLevel.NONE, "bio")),
                  user(tree, 0, "physics", "alice", 10, 6L),
                  user(tree, 1, "bio", "alice", 5, null),
                  user(tree, 2, "bio", "bob", 10, 12L),
                  user(tree, 3, "ops", "root", 1, null),
                  new AccountingChange.QosSet(qos(2, "high", 1000)),
                  new AccountingChange.QosSet(qos(3, "low", 10))));
      return tree;
    } catch (InvalidAccountingException e) {
      throw new AssertionError(e.text(), e);
    }
  }

  private static AccountingTree account(
      AccountingTree tree, String name, String parent, long shares)
      throws InvalidAccountingException {
    return tree.with(
        List.of(
            new AccountingChange.AccountSet(new Account(name, name, name, List.of())),
            new AccountingChange.AssociationSet(
                Association.ofAccount(tree.nextAssociation(), name, parent).withShares(shares))));
  }

  private static AccountingChange user(
      AccountingTree tree, int more, String account, String user, long shares, Long priority) {
    return new AccountingChange.AssociationSet(
        Association.ofUser(tree.nextAssociation() + more, account, user, null)
            .withShares(shares)
            .withPriority(priority));
  }

  private static Qos qos(int id, String name, long priority) {
    return new Qos(
        id,
        name,
        "",
        priority,
        List.of(),
        List.of(),
        null,
        null,
        Duration.ZERO,
        1,
        null,
        null,
        AccountingLimits.NONE);
  }

  private static UsageLedger used(AccountingTree tree) {
    UsageLedger book = UsageLedger.EMPTY;
    book = use(tree, book, "root", "root", 12119, 3);
    book = use(tree, book, "bio", "bob", 1758, 2);
    return use(tree, book, "physics", "alice", 4857, 1);
  }

  private static UsageLedger use(
      AccountingTree tree, UsageLedger book, String account, String user, int seconds, int ago) {
    JobCharge charge =
        JobCharge.of(tree.association(account, user, null), null, seconds, TresAmounts.NONE);
    Instant start = NOW.minusSeconds(ago);
    return book.started(tree, 1, charge, start, UsageDecay.NONE)
        .ended(tree, 1, start.plusSeconds(1), UsageDecay.NONE);
  }

  /** A job of alice that became eligible just now, unless it says otherwise. */
  private static final class Asked {
    private String account = "physics";
    private String qos;
    private int nodes = 1;
    private int tasks = 1;
    private long nice;
    private long site;
    private Long fixed;
    private boolean held;
    private Duration age = Duration.ZERO;
    private Duration sinceSubmission = Duration.ZERO;
    private TimeLimit limit = TimeLimit.minutes(10);
    private List<String> partitions = List.of("debug");

    private ResourceRequest request() {
      return ResourceRequest.of(nodes, tasks, 1).withMemory(new MemoryRequest.PerCpu(1000));
    }

    private JobSpec spec() {
      return JobSpec.of("it", partitions, request(), limit)
          .with()
          .account(account)
          .qos(qos)
          .priority(fixed)
          .nice(nice)
          .siteFactor(site)
          .build();
    }

    private Job job(int id) {
      Workload.BatchSpec batch = Workload.BatchSpec.nothing("/");
      JobState state =
          new JobState.Pending(held ? Hold.USER : Hold.NONE, null, List.of(), false, false);
      UserIdentity owner = new UserIdentity(1001, 1001, "alice", "alice");
      return new Job(
          id,
          null,
          owner,
          spec(),
          batch,
          NOW.minus(sinceSubmission),
          NOW.minus(age),
          held ? 0 : 7,
          0,
          0,
          state,
          null);
    }
  }

  private interface Change {
    void on(Asked job);
  }

  private static long priority(String settings, String partition, Change change) {
    Asked asked = new Asked();
    asked.partitions = List.of(partition);
    change.on(asked);
    Job job = asked.job(1);
    View view = view(settings, List.of(job));
    AccountingTree tree = tree();
    PriorityTable table = PriorityTable.of(view, tree, used(tree), NOW);
    PartitionConfig in = view.partition(partition);
    assertEquals(table.priority(job, in), table.of(job, in).priority());
    return table.priority(job, in);
  }

  private static DynamicTest rule(String name, long expected, String settings, Change change) {
    return rule(name, expected, settings, "debug", change);
  }

  private static DynamicTest rule(
      String name, long expected, String settings, String partition, Change change) {
    return DynamicTest.dynamicTest(
        name, () -> assertEquals(expected, priority(settings, partition, change)));
  }

  private static String weight(String name, int value) {
    return "PriorityWeight" + name + "=" + value + "\n";
  }

  @TestFactory
  Stream<DynamicTest> whatARealSlurmPrinted() {
    return Stream.of(
        rule("one CPU", 45066, WEIGHTS, _ -> {}),
        rule(
            "four nodes",
            45265,
            WEIGHTS,
            j -> {
              j.nodes = 4;
              j.tasks = 4;
            }),
        rule(
            "high QOS and nice",
            65325,
            WEIGHTS,
            j -> {
              j.tasks = 32;
              j.nodes = 4;
              j.nodes = 4;
              j.qos = "high";
              j.nice = 50;
            }),
        rule(
            "low QOS",
            45309,
            WEIGHTS,
            j -> {
              j.tasks = 12;
              j.qos = "low";
            }),
        rule(
            "the whole cluster",
            45500,
            WEIGHTS,
            j -> {
              j.nodes = 4;
              j.tasks = 64;
            }),
        rule("another partition", 50066, WEIGHTS, "short", _ -> {}));
  }

  @TestFactory
  Stream<DynamicTest> factorsOfAgeAndAssociation() {
    return Stream.of(
        rule("no weight: at least one", 1, "", _ -> {}),
        rule("age is part of a week", 500, weight("Age", 1000), j -> j.age = Duration.ofHours(84)),
        rule("age counts to its bound", 1000, weight("Age", 1000), j -> j.age = Duration.ofDays(9)),
        rule(
            "PriorityMaxAge",
            1000,
            weight("Age", 1000) + "PriorityMaxAge=1-0\n",
            j -> j.age = Duration.ofDays(1)),
        rule(
            "age counts from eligibility",
            1,
            weight("Age", 1000),
            j -> j.sinceSubmission = Duration.ofDays(7)),
        rule(
            "ACCRUE_ALWAYS counts from submission",
            1000,
            weight("Age", 1000) + "PriorityFlags=ACCRUE_ALWAYS\n",
            j -> j.sinceSubmission = Duration.ofDays(7)),
        rule("fair share of the account", 800, weight("FairShare", 1000), j -> j.account = "bio"),
        rule("no association, no share", 1, weight("FairShare", 1000), j -> j.account = "ops"),
        rule("no account, no share", 1, weight("FairShare", 1000), j -> j.account = null),
        rule("association's priority by the greatest", 500, weight("Assoc", 1000), _ -> {}),
        rule(
            "NO_NORMAL_ASSOC",
            6000,
            weight("Assoc", 1000) + "PriorityFlags=NO_NORMAL_ASSOC\n",
            _ -> {}));
  }

  @TestFactory
  Stream<DynamicTest> factorsOfPartitionQosAndSize() {
    return Stream.of(
        rule("partition by the greatest", 500, weight("Partition", 1000), _ -> {}),
        rule("greatest partition", 1000, weight("Partition", 1000), "short", _ -> {}),
        rule(
            "NO_NORMAL_PART",
            10_000,
            weight("Partition", 1000) + "PriorityFlags=NO_NORMAL_PART\n",
            _ -> {}),
        rule("QOS by the greatest", 10, weight("QOS", 1000), j -> j.qos = "low"),
        rule(
            "NO_NORMAL_QOS",
            10_000,
            weight("QOS", 1000) + "PriorityFlags=NO_NORMAL_QOS\n",
            j -> j.qos = "low"),
        rule("size: nodes and CPUs", 132, weight("JobSize", 1000), _ -> {}),
        rule(
            "PriorityFavorSmall",
            867,
            weight("JobSize", 1000) + "PriorityFavorSmall=YES\n",
            _ -> {}),
        rule(
            "SMALL_RELATIVE_TO_TIME",
            25,
            weight("JobSize", 1000) + "PriorityFlags=SMALL_RELATIVE_TO_TIME\n",
            _ -> {}),
        rule(
            "small and relative to time",
            975,
            weight("JobSize", 1000)
                + "PriorityFavorSmall=YES\nPriorityFlags=SMALL_RELATIVE_TO_TIME\n",
            _ -> {}),
        rule(
            "larger than the cluster is as large",
            1000,
            weight("JobSize", 1000),
            j -> {
              j.nodes = 400;
              j.tasks = 4000;
            }));
  }

  @TestFactory
  Stream<DynamicTest> whatIsAddedTakenAndFixed() {
    return Stream.of(
        rule("TRES by the partition's", 62, "PriorityWeightTRES=CPU=1000\n", "short", _ -> {}),
        rule("memory by the partition's", 31, "PriorityWeightTRES=Mem=1000\n", "short", _ -> {}),
        rule(
            "NO_NORMAL_TRES",
            1000,
            "PriorityWeightTRES=CPU=1000\nPriorityFlags=NO_NORMAL_TRES\n",
            _ -> {}),
        rule("nice is taken away", 400, weight("Partition", 1000), j -> j.nice = 100),
        rule("negative nice is added", 600, weight("Partition", 1000), j -> j.nice = -100),
        rule("never below one", 1, weight("Partition", 1000), j -> j.nice = 1_000_000),
        rule("site factor is added", 777, weight("Partition", 1000), j -> j.site = 277),
        rule(
            "never above 32 bits",
            4_294_967_295L,
            weight("Partition", 1000),
            j -> j.site = 9_000_000_000L),
        rule("what is fixed stays", 12, WEIGHTS, j -> j.fixed = 12L),
        rule(
            "what is fixed stays whatever its nice",
            12,
            WEIGHTS,
            j -> {
              j.fixed = 12L;
              j.nice = 5;
            }),
        rule("held is zero", 0, WEIGHTS, j -> j.held = true),
        rule(
            "classic fair share",
            // 4857/18734 of all used, a share of 0.6*80/101
            631,
            weight("FairShare", 1000) + "PriorityFlags=NO_FAIR_TREE\n",
            _ -> {}));
  }

  @Test
  void withoutWeightsTheOrderIsThatOfSubmission() {
    assertFalse(PriorityTable.isInForce(view("", List.of()).settings()));
    assertTrue(PriorityTable.isInForce(view(WEIGHTS, List.of()).settings()));
    assertFalse(
        PriorityTable.isInForce(
            view(WEIGHTS + "PriorityType=priority/basic\n", List.of()).settings()));
  }

  @Test
  void aHundredThousandJobsTakeLessThanASecond() {
    List<Job> jobs = new ArrayList<>();
    for (int id = 1; id <= 100_000; id++) {
      Asked asked = new Asked();
      asked.tasks = 1 + id % 16;
      asked.account = id % 3 == 0 ? "bio" : "physics";
      jobs.add(asked.job(id));
    }
    View view = view(WEIGHTS, jobs);
    AccountingTree tree = tree();
    UsageLedger book = used(tree);
    PartitionConfig debug = view.partition("debug");
    long best = Long.MAX_VALUE;
    long sum = 0;
    for (int round = 0; round < 10; round++) {
      long start = System.nanoTime();
      PriorityTable table = PriorityTable.of(view, tree, book, NOW);
      for (Job job : jobs) {
        sum += table.priority(job, debug);
      }
      best = Math.min(best, System.nanoTime() - start);
    }
    System.out.printf("priorities of 100,000 jobs in %.1f ms%n", best / 1e6);
    assertTrue(sum > 0);
    assertTrue(best < 1_000_000_000L);
  }
}
