package io.dure.accounting;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Accounts in the life of a cluster: who may change them, what jobs are charged, what stays. */
@Tag("pure")
class AccountsTest {

  private static Reply change(
      TestCluster cluster, io.dure.model.command.Caller.User who, AccountingChange... changes) {
    return cluster.ask(
        who, new Command.ChangeAccounting(cluster.state().accounts().version(), List.of(changes)));
  }

  private static void bio(TestCluster cluster) {
    int id = cluster.state().accounts().nextAssociation();
    assertEquals(
        new Reply.Done(),
        change(
            cluster,
            ROOT,
            new AccountingChange.AccountSet(new Account("bio", "bio", "lab", List.of())),
            new AccountingChange.AssociationSet(Association.ofAccount(id, "bio", "root")),
            new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio")),
            new AccountingChange.AssociationSet(Association.ofUser(id + 1, "bio", "alice", null))));
  }

  private static TestCluster enforcing() {
    return ClusterBuilder.of(2).set("AccountingStorageEnforce", "associations,qos").start();
  }

  @Test
  void whoHasNoAssociationIsRefused() {
    TestCluster cluster = enforcing();
    bio(cluster);
    assertEquals(ErrorCode.INVALID_ACCOUNT, cluster.refusal(BOB, job()));
    Job job = cluster.job(cluster.submit(ALICE, job()));
    assertEquals("bio", job.spec().account());
    assertEquals("normal", job.spec().qos());
  }

  @Test
  void withoutAccountsNothingIsFilledIn() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    Job job = cluster.job(cluster.submit(ROOT, job()));
    assertNull(job.spec().account());
    assertNull(job.spec().qos());
  }

  @Test
  void onlyWhoMayChangesAccounts() {
    TestCluster cluster = enforcing();
    bio(cluster);
    AccountingChange own =
        new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.ADMINISTRATOR, "bio"));
    assertEquals(new Reply.Refused(ErrorCode.ACCESS_DENIED, ""), change(cluster, ALICE, own));
    assertEquals(new Reply.Done(), change(cluster, ROOT, own));
    assertEquals(
        new Reply.Done(),
        change(cluster, ALICE, new AccountingChange.QosSet(Qos.plain(2, "high", "high"))));
  }

  @Test
  void changesWorkedOutFromAnOldTreeAreRefused() {
    TestCluster cluster = enforcing();
    bio(cluster);
    Reply reply =
        cluster.ask(
            ROOT,
            new Command.ChangeAccounting(
                0, List.of(new AccountingChange.QosSet(Qos.plain(2, "high", "high")))));
    assertEquals(new Reply.Refused(ErrorCode.ACCOUNTS_CHANGED, ""), reply);
  }

  @Test
  void whatMakesNoTreeIsRefusedWithTheReason() {
    TestCluster cluster = enforcing();
    Reply reply = change(cluster, ROOT, new AccountingChange.UserRemoved("nobody"));
    assertEquals("there is no user nobody", assertInstanceOf(Reply.Refused.class, reply).detail());
  }

  private static double used(TestCluster cluster, String account, String user) {
    AccountingTree tree = cluster.state().accounts();
    UsageDecay decay = UsageDecay.of(cluster.state().settings().priority().halfLife());
    Association one = tree.association(account, user, null);
    return cluster.state().usage().of(one, cluster.now(), decay).raw();
  }

  @Test
  void aRunningJobIsChargedFromItsStartToItsEnd() {
    TestCluster cluster = enforcing();
    bio(cluster);
    cluster.submit(ALICE, job().cpus(2).time(60).runs(600));
    cluster.seconds(300);
    double half = used(cluster, "bio", "alice");
    assertTrue(half > 500 && half <= 600, "half: " + half);
    cluster.seconds(600);
    double all = used(cluster, "bio", "alice");
    assertTrue(all > 1190 && all <= 1300, "all: " + all);
    assertEquals(all, used(cluster, "root", null), 1e-6);
    assertEquals(0, cluster.state().usage().charges().size());
  }

  @Test
  void whatAJobGaveBackIsChargedUntilThen() {
    TestCluster cluster = enforcing();
    bio(cluster);
    int id = cluster.submit(ALICE, job().nodes(2).runs(10_000));
    cluster.minutes(10);
    JobChange.ResourceChange one =
        JobChange.ResourceChange.NONE.with().minNodes(1).maxNodes(1).build();
    cluster.ask(
        ALICE, new Command.UpdateJob(new JobSelector(id, null), JobChange.NONE.withShape(one)));
    cluster.minutes(20);
    // Two CPUs for ten minutes, then one for twenty.
    assertEquals(2400, used(cluster, "bio", "alice"), 30);
    assertEquals(1, cluster.state().usage().charges().size());
    cluster.checkReplay();
  }

  @Test
  void usageIsTheSameAfterARestart() {
    TestCluster cluster = enforcing();
    bio(cluster);
    cluster.submit(ALICE, job().cpus(2).time(60).runs(600));
    cluster.seconds(900);
    cluster.submit(ALICE, job().cpus(1).time(60).runs(6000));
    cluster.seconds(100);
    double before = used(cluster, "bio", "alice");
    cluster.checkReplay();
    cluster.restartController();
    assertEquals(before, used(cluster, "bio", "alice"), 3);
  }

  @Test
  void usageIsResetWhenTheDayEnds() {
    TestCluster cluster =
        ClusterBuilder.of(1)
            .set("AccountingStorageEnforce", "associations")
            .set("PriorityUsageResetPeriod", "DAILY")
            .set("PriorityDecayHalfLife", "0")
            .start();
    bio(cluster);
    cluster.submit(ALICE, job().cpus(2).time(60).runs(600));
    cluster.minutes(60);
    assertEquals(1200, used(cluster, "bio", "alice"), 60);
    cluster.advance(Duration.ofHours(24));
    cluster.tick();
    assertEquals(0, used(cluster, "bio", "alice"), 1e-9);
  }

  @Test
  void anOrdinaryUserRaisesNothing() {
    TestCluster cluster = ClusterBuilder.of(1).set("PriorityWeightAge", "1000").start();
    cluster.submit(ROOT, job().exclusive().runs(10_000));
    int waits = cluster.submit(ALICE, job());
    Command.UserCommand update =
        new Command.UpdateJob(new JobSelector(waits, null), JobChange.NONE.withPriority(900_000L));
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(ALICE, update));
    assertNull(cluster.refusal(ROOT, update));
    assertEquals(900_000, cluster.job(waits).priority());
  }
}
