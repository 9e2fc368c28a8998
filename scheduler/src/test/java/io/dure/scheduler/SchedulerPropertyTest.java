package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.collection.IntMap;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.placement.PlacementRecheck;
import io.dure.rules.SchedulerView;
import io.dure.rules.queueorder.QueueOrder;
import io.dure.testkit.Cases;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds for every plan, on random clusters and queues. */
@Tag("pure")
class SchedulerPropertyTest {
  private static final int CLUSTERS = Cases.of(60);
  private static final int STEPS = 25;

  @Test
  void noNodeIsEverOversubscribedAndEveryRequestIsHonoured() {
    for (int run = 0; run < CLUSTERS; run++) {
      int seed = run;
      Random random = new Random(seed + Cases.seeds());
      TestCluster cluster = randomCluster(random);
      for (int step = 0; step < STEPS; step++) {
        submitSome(cluster, random, true);
        TestView before = cluster.view();
        SchedulingPlan plan = cluster.schedule();
        assertEquals(plan, Planner.once(before, cluster.now), "same input, same plan");
        for (Placement placement : plan.starts()) {
          assertHonoured(before.pending().require(placement.jobId()), placement);
        }
        assertNothingOversubscribed(cluster, "seed " + seed + " step " + step);
        for (Job job : cluster.active.values()) {
          if (random.nextInt(3) == 0) {
            cluster.end(job.id());
          }
        }
        cluster.advance(Duration.ofMinutes(random.nextInt(40)));
      }
    }
  }

  @Test
  void everyPendingJobIsToldWhy() {
    for (int run = 0; run < CLUSTERS; run++) {
      int seed = run;
      Random random = new Random(seed + Cases.seeds());
      TestCluster cluster = randomCluster(random);
      for (int step = 0; step < 5; step++) {
        submitSome(cluster, random, true);
        cluster.schedule();
        for (int id : cluster.pending.keys()) {
          assertFalse(cluster.reason(id).equals("None"), "job " + id);
        }
      }
    }
  }

  @Test
  void theStartsOfAPlanStandTheRecheckOneAfterTheOther() {
    for (int run = 0; run < CLUSTERS; run++) {
      int seed = run;
      Random random = new Random(seed + Cases.seeds());
      TestCluster cluster = randomCluster(random);
      for (int step = 0; step < 5; step++) {
        submitSome(cluster, random, true);
        for (Placement placement : Planner.once(cluster.view(), cluster.now).starts()) {
          assertNull(PlacementRecheck.objection(cluster.view(), placement, cluster.now));
          cluster.start(placement);
          TestView after = cluster.view();
          boolean shared = cluster.memory && placement.allocation().memoryMib() > 0;
          if (shared && cluster.unit != ClusterSettings.Unit.CPU) {
            assertTrue(
                PlacementRecheck.objection(after, placement, cluster.now) != null, "not twice");
          }
        }
      }
    }
  }

  @Test
  void withoutBackfillNobodyPassesWithinAPartition() {
    for (int run = 0; run < CLUSTERS; run++) {
      int seed = run;
      Random random = new Random(seed + Cases.seeds());
      TestCluster cluster = randomCluster(random);
      cluster.backfill = false;
      for (int step = 0; step < STEPS; step++) {
        submitSome(cluster, random, true);
        TestView before = cluster.view();
        SchedulingPlan plan = cluster.schedule();
        Instant firstWaiting = Instant.MAX;
        for (int id : plan.verdicts().keys()) {
          Job job = before.pending().require(id);
          boolean waits = plan.verdicts().require(id).reason().equals("Resources");
          if (waits && job.spec().resources().requiredNodes().isEmpty()) {
            firstWaiting =
                job.submitTime().isBefore(firstWaiting) ? job.submitTime() : firstWaiting;
          }
        }
        for (Placement placement : plan.starts()) {
          Job job = before.pending().require(placement.jobId());
          assertFalse(job.submitTime().isAfter(firstWaiting), "job " + job.id() + " passed");
        }
        cluster.advance(Duration.ofMinutes(random.nextInt(40)));
      }
    }
  }

  @Test
  void backfillNeverDelaysTheHead() {
    for (int run = 0; run < CLUSTERS; run++) {
      int seed = run;
      Random random = new Random(seed + Cases.seeds());
      TestCluster cluster = randomCluster(random);
      cluster.backfill = true;
      TreeMap<Integer, Instant> promised = new TreeMap<>();
      for (int step = 0; step < STEPS * 4; step++) {
        submitSome(cluster, random, false); // a throttled array ahead may come back
        SchedulingPlan plan = cluster.schedule();
        plan.starts()
            .forEach(start -> {
              Instant promise = promised.remove(start.jobId());
              assertTrue(promise == null || !cluster.now.isAfter(promise), "job " + start.jobId());
            });
        // Of those that wait, the first alone is promised a time whatever others are promised.
        for (int id : plan.verdicts().keys()) {
          Instant start = plan.verdicts().require(id).expectedStart();
          if (start != null) {
            Instant promise = promised.merge(id, start, (x, y) -> x.isBefore(y) ? x : y);
            assertFalse(start.isAfter(promise), "job " + id + " of seed " + seed);
            break;
          }
        }
        Instant next = nextEnd(cluster);
        cluster.advance(next == null ? Duration.ZERO : Duration.between(cluster.now, next));
      }
    }
  }

  @Test
  void jobsBehindChangeNothingForThoseAhead() {
    for (int run = 0; run < CLUSTERS; run++) {
      int seed = run;
      Random random = new Random(seed + Cases.seeds());
      TestCluster cluster = randomCluster(random);
      for (int step = 0; step < STEPS; step++) {
        submitSome(cluster, random, true);
        int promises = List.of(0, 1, 3, Integer.MAX_VALUE).get(random.nextInt(4));
        PlannerOptions options = PlannerOptions.easy().withBookings(promises, random.nextInt(1, 5));
        SchedulingPlan whole =
            new Planner(options).plan(cluster.view(), cluster.now, ArrayTaskGate.OPEN);
        int last = random.nextInt(1, cluster.nextId + 1);
        IntMap<Job> all = cluster.pending;
        for (int id : all.keys()) {
          cluster.pending = id > last ? cluster.pending.without(id) : cluster.pending;
        }
        SchedulingPlan ahead =
            new Planner(options).plan(cluster.view(), cluster.now, ArrayTaskGate.OPEN);
        cluster.pending = all;
        List<Placement> starts =
            whole.starts().stream().filter(start -> start.jobId() <= last).toList();
        assertEquals(ahead.starts(), starts, "seed " + seed);
        ahead
            .verdicts()
            .forEach((id, verdict) ->
                assertEquals(verdict, whole.verdicts().get(id), "job " + id + " of seed " + seed));
        cluster.schedule();
        cluster.advance(Duration.ofMinutes(random.nextInt(40)));
      }
    }
  }

  /** An order in which all change their places every few seconds, those of a lane too. */
  private static final QueueOrder RESTLESS =
      new QueueOrder() {
        @Override
        public Scores scoresAt(SchedulerView view, Instant now) {
          long turn = now.getEpochSecond() / 1000;
          return (job, _) -> Math.floorMod((job.id() * 31L + turn) * 0x9E3779B97F4A7C15L, 7);
        }

        @Override
        public long period() {
          return 1;
        }
      };

  @Test
  void aQueueThatScoresAnewIsThatOfAPlannerWithoutMemory() {
    int passed = 0;
    for (int run = 0; run < CLUSTERS; run++) {
      Random random = new Random(run + Cases.seeds());
      TestCluster cluster = randomCluster(random);
      int most = random.nextInt(1, 5);
      PlannerOptions options = PlannerOptions.easy().withBookings(most, most).withOrder(RESTLESS);
      Planner remembers = new Planner(options);
      for (int step = 0; step < STEPS; step++) {
        submitSome(cluster, random, true);
        SchedulingPlan plan = cluster.plan(remembers);
        SchedulingPlan anew =
            new Planner(options).plan(cluster.view(), cluster.now, ArrayTaskGate.OPEN);
        assertEquals(anew, plan, "seed " + run + " step " + step);
        passed += plan.verdicts().size();
        plan.starts().forEach(cluster::start);
        cluster.advance(Duration.ofMinutes(random.nextInt(1, 40)));
      }
    }
    assertTrue(passed > CLUSTERS, "hardly anybody waits: " + passed);
  }

  private static Instant nextEnd(TestCluster cluster) {
    Instant next = cluster.now.plus(Duration.ofMinutes(30));
    for (Job job : cluster.active.values()) {
      if (job.state() instanceof JobState.Running running
          && running.end() != null
          && running.end().isBefore(next)) {
        next = running.end();
      }
    }
    return next;
  }

  static TestCluster randomCluster(Random random) {
    TestCluster cluster = new TestCluster();
    cluster.unit = List.of(ClusterSettings.Unit.values()).get(random.nextInt(3));
    cluster.memory = random.nextInt(4) > 0;
    cluster.backfill = random.nextBoolean();
    int count = random.nextInt(1, 9);
    for (int i = 1; i <= count; i++) {
      cluster
          .node(
              "n" + i,
              random.nextInt(1, 3),
              random.nextInt(1, 5),
              random.nextInt(1, 3),
              random.nextInt(100, 1000),
              random.nextInt(1, 3))
          .features(random.nextBoolean() ? "a" : "b");
    }
    return cluster;
  }

  private static void submitSome(TestCluster cluster, Random random, boolean arrays) {
    for (int i = random.nextInt(6); i > 0; i--) {
      cluster.submit(job -> {
        JobBuilder next = randomJob(job, cluster, random);
        return arrays ? next : next.array(null);
      });
    }
  }

  static JobBuilder randomJob(JobBuilder job, TestCluster cluster, Random random) {
    String node = cluster.nodes.get(random.nextInt(cluster.nodes.size())).config().name();
    job.tasks(random.nextInt(1, 6)).cpusPerTask(random.nextInt(1, 4)).user(random.nextInt(1, 4));
    job.minutes(random.nextInt(1, 120));
    switch (random.nextInt(14)) {
      case 0 -> job.exclusive();
      case 1 -> job.exclusiveUser();
      case 2 -> job.on(node);
      case 3 -> job.notOn(node);
      case 4 -> job.constraint(random.nextBoolean() ? "a" : "a|b");
      case 5 -> job.nodes(random.nextInt(1, 3), random.nextInt(3, 5));
      case 6 -> job.nodes(2);
      case 7 -> job.nodes(2).contiguous();
      case 8 -> job.mem(0);
      case 9 -> job.array("0-" + random.nextInt(1, 9) + (random.nextBoolean() ? "%2" : ""));
      case 10 -> job.tasksPerNode(random.nextInt(1, 3));
      case 11 -> job.overcommit();
      default -> {}
    }
    return switch (random.nextInt(3)) {
      case 0 -> job.memPerCpu(random.nextInt(1, 100));
      case 1 -> job.mem(random.nextInt(1, 400));
      default -> job;
    };
  }

  static void assertHonoured(Job job, Placement placement) {
    ResourceRequest request = job.spec().resources();
    List<NodeShare> shares = placement.allocation().shares();
    List<String> nodes = placement.allocation().nodes();
    assertTrue(shares.size() >= request.minNodes() && shares.size() <= request.maxNodes());
    assertTrue(nodes.containsAll(request.requiredNodes()));
    assertFalse(nodes.stream().anyMatch(request.excludedNodes()::contains));
    assertEquals(request.tasks(), shares.stream().mapToInt(NodeShare::tasks).sum());
    for (NodeShare share : shares) {
      assertTrue(share.cpus() >= 1 && !share.cores().isEmpty());
      if (!request.overcommit()) {
        assertTrue(share.cpus() >= share.tasks() * request.cpusPerTask());
      }
      Integer most = request.tasksPerNode();
      assertTrue(most == null || share.tasks() <= most);
      if (request.memory() instanceof MemoryRequest.PerCpu(long mib)) {
        assertEquals(mib * share.cpus(), share.memoryMib());
      }
      assertEquals(share.cores().stream().sorted().distinct().toList(), share.cores());
    }
  }

  static void assertNothingOversubscribed(TestCluster cluster, String where) {
    for (TestView.TestNode node : cluster.nodes) {
      NodeConfig.Shape shape = node.config().shape();
      int cpus = 0;
      long memory = 0;
      TreeSet<Integer> cores = new TreeSet<>();
      TreeSet<Integer> users = new TreeSet<>();
      boolean alone = false;
      boolean ownUser = false;
      for (Map.Entry<Integer, NodeShare> held : entries(node).entrySet()) {
        ResourceRequest request = cluster.active.require(held.getKey()).spec().resources();
        users.add(cluster.active.require(held.getKey()).owner().uid());
        alone |=
            request.sharing() == OversubscribeMode.EXCLUSIVE
                || cluster.unit == ClusterSettings.Unit.NODE;
        ownUser |= request.sharing() == OversubscribeMode.USER;
        cpus += held.getValue().cpus();
        memory += held.getValue().memoryMib();
        for (int core : held.getValue().cores()) {
          assertTrue(core >= 0 && core < shape.sockets() * shape.coresPerSocket(), where);
          assertTrue(cores.add(core) || cluster.unit == ClusterSettings.Unit.CPU, where);
        }
      }
      assertTrue(cpus <= shape.cpus(), where);
      assertTrue(memory <= node.config().realMemoryMib() || !cluster.memory, where);
      assertTrue(!alone || node.shares().size() == 1, where);
      assertTrue(!ownUser || users.size() == 1, where);
    }
  }

  private static Map<Integer, NodeShare> entries(TestView.TestNode node) {
    Map<Integer, NodeShare> entries = new TreeMap<>();
    node.shares().forEach(entries::put);
    return entries;
  }
}
