package io.dure.accounting;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What accounts make of the order of jobs, and of which may start. */
@Tag("pure")
class AccountsInPlansTest {
  private final TestCluster cluster;
  private final Association alice;
  private final Association bob;

  AccountsInPlansTest() {
    cluster =
        ClusterBuilder.of(1)
            .cpus(2)
            .set("AccountingStorageEnforce", "associations,limits")
            .set("PriorityWeightAssoc", "1000")
            .start();
    int id = cluster.state().accounts().nextAssociation();
    alice = Association.ofUser(id + 1, "bio", "alice", null);
    bob = Association.ofUser(id + 2, "bio", "bob", null);
    change(
        new AccountingChange.AccountSet(new Account("bio", "bio", "lab", List.of())),
        new AccountingChange.AssociationSet(Association.ofAccount(id, "bio", "root")),
        new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio")),
        new AccountingChange.AssociationSet(alice),
        new AccountingChange.UserSet(new AccountUser("bob", AdminLevel.NONE, "bio")),
        new AccountingChange.AssociationSet(bob));
  }

  private void change(AccountingChange... changes) {
    Reply reply =
        cluster.ask(
            ROOT,
            new Command.ChangeAccounting(cluster.state().accounts().version(), List.of(changes)));
    assertEquals(new Reply.Done(), reply);
  }

  /** The queue is in order by shares of a while ago, by which the others stand higher than now. */
  @Test
  void whoIsPutOnTopGoesFirstWhateverTheOthersSharesWere() {
    TestCluster shares =
        ClusterBuilder.of(1)
            .set("PriorityType", "priority/multifactor")
            .set("PriorityWeightFairshare", "100000")
            .set("PriorityCalcPeriod", "60")
            .start();
    int id = shares.state().accounts().nextAssociation();
    Reply reply =
        shares.ask(
            ROOT,
            new Command.ChangeAccounting(
                shares.state().accounts().version(),
                List.of(
                    new AccountingChange.AccountSet(new Account("bio", "bio", "lab", List.of())),
                    new AccountingChange.AssociationSet(Association.ofAccount(id, "bio", "root")),
                    new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio")),
                    new AccountingChange.AssociationSet(
                        Association.ofUser(id + 1, "bio", "alice", null)),
                    new AccountingChange.UserSet(new AccountUser("bob", AdminLevel.NONE, "bio")),
                    new AccountingChange.AssociationSet(
                        Association.ofUser(id + 2, "bio", "bob", null)))));
    assertEquals(new Reply.Done(), reply);
    int full = shares.submit(ALICE, job().exclusive().time(10).runs(300));
    int first = shares.submit(ALICE, job().exclusive().time(10).runs(300));
    int last = shares.submit(ALICE, job().exclusive().time(10).runs(300));
    shares.seconds(60);
    shares.ask(ROOT, new Command.TopJobs(List.of(last)));
    shares.seconds(270);
    assertEquals("COMPLETED", shares.state(full));
    assertEquals("RUNNING", shares.state(last));
    assertEquals("PENDING", shares.state(first));
  }

  @Test
  void whoIsAtALimitWaitsInSlurmsWordAndKeepsNobodyElseWaiting() {
    AccountingLimits one = AccountingLimits.NONE.with(LimitKind.MAX_JOBS, null, 1L);
    change(new AccountingChange.AssociationSet(alice.withLimits(one)));
    int first = cluster.submit(ALICE, job().time(10).runs(300));
    int second = cluster.submit(ALICE, job().time(10).runs(300));
    int other = cluster.submit(BOB, job().time(10).runs(300));
    cluster.seconds(5);
    assertEquals("RUNNING", cluster.state(first));
    assertEquals("AssocMaxJobsLimit", cluster.reason(second));
    assertEquals("RUNNING", cluster.state(other));
    cluster.seconds(310);
    assertEquals("RUNNING", cluster.state(second));
  }

  @Test
  void accountsThatChangeChangeTheOrderAtOnce() {
    int runs = cluster.submit(ALICE, job().exclusive().time(10).runs(100));
    int earlier = cluster.submit(ALICE, job().exclusive().time(10).runs(100));
    int later = cluster.submit(BOB, job().exclusive().time(10).runs(100));
    cluster.seconds(5);
    assertEquals("RUNNING", cluster.state(runs));
    change(new AccountingChange.AssociationSet(bob.withPriority(10L)));
    cluster.seconds(100);
    assertEquals("RUNNING", cluster.state(later));
    assertEquals("PENDING", cluster.state(earlier));
  }
}
