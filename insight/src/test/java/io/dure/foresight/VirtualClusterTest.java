package io.dure.foresight;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.reservation.NameListEdit;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationRequest;
import io.dure.model.reservation.ReservationRequestBuilder;
import io.dure.rules.PlannerTime;
import io.dure.scheduler.Planner;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import io.dure.virtual.NodeFailures;
import io.dure.virtual.RunTimeModel;
import io.dure.virtual.SchedulingHooks;
import io.dure.virtual.VirtualCluster;
import io.dure.virtual.VirtualClusterObserver;
import io.dure.virtual.VirtualClusterOptions;
import io.dure.virtual.VirtualClusterPorts;
import io.dure.virtual.VirtualClusterView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A virtual cluster says what comes to pass in the real one, where jobs run as long as in it. */
@Tag("pure")
class VirtualClusterTest {
  private static final Duration FAR = Duration.ofDays(30);

  /** Programs end a second before their limits. */
  private static final long SLACK = 1;

  private static final long PATIENCE = 180;

  private static VirtualCluster toTheLimits(TestCluster cluster) {
    return new VirtualCluster(
        cluster.state(),
        cluster.now(),
        VirtualClusterOptions.toTheLimits(cluster.state().settings()));
  }

  private static Instant far(TestCluster cluster) {
    return cluster.now().plus(FAR);
  }

  /** All jobs run to their limits; each starts when the rollout said. */
  private static void comesToPass(TestCluster cluster, int... jobs) {
    VirtualCluster rollout = toTheLimits(cluster);
    List<Integer> ids = new ArrayList<>();
    for (int job : jobs) {
      ids.add(job);
    }
    assertTrue(rollout.untilStarted(ids, far(cluster), 10_000));
    for (int id : ids) {
      Instant said = Objects.requireNonNull(rollout.startOf(id));
      while (start(cluster, id) == null && cluster.now().isBefore(said.plusSeconds(PATIENCE))) {
        cluster.seconds(1);
      }
      Instant real = start(cluster, id);
      assertTrue(real != null, "job " + id + " did not start by " + said);
      long late = Duration.between(said, Objects.requireNonNull(real)).abs().toSeconds();
      assertTrue(late <= SLACK, "job " + id + ": " + said + " was said, " + real + " it was");
    }
  }

  private static @Nullable Instant start(TestCluster cluster, int id) {
    return switch (cluster.job(id).state()) {
      case JobState.Running running -> running.start();
      case JobState.Suspended suspended -> suspended.run().start();
      case JobState.Completing completing -> completing.start();
      case JobState.Ended ended -> ended.start();
      case JobState.Pending _ -> null;
    };
  }

  /**
   * The first node fails so often, after so many seconds each, and comes back half of that later.
   */
  private static final class Outages implements NodeFailures {
    private final Queue<Change> changes = new ArrayDeque<>();

    Outages(long from, int count, long apart) {
      for (int i = 0; i < count; i++) {
        long fails = from + apart + i * 2L * apart;
        changes.add(new Change(fails, 0, true));
        changes.add(new Change(fails + apart / 2, 0, false));
      }
    }

    @Override
    public long next() {
      Change next = changes.peek();
      return next == null ? PlannerTime.NEVER : next.second();
    }

    @Override
    public boolean anyDown() {
      return !changes.isEmpty() && !changes.peek().fails();
    }

    @Override
    public @Nullable Change poll(long second) {
      return next() <= second ? changes.poll() : null;
    }
  }

  /** Of all nodes, to its limit. */
  private static JobBuilder whole(int nodes, int minutes) {
    return job().nodes(nodes).exclusive().time(minutes).runs(60L * minutes - 1);
  }

  @Test
  void jobsStartOneAfterTheOther() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    cluster.submit(ALICE, whole(2, 60));
    int second = cluster.submit(ALICE, whole(2, 30));
    int third = cluster.submit(BOB, whole(2, 30));
    comesToPass(cluster, second, third);
  }

  @Test
  void shortOnesOvertakeAsInTheCluster() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    cluster.submit(ALICE, whole(1, 60));
    int wide = cluster.submit(ALICE, whole(2, 30));
    int first = cluster.submit(BOB, whole(1, 40));
    int second = cluster.submit(BOB, whole(1, 40));
    comesToPass(cluster, first, wide, second);
  }

  @Test
  void aBeginTimeIsWaitedFor() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int later = cluster.submit(ALICE, job().begin(cluster.now().plusSeconds(7200)).time(5));
    comesToPass(cluster, later);
  }

  @Test
  void aBeginTimeIsWaitedForBehindAnotherJobToo() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int first = cluster.submit(ALICE, whole(1, 30));
    JobBuilder both = job().begin(cluster.now().plusSeconds(7200)).dependency("afterok:" + first);
    comesToPass(cluster, cluster.submit(ALICE, both.time(5)));
  }

  @Test
  void whoWaitsForOneThatIsTooLateStartsWhereFailureIsWaitedFor() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    cluster.submit(ALICE, whole(1, 60));
    Instant deadline = cluster.now().plus(Duration.ofMinutes(70));
    int late = cluster.submit(ALICE, whole(1, 30).deadline(deadline));
    int success = cluster.submit(BOB, whole(1, 30).dependency("afterok:" + late));
    int failure = cluster.submit(BOB, whole(1, 30).dependency("afternotok:" + late));
    assertNull(toTheLimits(cluster).untilStarted(success, far(cluster), 100));
    comesToPass(cluster, failure);
  }

  @Test
  void whereNothingElseHappensADeadlineStillPasses() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    Instant deadline = cluster.now().plus(Duration.ofMinutes(70));
    int late = cluster.submit(ALICE, whole(1, 30).held().deadline(deadline));
    int behind = cluster.submit(BOB, whole(1, 30).dependency("afternotok:" + late));
    comesToPass(cluster, behind);
  }

  @Test
  void whoEndedInTimeIsNotLateWhereAPassIs() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    Instant deadline = cluster.now().plus(Duration.ofMinutes(62));
    int first = cluster.submit(ALICE, whole(1, 60).deadline(deadline));
    int behind = cluster.submit(BOB, whole(1, 30).dependency("afterok:" + first));
    cluster.submit(BOB, whole(1, 30).begin(cluster.now().plus(Duration.ofMinutes(40))));
    cluster.seconds(10);
    VirtualClusterOptions coarse =
        VirtualClusterOptions.toTheLimits(cluster.state().settings()).withCoarseness(1.0);
    VirtualCluster rollout = new VirtualCluster(cluster.state(), cluster.now(), coarse);
    Instant start = rollout.untilStarted(behind, far(cluster), 100);
    assertTrue(start != null && start.isAfter(deadline), "the pass is late: " + start);
  }

  private static void untilCompleting(TestCluster cluster, int job) {
    while (!(cluster.job(job).state() instanceof JobState.Completing)) {
      cluster.seconds(1);
    }
  }

  @Test
  void whoComesBackAfterASpecialExitLetsThoseGoWhoWaitForAFailure() {
    TestCluster cluster = ClusterBuilder.of(2).set("RequeueExitHold", "8").start();
    int special = cluster.submit(ALICE, job().runs(20).ends("exit 8"));
    int behind = cluster.submit(BOB, whole(1, 10).dependency("afternotok:" + special));
    untilCompleting(cluster, special);
    comesToPass(cluster, behind);
  }

  @Test
  void whoHasComeBackTooOftenIsHeld() {
    TestCluster cluster =
        ClusterBuilder.of(1).set("RequeueExit", "7").set("MaxBatchRequeue", "1").start();
    int again = cluster.submit(ALICE, job().runs(20).ends("exit 7"));
    untilCompleting(cluster, again);
    assertTrue(toTheLimits(cluster).untilStarted(again, far(cluster), 100) != null);
    cluster.seconds(5);
    untilCompleting(cluster, again);
    assertNull(toTheLimits(cluster).untilStarted(again, far(cluster), 100));
    cluster.minutes(10);
    assertEquals("JobHoldMaxRequeue", cluster.reason(again));
  }

  @Test
  void whoLostItsNodeTooOftenIsHeld() {
    TestCluster cluster = ClusterBuilder.of(1).set("MaxBatchRequeue", "2").start();
    int again = cluster.submit(ALICE, whole(1, 600));
    cluster.seconds(2);
    Outages outages = new Outages(cluster.now().getEpochSecond(), 3, 1000);
    VirtualClusterOptions options = VirtualClusterOptions.toTheLimits(cluster.state().settings());
    VirtualCluster virtual =
        new VirtualCluster(
            cluster.state(),
            cluster.now(),
            options,
            new VirtualClusterPorts(
                new Planner(options.options())::plan,
                outages,
                SchedulingHooks.NONE,
                VirtualClusterObserver.NONE));
    for (int outage = 1; outage <= 3; outage++) {
      assertEquals("RUNNING", cluster.state(again));
      cluster.seconds(1000);
      for (String state : List.of("DOWN", "RESUME")) {
        Map<String, String> keys = Map.of("state", state, "reason", "power");
        cluster.ask(TestCluster.ROOT, new Command.UpdateNodes(List.of("n1"), keys));
        cluster.seconds(500);
      }
      virtual.runTo(cluster.now().getEpochSecond());
      Job job = Objects.requireNonNull(virtual.view().job(again));
      assertEquals(cluster.job(again).restarts(), job.restarts(), "outage " + outage);
      assertEquals(hold(cluster.job(again)), hold(job), "outage " + outage);
    }
    assertEquals("JobHoldMaxRequeue", cluster.reason(again));
  }

  private static @Nullable Hold hold(Job job) {
    return job.state() instanceof JobState.Pending pending ? pending.hold() : null;
  }

  @Test
  void aNamesakeThatComesBackLetsOlderOnesGo() {
    TestCluster cluster =
        ClusterBuilder.of(1)
            .set("PreemptType", "preempt/partition_prio")
            .set("PreemptMode", "REQUEUE")
            .partition("low", "Nodes=ALL Default=YES PriorityTier=1")
            .partition("high", "Nodes=ALL PriorityTier=10")
            .start();
    int held = cluster.submit(ALICE, whole(1, 20).name("one").dependency("singleton").held());
    cluster.submit(ALICE, whole(1, 600).name("one"));
    cluster.seconds(10);
    cluster.ask(ALICE, new Command.ReleaseJob(new JobSelector(held, null)));
    cluster.seconds(10);
    Instant begin = cluster.now().plus(Duration.ofMinutes(30));
    cluster.submit(BOB, whole(1, 60).partition("high").begin(begin));
    comesToPass(cluster, held);
  }

  @Test
  void tasksDoNotStartWhoseCounterpartsDidNotEndWell() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    cluster.submit(ALICE, whole(1, 60));
    Instant deadline = cluster.now().plus(Duration.ofMinutes(70));
    int late = cluster.submit(ALICE, whole(1, 30).array("0-1").deadline(deadline));
    int behind = cluster.submit(BOB, whole(1, 10).array("0-1").dependency("aftercorr:" + late));
    assertNull(toTheLimits(cluster).untilStarted(behind, far(cluster), 1000));
    cluster.minutes(200);
    assertEquals("PENDING", cluster.state(behind));
  }

  @Test
  void namesakesThatWaitForOthersTooRunInTheOrderOfTheirIds() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String hold = i == 2 ? ",afterok:" + all.getFirst() : "";
      all.add(cluster.submit(ALICE, whole(1, 10).name("one").dependency("singleton" + hold)));
    }
    comesToPass(cluster, all.stream().mapToInt(id -> id).toArray());
  }

  @Test
  void whoWouldMissItsDeadlineLeavesTheQueue() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    cluster.submit(ALICE, whole(1, 60));
    Instant deadline = cluster.now().plus(Duration.ofMinutes(70));
    int late = cluster.submit(ALICE, whole(1, 30).deadline(deadline));
    int next = cluster.submit(BOB, whole(1, 30));
    VirtualClusterOptions course = VirtualClusterOptions.toTheLimits(cluster.state().settings());
    VirtualCluster rollout =
        new VirtualCluster(
            cluster.state(),
            cluster.now(),
            course.withFidelity(VirtualClusterOptions.Fidelity.SETTLED));
    assertTrue(rollout.view().runs().waiting() > 0);
    assertTrue(rollout.untilStarted(List.of(next), far(cluster), 100));
    assertFalse(rollout.view().pending().contains(late));
    assertEquals(0, rollout.view().runs().waiting(), "work that waits");
    comesToPass(cluster, next);
  }

  @Test
  void whoWaitsForAnotherStartsBehindIt() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    int first = cluster.submit(ALICE, whole(1, 60));
    int next = cluster.submit(ALICE, whole(1, 20).dependency("afterok:" + first));
    int last = cluster.submit(ALICE, whole(1, 20).dependency("after:" + next + "+5"));
    comesToPass(cluster, next, last);
  }

  @Test
  void aJobThatMadeRoomRunsAgainBeforeWhatWaitsForItsSuccess() {
    TestCluster cluster =
        ClusterBuilder.of(1)
            .set("PreemptType", "preempt/partition_prio")
            .set("PreemptMode", "REQUEUE")
            .partition("low", "Nodes=ALL Default=YES PriorityTier=1 GraceTime=300")
            .partition("high", "Nodes=ALL PriorityTier=10")
            .start();
    int victim = cluster.submit(ALICE, job().nodes(1).exclusive().time(60).runs(3599));
    cluster.seconds(10);
    int urgent =
        cluster.submit(BOB, job().nodes(1).exclusive().time(30).runs(1799).partition("high"));
    int after =
        cluster.submit(
            BOB, job().nodes(1).exclusive().time(10).runs(599).dependency("afterok:" + victim));
    cluster.seconds(30);
    // The grace has begun before the virtual cluster does.
    VirtualCluster virtual = toTheLimits(cluster);
    assertTrue(virtual.untilStarted(List.of(urgent), far(cluster), 10_000));
    assertTrue(virtual.view().pending().contains(victim));
    assertTrue(virtual.untilStarted(List.of(after), far(cluster), 10_000));
    Instant again = Objects.requireNonNull(virtual.startOf(after)).minus(Duration.ofMinutes(60));
    assertTrue(again.isAfter(Objects.requireNonNull(virtual.startOf(urgent))));
  }

  /** A reservation of all nodes for root, in an hour, for half of one. */
  private static void comesAgain(TestCluster cluster, ReservationFlag when) {
    ReservationRequest request =
        ReservationRequestBuilder.builder()
            .name("again")
            .start(cluster.now().plusSeconds(3600))
            .duration(Duration.ofMinutes(30))
            .nodes(List.of("ALL"))
            .users(new NameListEdit(NameListEdit.Mode.SET, List.of("root")))
            .set(List.of(when))
            .clear(List.of())
            .build();
    assertNull(cluster.refusal(TestCluster.ROOT, new Command.CreateReservation(request)));
  }

  @Test
  void aReservationOfWeekdaysIsFollowedUntilTheWeekend() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    comesAgain(cluster, ReservationFlag.WEEKDAY);
    int longer = cluster.submit(ALICE, whole(1, 40 * 60));
    assertNotNull(toTheLimits(cluster).untilStarted(longer, far(cluster), 50));
  }

  @Test
  void aReservationThatComesDailyIsNotFollowedForEver() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    comesAgain(cluster, ReservationFlag.DAILY);
    int longer = cluster.submit(ALICE, whole(2, 24 * 60));
    int between = cluster.submit(BOB, whole(2, 23 * 60));
    VirtualCluster virtual = toTheLimits(cluster);
    assertTrue(virtual.untilStarted(List.of(between), far(cluster), 20));
    assertFalse(virtual.untilStarted(List.of(longer), far(cluster).plus(FAR), 20));
    assertFalse(virtual.step());
  }

  @Test
  void namesakesRunOneAfterTheOther() {
    TestCluster cluster = ClusterBuilder.of(3).start();
    cluster.submit(ALICE, whole(1, 30).name("one").dependency("singleton"));
    int second = cluster.submit(ALICE, whole(1, 30).name("one").dependency("singleton"));
    int third = cluster.submit(ALICE, whole(1, 30).name("one").dependency("singleton"));
    comesToPass(cluster, second, third);
  }

  @Test
  void whatWaitsForAFailureIsNotSaidToStart() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int first = cluster.submit(ALICE, whole(1, 30));
    int never = cluster.submit(ALICE, whole(1, 30).dependency("afternotok:" + first));
    assertNull(toTheLimits(cluster).untilStarted(never, far(cluster), 1000));
  }

  @Test
  void tasksOfAnArrayStartOneByOne() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    int array = cluster.submit(ALICE, whole(1, 30).array("0-5"));
    int behind = cluster.submit(ALICE, whole(2, 30));
    comesToPass(cluster, behind);
    VirtualCluster rollout = toTheLimits(cluster);
    assertNull(rollout.startOf(array));
  }

  @Test
  void aThrottledArrayLeavesRoomForOthers() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    int array = cluster.submit(ALICE, whole(1, 30).array("0-3%1"));
    int behind = cluster.submit(ALICE, whole(1, 10).dependency("afterany:" + array));
    comesToPass(cluster, behind);
  }

  @Test
  void withoutItsHolderAJobStartsAtOnce() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int holder = cluster.submit(ALICE, whole(1, 60));
    int waits = cluster.submit(BOB, whole(1, 60));
    cluster.seconds(10);
    VirtualClusterView free = VirtualClusterView.of(cluster.state()).end(holder, cluster.now());
    VirtualCluster rollout =
        new VirtualCluster(
            free, cluster.now(), VirtualClusterOptions.toTheLimits(cluster.state().settings()));
    assertEquals(cluster.now(), rollout.untilStarted(waits, far(cluster), 10));
  }

  @Test
  void anotherRequestHasAnotherStart() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    cluster.submit(ALICE, whole(1, 60));
    int waits = cluster.submit(BOB, whole(2, 60));
    cluster.seconds(10);
    Job asked = cluster.job(waits);
    String partition = asked.spec().partitions().getFirst();
    Job fewer = asked.withSpec(whole(1, 60).partition(partition).spec(), asked.priority());
    VirtualCluster rollout =
        new VirtualCluster(
            VirtualClusterView.of(cluster.state()).queue(fewer),
            cluster.now(),
            VirtualClusterOptions.toTheLimits(cluster.state().settings()));
    assertEquals(cluster.now(), rollout.untilStarted(waits, far(cluster), 10));
  }

  @Test
  void runsLastAsLongAsIsImagined() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    cluster.submit(ALICE, whole(1, 600));
    int waits = cluster.submit(BOB, whole(1, 60));
    cluster.seconds(10);
    RunTimeModel tenMinutes = (_, running) -> running.start().plusSeconds(600).getEpochSecond();
    VirtualClusterOptions course =
        VirtualClusterOptions.toTheLimits(cluster.state().settings()).withLifetimes(tenMinutes);
    Instant start =
        new VirtualCluster(cluster.state(), cluster.now(), course)
            .untilStarted(waits, far(cluster), 10);
    Instant began = Objects.requireNonNull(start(cluster, 1));
    assertEquals(began.plusSeconds(600), start);
  }

  @Test
  void neitherPassesNorTimeAreWithoutBound() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    cluster.submit(ALICE, whole(1, 60));
    int second = cluster.submit(ALICE, whole(1, 60));
    int third = cluster.submit(ALICE, whole(1, 60));
    assertNull(toTheLimits(cluster).untilStarted(third, far(cluster), 2));
    assertNull(toTheLimits(cluster).untilStarted(second, cluster.now().plusSeconds(60), 99));
    int held = cluster.submit(ALICE, whole(1, 60).held());
    assertNull(toTheLimits(cluster).untilStarted(held, far(cluster), 1000));
    VirtualCluster all = toTheLimits(cluster);
    while (all.step()) {
      assertFalse(all.passes() > 100);
    }
    assertTrue(all.view().active().isEmpty());
  }
}
