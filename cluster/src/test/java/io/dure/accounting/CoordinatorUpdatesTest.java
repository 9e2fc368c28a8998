package io.dure.accounting;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What bob, who coordinates the account of alice's job, may make of it. */
@Tag("pure")
class CoordinatorUpdatesTest {
  private final TestCluster cluster =
      ClusterBuilder.of(2)
          .set("AccountingStorageEnforce", "associations")
          .partition("main", "Nodes=ALL Default=YES")
          .partition("others", "Nodes=ALL")
          .partition("staff", "Nodes=ALL AllowGroups=staff")
          .start();
  private int job;

  @BeforeEach
  void submit() {
    int id = cluster.state().accounts().nextAssociation();
    List<AccountingChange> changes =
        List.of(
            new AccountingChange.AccountSet(new Account("bio", "bio", "lab", List.of("bob"))),
            new AccountingChange.AssociationSet(Association.ofAccount(id, "bio", "root")),
            new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio")),
            new AccountingChange.AssociationSet(Association.ofUser(id + 1, "bio", "alice", null)),
            new AccountingChange.UserSet(new AccountUser("bob", AdminLevel.NONE, "bio")),
            new AccountingChange.AssociationSet(Association.ofUser(id + 2, "bio", "bob", null)));
    long version = cluster.state().accounts().version();
    assertEquals(
        new Reply.Done(), cluster.ask(ROOT, new Command.ChangeAccounting(version, changes)));
    job = cluster.submit(ALICE, job().held());
  }

  private @Nullable ErrorCode bobs(JobChange change) {
    return cluster.refusal(BOB, new Command.UpdateJob(new JobSelector(job, null), change));
  }

  private static JobChange to(String partition) {
    return JobChange.NONE.withPartitions(List.of(partition));
  }

  @Test
  void aJobGoesWhereItsOwnerMayGo() {
    assertEquals(ErrorCode.PARTITION_GROUP, bobs(to("staff")), "bob is of that group, alice not");
    assertNull(bobs(to("others")));
    assertEquals(List.of("others"), cluster.job(job).spec().partitions());
    assertNull(bobs(JobChange.NONE.withComment("moved")));
  }

  @Test
  void whereItsOutputGoesIsTheOwnersAffair() {
    JobChange.OutputChange there =
        JobChange.OutputChange.NONE.with().standardOutput("/home/alice/.profile").build();
    JobChange change = JobChange.NONE.with().output(there).build();
    assertEquals(ErrorCode.ACCESS_DENIED, bobs(change));
    assertNull(cluster.refusal(ALICE, new Command.UpdateJob(new JobSelector(job, null), change)));
  }
}
