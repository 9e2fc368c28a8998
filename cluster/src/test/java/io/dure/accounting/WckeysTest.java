package io.dure.accounting;

import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Wckey;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workload keys of jobs, as a Slurm 22.05.8 gives and refuses them. */
@Tag("pure")
class WckeysTest {

  /** Alice has the keys proj1, her default, and proj2; bob has none. */
  private static TestCluster cluster(String key, String value) {
    TestCluster cluster = ClusterBuilder.of(2).set(key, value).start();
    List<Wckey> keys = List.of(new Wckey(1, "proj1", true), new Wckey(2, "proj2", false));
    List<AccountingChange> changes =
        List.of(
            new AccountingChange.AccountSet(new Account("bio", "", "", List.of())),
            new AccountingChange.AssociationSet(Association.ofAccount(3, "bio", "root")),
            new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio", keys)),
            new AccountingChange.AssociationSet(Association.ofUser(4, "bio", "alice", null)),
            new AccountingChange.UserSet(new AccountUser("bob", AdminLevel.NONE, "bio")),
            new AccountingChange.AssociationSet(Association.ofUser(5, "bio", "bob", null)));
    assertEquals(new Reply.Done(), cluster.ask(ROOT, new Command.ChangeAccounting(0, changes)));
    return cluster;
  }

  private static Reply submitted(TestCluster cluster, Caller.User who, @Nullable String key) {
    Command.SubmitJob job = JobBuilder.job().submission();
    return cluster.ask(
        who, new Command.SubmitJob(job.spec().withWckey(key), job.workload(), job.texts()));
  }

  /** The key of a job that is taken, or the text of the refusal. */
  private static @Nullable String key(TestCluster cluster, Caller.User who, @Nullable String key) {
    Reply reply = submitted(cluster, who, key);
    return reply instanceof Reply.Refused refused
        ? refused.code().text()
        : Objects.requireNonNull(
                cluster.state().job(assertInstanceOf(Reply.Submitted.class, reply).jobId()))
            .spec()
            .wckey();
  }

  @Test
  void withoutTrackingItIsWhatTheJobSays() {
    TestCluster cluster = cluster("TrackWCKey", "no");
    assertEquals(null, key(cluster, ALICE, null));
    assertEquals("Other", key(cluster, ALICE, "Other"));
  }

  @Test
  void whereItIsTrackedJobsHaveTheDefaultOfTheirUserBehindAStar() {
    TestCluster cluster = cluster("TrackWCKey", "yes");
    assertEquals("*proj1", key(cluster, ALICE, null));
    assertEquals("proj2", key(cluster, ALICE, "proj2"));
    assertEquals("nope", key(cluster, ALICE, "nope"));
    assertEquals("", key(cluster, ALICE, ""));
    assertEquals("*", key(cluster, BOB, null));
  }

  @Test
  void whereItIsEnforcedJobsHaveThoseOfTheirUserAlone() {
    TestCluster cluster = cluster("AccountingStorageEnforce", "wckeys");
    String no = ErrorCode.INVALID_WCKEY.text();
    assertEquals("Invalid wckey specification", no);
    assertEquals("*proj1", key(cluster, ALICE, null));
    assertEquals("proj2", key(cluster, ALICE, "PROJ2"));
    for (String other : List.of("nope", "", "*proj2", "x".repeat(1000), "'; DROP TABLE job; --")) {
      assertEquals(no, key(cluster, ALICE, other));
    }
    assertEquals(no, key(cluster, BOB, null));
    assertEquals(no, key(cluster, BOB, "proj2"));
  }

  @Test
  void aJobThatWaitsGetsAnotherOfItsUser() {
    TestCluster cluster = cluster("AccountingStorageEnforce", "wckeys");
    int job = assertInstanceOf(Reply.Submitted.class, submitted(cluster, ALICE, null)).jobId();
    assertEquals(new Reply.Done(), updated(cluster, job, "proj2"));
    assertEquals("proj2", Objects.requireNonNull(cluster.state().job(job)).spec().wckey());
    Reply.Refused refused = assertInstanceOf(Reply.Refused.class, updated(cluster, job, "nope"));
    assertEquals(ErrorCode.INVALID_WCKEY, refused.code());
    assertEquals(new Reply.Done(), updated(cluster, job, ""));
    assertEquals("*proj1", Objects.requireNonNull(cluster.state().job(job)).spec().wckey());
  }

  private static Reply updated(TestCluster cluster, int job, String key) {
    return cluster.ask(
        ALICE,
        new Command.UpdateJob(new JobSelector(job, null, null), JobChange.NONE.withWckey(key)));
  }
}
