package io.dure.reservation;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Allocation;
import io.dure.model.job.JobState;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which jobs run on reserved nodes, and when. Two nodes of four cores. */
@Tag("pure")
class ReservedNodesTest {
  private final TestCluster cluster = ClusterBuilder.of(2).set("MinJobAge", "0").start();

  private void reserve(String text) {
    assertNull(cluster.refusal(ROOT, Asked.create(text)), text);
  }

  private String place(int id) {
    return switch (cluster.job(id).state()) {
      case JobState.Running running -> place(running.allocation());
      case JobState.Suspended suspended -> place(suspended.run().allocation());
      case JobState.Completing completing -> place(completing.allocation());
      case JobState.Pending _ -> cluster.reason(id);
      case JobState.Ended _ -> cluster.state(id);
    };
  }

  private static String place(Allocation allocation) {
    String nodes = String.join(",", allocation.nodes());
    return allocation.reservation() == null ? nodes : nodes + " in " + allocation.reservation();
  }

  @Test
  void aJobWithoutTheReservationGoesElsewhere() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob");
    assertEquals("n2", place(cluster.submit(ALICE, job().time(5))));
  }

  @Test
  void aJobThatEndsBeforeTheStartMayUseTheNodes() {
    reserve("name=r start=60 duration=60 nodes=n1 users=bob");
    assertEquals("n1", place(cluster.submit(ALICE, job().time(60))));
    assertEquals("n2", place(cluster.submit(ALICE, job().time(61))));
  }

  @Test
  void aJobWithoutALimitNeverEndsBeforeTheStart() {
    reserve("name=r start=1000 duration=60 nodes=n1,n2 users=bob");
    int id = cluster.submit(ALICE, job());
    assertEquals("PENDING", cluster.state(id));
  }

  @Test
  void aWideJobWaitsForTheEndOfTheReservation() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob");
    int id = cluster.submit(ALICE, job().nodes(2).time(5));
    assertEquals(
        "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority"
            + " partitions",
        place(id));
    cluster.minutes(61);
    assertEquals("n1,n2", place(id));
  }

  @Test
  void aJobThatNamesAReservedNodeIsTold() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob");
    int id = cluster.submit(ALICE, job().on("n1").time(5));
    assertEquals("ReqNodeNotAvail, May be reserved for other job", place(id));
  }

  @Test
  void aJobThatMaintenanceKeepsOffIsTold() {
    reserve("name=r start=30 duration=60 nodes=ALL users=root flags=MAINT");
    int id = cluster.submit(ALICE, job().time(40));
    assertEquals("ReqNodeNotAvail, Reserved for maintenance", place(id));
    assertEquals("n1", place(cluster.submit(ALICE, job().time(20))), "ends before");
  }

  @Test
  void aJobOfTheReservationRunsOnItsNodesAlone() {
    reserve("name=r start=0 duration=60 nodes=n2 users=bob");
    assertEquals("n2 in r", place(cluster.submit(BOB, job().time(5).within("r"))));
    int second = cluster.submit(BOB, job().cpus(4).time(5).within("r"));
    assertEquals("Resources", place(second), "n1 is free, but not reserved");
  }

  @Test
  void aJobKnowsTheNumberOfItsReservation() {
    reserve("name=first start=0 duration=60 nodes=n1 users=bob");
    reserve("name=r start=0 duration=60 nodes=n2 users=bob");
    int id = cluster.state().reservationBook().named("r").id();
    Allocation held = cluster.job(cluster.submit(BOB, job().within("r"))).state().allocated();
    assertNotNull(held);
    assertEquals(id, held.reservationId());
  }

  @Test
  void aJobOfTheReservationWaitsForItsStart() {
    reserve("name=r start=10 duration=60 nodes=n2 users=bob");
    int id = cluster.submit(BOB, job().time(5).within("r"));
    assertEquals("Reservation", place(id));
    cluster.minutes(11);
    assertEquals("n2 in r", place(id));
  }

  @Test
  void aJobOfTheReservationEndsWithIt() {
    reserve("name=r start=0 duration=30 nodes=n2 users=bob");
    int id = cluster.submit(BOB, job().time(100).runs(6000).within("r"));
    assertEquals("n2 in r", place(id));
    cluster.minutes(35);
    assertEquals("TIMEOUT", cluster.state(id));
    assertEquals(0, cluster.state().reservations().size());
  }

  @Test
  void resvOverRunLetsItRunOn() {
    TestCluster kind =
        TestCluster.with("ResvOverRun", "10").set("MinJobAge", "0").node("n1").cpus(4).start();
    assertNull(kind.refusal(ROOT, Asked.create("name=r start=0 duration=30 nodes=n1 users=bob")));
    int id = kind.submit(BOB, job().time(100).runs(6000).within("r"));
    kind.minutes(35);
    assertEquals("RUNNING", kind.state(id));
    kind.minutes(10);
    assertEquals("TIMEOUT", kind.state(id));
  }

  @Test
  void aLongerReservationLetsItsJobsRunOn() {
    reserve("name=r start=0 duration=30 nodes=n2 users=bob");
    int id = cluster.submit(BOB, job().time(100).runs(3000).within("r"));
    assertNull(cluster.refusal(ROOT, Asked.update("r", "duration=60")));
    cluster.minutes(35);
    assertEquals("RUNNING", cluster.state(id));
    cluster.minutes(20);
    assertEquals("COMPLETED", cluster.state(id));
  }

  @Test
  void jobsOfReservationsComeFirst() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob flags=FLEX");
    int blocker = cluster.submit(ALICE, job().on("n2").exclusive().time(10).runs(300));
    int other = cluster.submit(ALICE, job().cpus(4).time(10).priority(1000));
    int own = cluster.submit(BOB, job().nodes(2).tasks(2).exclusive().time(10).within("r"));
    cluster.minutes(6);
    assertEquals("COMPLETED", cluster.state(blocker));
    assertEquals("n1,n2 in r", place(own));
    assertEquals("PENDING", cluster.state(other));
  }

  @Test
  void flexJobsBeginBeforeAndUseOtherNodes() {
    reserve("name=r start=60 duration=60 nodes=n1 users=bob flags=FLEX");
    assertEquals(
        "n1,n2 in r", place(cluster.submit(BOB, job().nodes(2).tasks(2).time(10).within("r"))));
    assertEquals("n1 in r", place(cluster.submit(BOB, job().time(500).within("r"))));
    assertEquals("n2", place(cluster.submit(ALICE, job().time(500))), "closed to others");
  }

  @Test
  void flexJobsRunOnAfterItsEnd() {
    reserve("name=r start=0 duration=10 nodes=n1 users=bob flags=FLEX");
    int id = cluster.submit(BOB, job().time(30).runs(1200).within("r"));
    cluster.minutes(15);
    assertEquals("RUNNING", cluster.state(id));
    cluster.minutes(10);
    assertEquals("COMPLETED", cluster.state(id));
  }

  @Test
  void aMagneticReservationTakesInWhoMayUseIt() {
    reserve("name=r start=0 duration=60 nodes=n2 users=bob flags=MAGNETIC");
    assertEquals("n2 in r", place(cluster.submit(BOB, job().time(5))));
    assertEquals("n1", place(cluster.submit(ALICE, job().time(5))));
  }

  @Test
  void whoDoesNotFitIntoAMagneticReservationRunsOutside() {
    reserve("name=r start=0 duration=60 nodes=n2 users=bob flags=MAGNETIC");
    cluster.submit(BOB, job().cpus(4).time(5));
    assertEquals("n1", place(cluster.submit(BOB, job().cpus(4).time(5))));
  }

  @Test
  void overlappingJobsKeepOffMaintenance() {
    reserve("name=r start=0 duration=200 nodes=n1 users=bob flags=OVERLAP");
    reserve("name=m start=60 duration=60 nodes=n1 users=root flags=MAINT");
    assertEquals("n1 in r", place(cluster.submit(BOB, job().time(60).within("r"))));
    int late = cluster.submit(BOB, job().time(61).within("r"));
    assertEquals("ReqNodeNotAvail, Reserved for maintenance", place(late));
  }

  @Test
  void maintenanceJobsRunWhateverIsReserved() {
    reserve("name=r start=0 duration=200 nodes=n1 users=bob");
    reserve("name=m start=0 duration=60 nodes=n1 users=alice flags=MAINT");
    assertEquals("n1 in m", place(cluster.submit(ALICE, job().time(10).within("m"))));
  }

  @Test
  void theFirstReservationThatHasRoomIsUsed() {
    reserve("name=later start=60 duration=60 nodes=n1 users=bob");
    reserve("name=now start=0 duration=60 nodes=n2 users=bob");
    assertEquals("n2 in now", place(cluster.submit(BOB, job().time(5).within("later", "now"))));
  }

  @Test
  void aFloatingReservationKeepsLongJobsOff() {
    reserve("name=r start=30 duration=60 nodes=n1,n2 users=bob flags=TIME_FLOAT");
    cluster.minutes(300);
    assertEquals("n1", place(cluster.submit(ALICE, job().time(30))));
    assertEquals("PENDING", cluster.state(cluster.submit(ALICE, job().time(31))));
    assertEquals(1, cluster.state().reservations().size());
  }

  @Test
  void aShortDelayIsAllowed() {
    reserve("name=r start=0 duration=60 nodes=n1,n2 users=bob delay=10");
    assertEquals("n1", place(cluster.submit(ALICE, job().time(10))));
    assertEquals("PENDING", cluster.state(cluster.submit(ALICE, job().time(11))));
  }

  @Test
  void unknownReservationsAreRefused() {
    assertEquals(ErrorCode.RESERVATION_INVALID, cluster.refusal(BOB, job().within("nope")));
  }

  @Test
  void othersAreDenied() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob");
    assertEquals(ErrorCode.RESERVATION_ACCESS, cluster.refusal(ALICE, job().within("r")));
    reserve("name=all start=0 duration=60 nodes=n2 users=-alice");
    assertEquals(ErrorCode.RESERVATION_ACCESS, cluster.refusal(ALICE, job().within("all")));
    assertNull(cluster.refusal(BOB, job().within("all")));
  }

  @Test
  void groupsAreAsked() {
    reserve("name=r start=0 duration=60 nodes=n1 groups=staff");
    assertEquals(ErrorCode.RESERVATION_ACCESS, cluster.refusal(ALICE, job().within("r")));
    assertEquals("n1 in r", place(cluster.submit(BOB, job().time(5).within("r"))));
  }

  @Test
  void jobsOfOtherPartitionsAreDenied() {
    TestCluster two =
        ClusterBuilder.of(2)
            .partition("debug", "Nodes=ALL Default=YES")
            .partition("long", "Nodes=ALL")
            .start();
    String text = "name=r start=0 duration=60 nodes=n2 allowed=long";
    assertNull(two.refusal(ROOT, Asked.create(text)));
    assertEquals(ErrorCode.RESERVATION_ACCESS, two.refusal(BOB, job().within("r")));
    int its = two.submit(BOB, job().time(5).within("r").partition("debug", "long"));
    JobState.Running running = two.job(its).state().runningOrSuspended();
    assertNotNull(running);
    assertEquals("long", running.allocation().partition());
    assertEquals("n2 in r", place(running.allocation()));
  }

  @Test
  void aMagneticReservationTakesInJobsOfItsPartitionAlone() {
    TestCluster two =
        ClusterBuilder.of(2)
            .partition("debug", "Nodes=ALL Default=YES")
            .partition("long", "Nodes=ALL")
            .start();
    String text = "name=r start=0 duration=60 nodes=n2 allowed=-long flags=MAGNETIC";
    assertNull(two.refusal(ROOT, Asked.create(text)));
    JobState.Running debug = two.job(two.submit(BOB, job().time(5))).state().runningOrSuspended();
    JobState.Running other =
        two.job(two.submit(BOB, job().time(5).partition("long"))).state().runningOrSuspended();
    assertNotNull(debug);
    assertNotNull(other);
    assertEquals("n2 in r", place(debug.allocation()));
    assertEquals("n1", place(other.allocation()));
  }

  @Test
  void otherQualitiesOfServiceAreDenied() {
    reserve("name=r start=0 duration=60 nodes=n1 qos=normal");
    assertEquals(ErrorCode.RESERVATION_ACCESS, cluster.refusal(BOB, job().within("r")));
    reserve("name=s start=0 duration=60 nodes=n2 qos=-normal");
    assertEquals("n2 in s", place(cluster.submit(BOB, job().time(5).within("s"))));
  }

  @Test
  void whatNeverFitsIsRefused() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob");
    assertEquals(
        ErrorCode.NODE_CONFIG_UNAVAILABLE, cluster.refusal(BOB, job().nodes(2).within("r")));
    assertEquals(
        ErrorCode.NODE_CONFIG_UNAVAILABLE, cluster.refusal(BOB, job().on("n2").within("r")));
  }

  @Test
  void onlyOperatorsReserve() {
    String text = "start=0 duration=60 nodes=n1 users=bob";
    assertEquals(ErrorCode.USER_ID_MISSING, cluster.refusal(BOB, Asked.create(text)));
    reserve("name=r " + text);
    assertEquals(ErrorCode.USER_ID_MISSING, cluster.refusal(BOB, Asked.update("r", "duration=5")));
    assertEquals(
        ErrorCode.USER_ID_MISSING, cluster.refusal(BOB, new Command.DeleteReservation("r")));
  }

  @Test
  void userDeleteLetsItsUsersDelete() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob flags=USER_DELETE");
    assertEquals(
        ErrorCode.USER_ID_MISSING, cluster.refusal(ALICE, new Command.DeleteReservation("r")));
    assertNull(cluster.refusal(BOB, new Command.DeleteReservation("r")));
  }

  @Test
  void oneInUseIsNotDeleted() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob");
    cluster.submit(BOB, job().time(5).within("r"));
    assertEquals(
        ErrorCode.RESERVATION_BUSY, cluster.refusal(ROOT, new Command.DeleteReservation("r")));
  }

  @Test
  void jobsThatWaitForADeletedOneAreHeld() {
    reserve("name=r start=30 duration=60 nodes=n1 users=bob");
    int id = cluster.submit(BOB, job().time(5).within("r"));
    assertNull(cluster.refusal(ROOT, new Command.DeleteReservation("r")));
    assertEquals("ReservationDeleted", place(id));
    assertNull(cluster.refusal(BOB, new Command.ReleaseJob(new JobSelector(id, null))));
    assertEquals("n1", place(id), "outside of all reservations");
  }

  @Test
  void unlessTheReservationSaysOtherwise() {
    reserve("name=r start=30 duration=60 nodes=n1 users=bob flags=NO_HOLD_JOBS_AFTER_END");
    int id = cluster.submit(BOB, job().time(5).within("r"));
    assertNull(cluster.refusal(ROOT, new Command.DeleteReservation("r")));
    assertEquals("n1", place(id));
  }

  @Test
  void oneOfTwoReservationsIsLeft() {
    reserve("name=r start=30 duration=60 nodes=n1 users=bob");
    reserve("name=s start=30 duration=60 nodes=n2 users=bob");
    int id = cluster.submit(BOB, job().time(5).within("r", "s"));
    assertNull(cluster.refusal(ROOT, new Command.DeleteReservation("r")));
    cluster.minutes(31);
    assertEquals("n2 in s", place(id));
  }

  @Test
  void jobsAreHeldWhenItEnds() {
    reserve("name=r start=0 duration=10 nodes=n1 users=bob");
    cluster.submit(BOB, job().cpus(4).time(20).runs(1200).within("r"));
    int id = cluster.submit(BOB, job().cpus(4).time(20).within("r"));
    cluster.advance(Duration.ofMinutes(11));
    assertEquals("ReservationDeleted", place(id));
  }
}
