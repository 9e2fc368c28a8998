package io.dure.accounting;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.dure.cluster.record.AccountingRecorder;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Allocation;
import io.dure.model.job.JobState;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an allocation tells the books of how it was given. Two nodes of four cores. */
@Tag("pure")
class GivenAllocationTest {
  private static final String WEIGHTS = " TRESBillingWeights=CPU=2.5,Mem=1.0G";

  private static TestCluster weighted() {
    TestCluster cluster =
        ClusterBuilder.of(2).partition("debug", "Nodes=ALL Default=YES" + WEIGHTS).start();
    int id = cluster.state().accounts().nextAssociation();
    cluster.ask(
        ROOT,
        new Command.ChangeAccounting(
            cluster.state().accounts().version(),
            List.of(
                new AccountingChange.AccountSet(new Account("bio", "bio", "lab", List.of())),
                new AccountingChange.AssociationSet(Association.ofAccount(id, "bio", "root")),
                new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio")),
                new AccountingChange.AssociationSet(
                    Association.ofUser(id + 1, "bio", "alice", null)))));
    return cluster;
  }

  private static Allocation held(TestCluster cluster, int id) {
    JobState state = cluster.job(id).state();
    Allocation held = state instanceof JobState.Ended over ? over.allocation() : state.allocated();
    assertNotNull(held, () -> id + " is " + cluster.state(id));
    return held;
  }

  private static long charged(TestCluster cluster, int id) {
    return cluster.state().usage().charges().require(id).tres().of(TresAmounts.BILLING);
  }

  @Test
  void whatIsBilledIsWhatTheAccountIsCharged() {
    TestCluster cluster = weighted();
    int id = cluster.submit(ALICE, job().cpus(3).memory(2048).runs(60));
    assertEquals(9, held(cluster, id).billing());
    assertEquals(9, charged(cluster, id));
    cluster.minutes(3);
    assertEquals("COMPLETED", cluster.state(id));
    assertEquals(9, held(cluster, id).billed());
    cluster.checkReplay();
  }

  @Test
  void aJobThatIsChargedToNobodyIsBilledToo() {
    TestCluster cluster = weighted();
    int id = cluster.submit(ROOT, job().cpus(2).memory(1024).runs(600));
    assertEquals(6, held(cluster, id).billing());
  }

  @Test
  void aJobThatGaveANodeBackIsBilledForTheRest() {
    TestCluster cluster = weighted();
    int id = cluster.submit(ALICE, job().nodes(2).memory(1024).runs(10_000));
    assertEquals(7, held(cluster, id).billing());
    cluster.minutes(1);
    JobChange.ResourceChange one =
        JobChange.ResourceChange.NONE.with().minNodes(1).maxNodes(1).build();
    cluster.ask(
        ALICE, new Command.UpdateJob(new JobSelector(id, null), JobChange.NONE.withShape(one)));
    assertEquals(3, held(cluster, id).billing());
    assertEquals(3, charged(cluster, id));
  }

  private static <R> List<R> records(TestCluster cluster, Class<R> kind) {
    List<R> records = new ArrayList<>();
    for (TestCluster.Step step : cluster.steps()) {
      for (AccountingRecord one :
          AccountingRecorder.records(
              step.before(), step.event(), step.after(), step.after().texts())) {
        if (kind.isInstance(one)) {
          records.add(kind.cast(one));
        }
      }
    }
    return records;
  }

  @Test
  void whatAJobAsksForIsWeighedToo() {
    TestCluster cluster = weighted();
    cluster.submit(ALICE, job().cpus(2).memory(3072).runs(60));
    cluster.minutes(3);
    List<Long> asked =
        records(cluster, AccountingRecord.JobAttempt.class).stream()
            .map(AccountingRecord.JobAttempt::askedBilling)
            .distinct()
            .toList();
    assertEquals(List.of(8L), asked);
  }

  @Test
  void withoutWeightsTheCpusAreBilled() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int id = cluster.submit(ROOT, job().cpus(3).runs(600));
    assertEquals(3, held(cluster, id).billing());
  }

  @Test
  void aStartAheadOfOthersIsToldFromOneInTurn() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    int first = cluster.submit(ALICE, job().cpus(4).time(60).runs(3600));
    int wide = cluster.submit(ALICE, job().nodes(2).cpus(4).time(60).runs(3600));
    int small = cluster.submit(ALICE, job().cpus(1).time(10).runs(300));
    assertInstanceOf(JobState.Pending.class, cluster.job(wide).state());
    assertEquals(false, held(cluster, first).overtook());
    assertEquals(true, held(cluster, small).overtook());
    assertNotEquals(held(cluster, first).nodes(), held(cluster, small).nodes());
  }

  @Test
  void licencesThatCountAreOfWhatTheClusterHas() {
    TestCluster cluster =
        ClusterBuilder.of(1)
            .set("Licenses", "matlab:4,ansys:2")
            .set("AccountingStorageTRES", "license/matlab")
            .start();
    List<TresAmounts> had =
        records(cluster, AccountingRecord.ClusterCapacity.class).stream()
            .map(AccountingRecord.ClusterCapacity::tres)
            .toList();
    assertEquals(4, had.getLast().of("license/matlab"));
    assertEquals(0, had.getLast().of("license/ansys"));
  }
}
