package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules of a partition that keep jobs out: ReqResv, AllocNodes, ExclusiveUser. */
@Tag("pure")
class PartitionRulesTest {
  private static TestCluster cluster(String rule) {
    return ClusterBuilder.of(2)
        .partition("open", "Nodes=ALL Default=YES")
        .partition("kept", "Nodes=ALL " + rule)
        .start();
  }

  private static JobBuilder kept() {
    return job().partition("kept");
  }

  @Test
  void aJobWithoutReservationIsKeptOut() {
    TestCluster cluster = cluster("ReqResv=YES");
    assertNull(cluster.refusal(ROOT, Ask.reservation("r", "n1")));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, kept()));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ROOT, kept()));
    assertNull(cluster.refusal(ALICE, kept().within("r")));
    assertNull(cluster.refusal(ALICE, job().held()));
  }

  @Test
  void aJobForSeveralPartitionsRunsWhereNoReservationIsRequired() {
    TestCluster cluster = cluster("ReqResv=YES");
    int id = cluster.submit(ALICE, job().partition("kept", "open"));
    assertEquals("RUNNING", cluster.state(id));
    assertEquals("open", cluster.job(id).state().runningOrSuspended().allocation().partition());
  }

  @Test
  void partitionsOfAJobStandByTheirTiers() {
    TestCluster cluster = cluster("PriorityTier=5");
    int id = cluster.submit(ALICE, job().held().partition("open", "kept"));
    assertEquals(List.of("kept", "open"), cluster.job(id).spec().partitions());
    int other = cluster.submit(ALICE, job().held().partition("open"));
    JobChange both = JobChange.NONE.with().partitions(List.of("open", "kept")).build();
    assertNull(cluster.refusal(ALICE, update(other, both)));
    assertEquals(List.of("kept", "open"), cluster.job(other).spec().partitions());
  }

  @Test
  void noChangeOfAJobPassesOverTheReservation() {
    TestCluster cluster = cluster("ReqResv=YES");
    assertNull(cluster.refusal(ROOT, Ask.reservation("r", "n1")));
    int elsewhere = cluster.submit(ALICE, job().held());
    JobChange moved = JobChange.NONE.with().partitions(List.of("kept")).build();
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, update(elsewhere, moved)));
    int inside = cluster.submit(ALICE, kept().within("r"));
    JobChange freed = JobChange.NONE.with().reservations(List.of()).build();
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, update(inside, freed)));
    assertEquals(List.of("r"), cluster.job(inside).spec().reservations());
  }

  @Test
  void aRuleThatComesLaterHoldsForWhatWaits() {
    TestCluster cluster = cluster("");
    int id = cluster.submit(ALICE, kept().held());
    cluster.reconfigure(
        ClusterBuilder.of(2).partition("kept", "Nodes=ALL ReqResv=YES").config().config());
    assertNull(cluster.refusal(ALICE, Ask.release(id)));
    assertEquals("PENDING Reservation", cluster.state(id) + " " + cluster.reason(id));
  }

  @Test
  void jobsComeFromCertainHostsOnly() {
    TestCluster cluster = cluster("AllocNodes=login[1,3],n2");
    assertNull(cluster.refusal(ALICE.at("login1"), kept()));
    assertNull(cluster.refusal(ALICE.at("login3"), kept()));
    assertNull(cluster.refusal(ALICE.at("n2"), kept()));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE.at("login2"), kept()));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, kept()), "unknown host");
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ROOT.at("n1"), kept()));
    int id = cluster.submit(ALICE.at("login2"), job().held());
    JobChange moved = JobChange.NONE.with().partitions(List.of("kept")).build();
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE.at("login2"), update(id, moved)));
    assertNull(cluster.refusal(ALICE.at("login1"), update(id, moved)));
  }

  @Test
  void aHostMayBeNamedAsTheNodeThatItIs() {
    TestCluster cluster =
        ClusterBuilder.of(1)
            .node("gpu1")
            .cpus(4)
            .describe(" NodeHostname=machine7")
            .partition("kept", "Nodes=ALL AllocNodes=gpu1")
            .start();
    assertNull(cluster.refusal(ALICE.at("machine7"), kept()));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE.at("machine8"), kept()));
  }

  @Test
  void usersOfAnExclusivePartitionShareNoNode() {
    for (String rule : List.of("ExclusiveUser=YES", "Exclusive=USER")) {
      TestCluster cluster = cluster(rule);
      int first = cluster.submit(ALICE, kept());
      int same = cluster.submit(ALICE, kept());
      int other = cluster.submit(BOB, kept());
      int third = cluster.submit(ROOT, kept());
      int beside = cluster.submit(ROOT, job());
      assertEquals("n1", nodes(cluster, first));
      assertEquals("n1", nodes(cluster, same));
      assertEquals("n2", nodes(cluster, other));
      assertEquals("PENDING Resources", cluster.state(third) + " " + cluster.reason(third));
      assertEquals("PENDING", cluster.state(beside), "of another partition, on their nodes");
      cluster.ask(ROOT, Ask.cancel(other));
      cluster.seconds(10);
      assertEquals("n2", nodes(cluster, third));
      assertEquals("n2", nodes(cluster, beside));
    }
  }

  private static String nodes(TestCluster cluster, int id) {
    return String.join(",", cluster.job(id).state().runningOrSuspended().allocation().nodes());
  }

  private static Command.UserCommand update(int id, JobChange change) {
    return new Command.UpdateJob(Ask.all(id), change);
  }
}
