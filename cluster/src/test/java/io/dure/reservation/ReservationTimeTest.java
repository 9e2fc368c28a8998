package io.dure.reservation;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static io.dure.testkit.cluster.TestCluster.START;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.cluster.record.AccountingRecorder;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.command.Command;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationRecurrence;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What time makes of reservations. Three nodes of four cores, from a Monday on. */
@Tag("pure")
class ReservationTimeTest {
  private final TestCluster cluster = ClusterBuilder.of(3).start();

  private void reserve(String text) {
    assertNull(cluster.refusal(ROOT, Asked.create(text)), text);
  }

  private Reservation reservation() {
    Reservation one = cluster.state().reservationBook().named("r");
    assertNotNull(one);
    return one;
  }

  private String nodes() {
    return String.join(",", reservation().nodes());
  }

  private List<String> days(String flag, int count) {
    reserve("name=r start=600 duration=60 nodes=n1 users=bob flags=" + flag);
    List<String> days = new ArrayList<>();
    Reservation next = reservation();
    for (int i = 0; i < count; i++) {
      days.add(String.valueOf(next.start()).substring(8, 13));
      next = ReservationRecurrence.next(next);
      assertNotNull(next);
    }
    return days;
  }

  @Test
  void hourly() {
    assertEquals(List.of("05T10", "05T11", "05T12"), days("HOURLY", 3));
  }

  @Test
  void daily() {
    assertEquals(List.of("05T10", "06T10", "07T10"), days("DAILY", 3));
  }

  @Test
  void weekly() {
    assertEquals(List.of("05T10", "12T10", "19T10"), days("WEEKLY", 3));
  }

  @Test
  void weekdays() {
    assertEquals(List.of("05T10", "06T10", "07T10", "08T10", "09T10", "12T10"), days("WEEKDAY", 6));
  }

  @Test
  void weekends() {
    assertEquals(List.of("05T10", "10T10", "11T10", "17T10"), days("WEEKEND", 4));
  }

  @Test
  void theNextOneIsMadeWhenOneEnds() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob flags=DAILY");
    cluster.tickEvery(Duration.ofMinutes(1));
    cluster.minutes(61);
    assertEquals(START.plus(Duration.ofDays(1)), reservation().start());
    cluster.restartController();
    assertEquals(START.plus(Duration.ofDays(1)), reservation().start());
  }

  @Test
  void repetitionsThatWereMissedAreLeftOut() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob flags=DAILY");
    cluster.tickEvery(Duration.ofHours(60));
    cluster.advance(Duration.ofHours(60));
    assertEquals(START.plus(Duration.ofDays(3)), reservation().start());
  }

  @Test
  void jobsWaitForTheNextRepetition() {
    reserve("name=r start=0 duration=10 nodes=n1 users=bob flags=HOURLY");
    cluster.submit(BOB, job().cpus(4).time(20).runs(1200).within("r"));
    int id = cluster.submit(BOB, job().cpus(4).time(5).runs(60).within("r"));
    cluster.minutes(12);
    assertEquals("PENDING", cluster.state(id));
    assertEquals("Reservation", cluster.reason(id));
    cluster.minutes(50);
    assertEquals("COMPLETED", cluster.state(id));
  }

  @Test
  void oneThatDoesNotRepeatIsGone() {
    reserve("name=r start=0 duration=10 nodes=n1 users=bob");
    cluster.minutes(11);
    assertEquals(List.of(), cluster.state().reservations());
  }

  private List<AccountingRecord> records() {
    List<AccountingRecord> records = new ArrayList<>();
    for (TestCluster.Step step : cluster.steps()) {
      records.addAll(
          AccountingRecorder.records(
              step.before(), step.event(), step.after(), step.after().texts()));
    }
    return records;
  }

  @Test
  void itsTimesAreRecorded() {
    reserve("name=r start=10 duration=10 nodes=n1 users=bob");
    cluster.minutes(30);
    List<AccountingRecord.ReservationTime> times =
        records().stream()
            .filter(AccountingRecord.ReservationTime.class::isInstance)
            .map(AccountingRecord.ReservationTime.class::cast)
            .toList();
    AccountingRecord.ReservationTime made = times.getFirst();
    assertEquals(START.plus(Duration.ofMinutes(10)), made.start());
    assertEquals(START.plus(Duration.ofMinutes(20)), made.end());
    assertEquals("n1", made.nodes());
    assertEquals(4, made.tres().of(TresAmounts.CPU));
    assertEquals(List.of("bob"), made.users());
    AccountingRecord.ReservationTime last = times.getLast();
    assertEquals(true, last.over());
    assertEquals(made.id(), last.id());
  }

  @Test
  void anEmptyNodeUnderMaintenanceIsAwayOnPurpose() {
    reserve("name=r start=10 duration=20 nodes=n1,n2 users=bob flags=MAINT");
    cluster.minutes(12);
    cluster.submit(BOB, job().cpus(4).time(10).runs(300).within("r").on("n1"));
    cluster.minutes(30);
    List<String> told =
        records().stream()
            .filter(AccountingRecord.NodeOutage.class::isInstance)
            .map(AccountingRecord.NodeOutage.class::cast)
            .map(one -> one.node() + " " + one.state())
            .toList();
    assertEquals(List.of("n1 MAINT", "n2 MAINT", "n1 ", "n1 MAINT", "n1 ", "n2 "), told);
  }

  @Test
  void purgedWhenNobodyComes() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob flags=PURGE_COMP purge=10");
    cluster.minutes(9);
    assertEquals(1, cluster.state().reservations().size());
    cluster.minutes(2);
    assertEquals(List.of(), cluster.state().reservations());
  }

  @Test
  void notPurgedWhileItIsUsed() {
    reserve("name=r start=0 duration=60 nodes=n1 users=bob flags=PURGE_COMP purge=10");
    cluster.submit(BOB, job().time(20).runs(900).within("r"));
    cluster.minutes(20);
    assertEquals(1, cluster.state().reservations().size());
    cluster.minutes(8);
    assertEquals(List.of(), cluster.state().reservations());
  }

  @Test
  void aPurgedRepetitionComesAgain() {
    reserve("name=r start=0 duration=600 nodes=n1 users=bob flags=PURGE_COMP,DAILY purge=10");
    cluster.minutes(12);
    assertEquals(START.plus(Duration.ofDays(1)), reservation().start());
  }

  @Test
  void nodesThatAreDownAreReplaced() {
    reserve("name=r start=60 duration=60 nodecnt=1 users=bob flags=REPLACE_DOWN");
    assertEquals("n1", nodes());
    drain("n1");
    assertEquals("n2", nodes());
  }

  @Test
  void alsoWithoutBeingAsked() {
    reserve("name=r start=60 duration=60 nodecnt=1 users=bob");
    drain("n1");
    assertEquals("n2", nodes());
  }

  @Test
  void staticNodesStay() {
    reserve("name=r start=60 duration=60 nodecnt=1 users=bob flags=STATIC");
    drain("n1");
    assertEquals("n1", nodes());
  }

  @Test
  void namedNodesStay() {
    reserve("name=r start=60 duration=60 nodes=n1 users=bob");
    drain("n1");
    assertEquals("n1", nodes());
  }

  @Test
  void nodesWithJobsAreReplacedByIdleOnes() {
    reserve("name=r start=0 duration=60 nodecnt=1 users=bob flags=REPLACE");
    int id = cluster.submit(BOB, job().time(5).within("r"));
    assertEquals("RUNNING", cluster.state(id));
    cluster.tick();
    assertEquals("n2", nodes());
    cluster.submit(ALICE, job().nodes(2).tasks(2).exclusive().on("n2", "n3").time(5));
    assertEquals("n2", nodes(), "reserved from others");
  }

  @Test
  void partitionNodesFollowThePartition() {
    TestCluster wide =
        TestCluster.with("ResvOverRun", "0")
            .node("n1")
            .cpus(4)
            .node("n2")
            .cpus(4)
            .partition("debug", "Nodes=ALL Default=YES")
            .partition("half", "Nodes=n1,n2")
            .start();
    String all = "name=r start=60 duration=60 nodes=ALL partition=half users=bob flags=PART_NODES";
    assertNull(wide.refusal(ROOT, Asked.create(all)));
    var half = wide.state().partition("half");
    assertNotNull(half);
    wide.ask(ROOT, new Command.ChangePartition(half.without("n2"), false));
    wide.tick();
    assertEquals(List.of("n1"), wide.state().reservations().getFirst().nodes());
  }

  @Test
  void floatingTimesNeverCome() {
    reserve("name=r start=30 duration=60 nodes=n1 users=bob flags=TIME_FLOAT");
    cluster.tickEvery(Duration.ofMinutes(10));
    cluster.minutes(500);
    Instant now = cluster.now();
    assertEquals(now.plus(Duration.ofMinutes(30)), reservation().start(now));
  }

  private void drain(String node) {
    cluster.ask(
        ROOT, new Command.UpdateNodes(List.of(node), Map.of("state", "drain", "reason", "x")));
    cluster.tick();
  }

  @Test
  void aNodeOfACountedKindIsReplacedByOneOfItsKind() {
    TestCluster kinds =
        ClusterBuilder.of(0)
            .node("n1")
            .cpus(4)
            .describe(" Feature=slow")
            .node("n2")
            .cpus(4)
            .describe(" Feature=fast")
            .node("n3")
            .cpus(4)
            .describe(" Feature=slow")
            .node("n4")
            .cpus(4)
            .describe(" Feature=fast")
            .start();
    String text = "name=r start=600 duration=60 users=bob features=[fast*1&slow*1]";
    assertNull(kinds.refusal(ROOT, Asked.create(text)));
    assertEquals(List.of("n1", "n2"), kinds.state().reservations().getFirst().nodes());
    kinds.ask(
        ROOT, new Command.UpdateNodes(List.of("n2"), Map.of("state", "drain", "reason", "x")));
    kinds.minutes(2);
    assertEquals(List.of("n1", "n4"), kinds.state().reservations().getFirst().nodes());
  }
}
