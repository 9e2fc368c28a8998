package io.dure.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.accounting.AccountingChange.QosSet;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.command.Placement;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.job.Job;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationAccess;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationNodeRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Overdue jobs beside the other rules of a cluster: QOS, reservations in advance, preemption. */
@Tag("pure")
class OverdueRulesTest {
  private final Planner planner = new Planner();

  /** A node of four cores, of which a job has two for three hours; one of an hour wants all. */
  private TestCluster oneOverdue() {
    TestCluster cluster = TestCluster.nodes(1, 4).backfill();
    cluster.policy =
        TestSettings.policy("dure_most_bound=1", "dure_least_bound=1", "dure_backlog_share=0");
    PartitionConfig high = TestCluster.partition("high", List.of("n1"));
    cluster.with(TestCluster.partition("debug", List.of("n1")));
    cluster.with(TestCluster.state("high", high, PartitionConfig.State.UP, 2));
    cluster.submit(j -> j.tasks(2).minutes(180));
    assertEquals("1", pass(cluster));
    cluster.submit(j -> j.tasks(4).minutes(60));
    cluster.advance(Duration.ofMinutes(70));
    return cluster;
  }

  private String pass(TestCluster cluster) {
    SchedulingPlan plan = cluster.plan(planner);
    cluster.last = plan;
    plan.starts().forEach(cluster::start);
    return String.join(
        " ", plan.starts().stream().map(Placement::jobId).map(String::valueOf).toList());
  }

  /** A job of one core that would run beyond what is reserved for the overdue one. */
  private static void longerOne(TestCluster cluster) {
    int id = cluster.submit(j -> j.tasks(1).minutes(150));
    Job job = cluster.pending.require(id);
    cluster.pending = cluster.pending.with(id, job.withEligibleTime(cluster.now));
  }

  @ParameterizedTest
  @CsvSource({"false, 2:110, ''", "true, '', 3"})
  void nothingIsReservedForAQosWithNoReserve(boolean flagged, String promised, String starts)
      throws InvalidAccountingException {
    TestCluster cluster = oneOverdue();
    List<QosFlag> flags = flagged ? List.of(QosFlag.NO_RESERVE) : List.of();
    cluster.accounts =
        cluster.accounts.with(List.of(new QosSet(Qos.plain(2, "low", "").withFlags(flags))));
    Job job = cluster.pending.require(2);
    cluster.pending = cluster.pending.with(2, job.withSpec(job.spec().withQos("low")));
    pass(cluster);
    assertEquals(promised, cluster.promised());
    longerOne(cluster);
    assertEquals(starts, pass(cluster));
  }

  @Test
  void aStartIsReservedBehindAMaintenance() {
    TestCluster cluster = oneOverdue();
    Instant begin = TestCluster.START.plus(Duration.ofMinutes(200));
    Instant end = begin.plus(Duration.ofMinutes(30));
    cluster.reservations =
        List.of(
            new Reservation(
                1,
                "maint",
                begin,
                end,
                List.of("n1"),
                new ReservationNodeRequest(0, 0, null, null, List.of()),
                new ReservationAccess(List.of("root"), List.of(), List.of(), List.of(), List.of()),
                List.of(ReservationFlag.MAINT, ReservationFlag.SPEC_NODES),
                TestCluster.START,
                null,
                null,
                null,
                "UTC",
                List.of(),
                List.of(),
                null));
    assertEquals("", pass(cluster));
    assertEquals("2:160", cluster.promised(), "it would not be over when that begins at 130");
    cluster.end(1);
    cluster.advance(Duration.ofMinutes(71));
    assertEquals("", pass(cluster), "59 minutes are left");
    cluster.advance(Duration.ofMinutes(89));
    assertEquals("2", pass(cluster));
  }

  @ParameterizedTest
  @CsvSource({"true, 0", "false, 1"})
  void aJobThatPreemptsTakesNoNodeOfAReservedStart(boolean overdue, int preempted) {
    TestCluster cluster = oneOverdue();
    cluster.preempt =
        PreemptSettings.NONE
            .withType(PreemptSettings.Type.PARTITION_PRIO)
            .withMode(PreemptMode.REQUEUE);
    if (!overdue) {
      cluster.pending =
          cluster.pending.with(2, cluster.pending.require(2).withEligibleTime(cluster.now));
    }
    assertEquals("", pass(cluster));
    assertEquals("2:110", cluster.promised());
    int id = cluster.submit(j -> j.tasks(4).minutes(30).partition("high"));
    cluster.pending =
        cluster.pending.with(id, cluster.pending.require(id).withEligibleTime(cluster.now));
    pass(cluster);
    assertEquals(preempted, cluster.last.preemptions().size());
  }
}
