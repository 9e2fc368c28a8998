package io.dure.accounting;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.request.TimeLimit;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What limits refuse at once: too many jobs, and jobs that can never be. */
@Tag("pure")
class SubmitLimitsTest {

  private enum Where {
    USER,
    ACCOUNT,
    ROOT_ACCOUNT,
    QOS
  }

  private static TestCluster cluster(Where where, AccountingLimits limits, List<QosFlag> flags) {
    return cluster(ClusterBuilder.of(2), where, limits, flags);
  }

  /** Account bio with alice and bob, one limit somewhere, and all jobs of QOS normal. */
  private static TestCluster cluster(
      ClusterBuilder builder, Where where, AccountingLimits limits, List<QosFlag> flags) {
    TestCluster cluster = builder.set("AccountingStorageEnforce", "limits").start();
    Qos normal =
        new Qos(
            1,
            "normal",
            "",
            0,
            flags,
            List.of(),
            null,
            null,
            Duration.ZERO,
            1,
            null,
            null,
            where == Where.QOS ? limits : AccountingLimits.NONE);
    Association root = cluster.state().accounts().association("root", null, null);
    List<AccountingChange> changes =
        List.of(
            new AccountingChange.QosSet(normal),
            new AccountingChange.AssociationSet(
                root.withLimits(where == Where.ROOT_ACCOUNT ? limits : AccountingLimits.NONE)),
            new AccountingChange.AccountSet(new Account("bio", "", "", List.of())),
            new AccountingChange.AssociationSet(
                Association.ofAccount(3, "bio", "root")
                    .withLimits(where == Where.ACCOUNT ? limits : AccountingLimits.NONE)),
            new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio")),
            new AccountingChange.AssociationSet(
                Association.ofUser(4, "bio", "alice", null)
                    .withLimits(where == Where.USER ? limits : AccountingLimits.NONE)),
            new AccountingChange.UserSet(new AccountUser("bob", AdminLevel.NONE, "bio")),
            new AccountingChange.AssociationSet(Association.ofUser(5, "bio", "bob", null)));
    assertEquals(new Reply.Done(), cluster.ask(ROOT, new Command.ChangeAccounting(0, changes)));
    return cluster;
  }

  private static String reason(TestCluster cluster, Caller.User who, JobBuilder job) {
    Reply reply = cluster.ask(who, job.submission());
    if (reply instanceof Reply.Submitted) {
      return "";
    }
    Reply.Refused refused = assertInstanceOf(Reply.Refused.class, reply);
    assertEquals(ErrorCode.ACCOUNTING_POLICY, refused.code());
    return refused.detail();
  }

  private static AccountingLimits most(LimitKind limit, String tres, long most) {
    return AccountingLimits.NONE.with(limit, tres, most);
  }

  /** With two waiting jobs of alice, one more of whom is refused for what. */
  private static DynamicTest more(
      Where where, LimitKind limit, long most, Caller.User who, String reason) {
    return DynamicTest.dynamicTest(
        where + " " + limit.word() + " " + most + " " + who.identity().userName(),
        () -> {
          TestCluster cluster = cluster(where, most(limit, null, most), List.of());
          cluster.submit(ALICE, job().array("0-1").held());
          assertEquals(reason, reason(cluster, who, job().held()));
        });
  }

  @TestFactory
  Stream<DynamicTest> tooManyJobs() {
    return Stream.of(
        more(Where.USER, LimitKind.MAX_SUBMIT_JOBS, 2, ALICE, "AssocMaxSubmitJobLimit"),
        more(Where.USER, LimitKind.MAX_SUBMIT_JOBS, 3, ALICE, ""),
        more(Where.ACCOUNT, LimitKind.MAX_SUBMIT_JOBS, 2, ALICE, "AssocMaxSubmitJobLimit"),
        more(Where.ACCOUNT, LimitKind.MAX_SUBMIT_JOBS, 2, BOB, ""),
        more(Where.USER, LimitKind.GRP_SUBMIT_JOBS, 2, ALICE, "AssocGrpSubmitJobsLimit"),
        more(Where.ACCOUNT, LimitKind.GRP_SUBMIT_JOBS, 2, BOB, "AssocGrpSubmitJobsLimit"),
        more(Where.ACCOUNT, LimitKind.GRP_SUBMIT_JOBS, 3, BOB, ""),
        more(Where.ROOT_ACCOUNT, LimitKind.GRP_SUBMIT_JOBS, 2, BOB, "AssocGrpSubmitJobsLimit"),
        more(Where.QOS, LimitKind.GRP_SUBMIT_JOBS, 2, BOB, "QOSGrpSubmitJobsLimit"),
        more(
            Where.QOS, LimitKind.MAX_SUBMIT_JOBS_PER_USER, 2, ALICE, "QOSMaxSubmitJobPerUserLimit"),
        more(Where.QOS, LimitKind.MAX_SUBMIT_JOBS_PER_USER, 2, BOB, ""),
        more(Where.QOS, LimitKind.MAX_SUBMIT_JOBS_PER_ACCOUNT, 2, BOB, "MaxSubmitJobsPerAccount"),
        more(Where.QOS, LimitKind.MAX_SUBMIT_JOBS_PER_ACCOUNT, 3, BOB, ""));
  }

  @Test
  void allTasksOfAnArrayCountAtOnce() {
    TestCluster cluster = cluster(Where.USER, most(LimitKind.MAX_SUBMIT_JOBS, null, 3), List.of());
    assertEquals("AssocMaxSubmitJobLimit", reason(cluster, ALICE, job().array("0-3")));
    assertEquals("", reason(cluster, ALICE, job().array("0-2")));
  }

  @Test
  void allComponentsOfAHeterogeneousJobCount() {
    TestCluster cluster = cluster(Where.USER, most(LimitKind.MAX_SUBMIT_JOBS, null, 3), List.of());
    Command.Component one = new Command.Component(job().held().spec(), job().batch());
    Command.SubmitHetJob two =
        new Command.SubmitHetJob(List.of(one, one), job().submission().texts(), null);
    assertInstanceOf(Reply.Submitted.class, cluster.ask(ALICE, two));
    Reply.Refused refused = assertInstanceOf(Reply.Refused.class, cluster.ask(ALICE, two));
    assertEquals("AssocMaxSubmitJobLimit", refused.detail());
    assertEquals(2, cluster.state().jobCount(), "all or none");
    assertEquals("", reason(cluster, ALICE, job().held()));
  }

  @Test
  void limitsOfRunningJobsKeepAllComponentsWaiting() {
    TestCluster cluster = cluster(Where.USER, most(LimitKind.MAX_JOBS, null, 1), List.of());
    Command.Component one = new Command.Component(job().spec(), job().batch());
    Command.SubmitHetJob two =
        new Command.SubmitHetJob(List.of(one, one), job().submission().texts(), null);
    assertInstanceOf(Reply.Submitted.class, cluster.ask(ALICE, two));
    assertEquals("PENDING", cluster.state(1));
    assertEquals("PENDING", cluster.state(2));
    assertEquals("AssocMaxJobsLimit", cluster.reason(2));
    int alone = cluster.submit(ALICE, job());
    assertEquals("RUNNING", cluster.state(alone), "what was tried is given back");
  }

  @Test
  void aJobThatIsOverMakesRoomAndARestartForgetsNone() {
    TestCluster cluster = cluster(Where.USER, most(LimitKind.MAX_SUBMIT_JOBS, null, 2), List.of());
    cluster.submit(ALICE, job().time(60).runs(60));
    cluster.submit(ALICE, job().time(60).runs(6000));
    cluster.seconds(10);
    assertEquals("AssocMaxSubmitJobLimit", reason(cluster, ALICE, job()));
    cluster.seconds(120);
    assertEquals("", reason(cluster, ALICE, job().held()));
    cluster.restartController();
    assertEquals("AssocMaxSubmitJobLimit", reason(cluster, ALICE, job()));
    cluster.checkReplay();
  }

  /** A job of 2 CPUs and 60 minutes where its QOS has DenyOnLimit. */
  private static DynamicTest never(
      Where where, LimitKind limit, String tres, long most, String reason) {
    return DynamicTest.dynamicTest(
        where + " " + limit.word() + " " + most,
        () -> {
          JobBuilder job = job().cpus(2).time(60);
          AccountingLimits limits = most(limit, tres, most);
          assertEquals("", reason(cluster(where, limits, List.of()), ALICE, job));
          List<QosFlag> deny = List.of(QosFlag.DENY_ON_LIMIT);
          assertEquals(reason, reason(cluster(where, limits, deny), ALICE, job));
          ClusterBuilder all = ClusterBuilder.of(2).set("EnforcePartLimits", "ALL");
          assertEquals(reason, reason(cluster(all, where, limits, List.of()), ALICE, job));
        });
  }

  private static Command.UserCommand change(int id, String account, Long minutes) {
    TimeLimit limit = minutes == null ? null : new TimeLimit.Limited(Duration.ofMinutes(minutes));
    JobChange change = JobChange.NONE.with().account(account).timeLimit(limit).build();
    return new Command.UpdateJob(new JobSelector(id, null), change);
  }

  @Test
  void usersDoNotChangeAJobToWhatWouldHaveBeenRefused() {
    List<QosFlag> deny = List.of(QosFlag.DENY_ON_LIMIT);
    TestCluster cluster = cluster(Where.QOS, most(LimitKind.MAX_WALL, null, 59), deny);
    int id = cluster.submit(ALICE, job().time(50).held());
    assertNull(cluster.refusal(ALICE, change(id, null, 59L)));
    assertEquals(ErrorCode.ACCOUNTING_POLICY, cluster.refusal(ALICE, change(id, null, 60L)));
    assertNull(cluster.refusal(ROOT, change(id, null, 60L)));
  }

  @Test
  void aJobIsNotCountedTwiceWhereItStays() {
    TestCluster cluster = cluster(Where.USER, most(LimitKind.MAX_SUBMIT_JOBS, null, 1), List.of());
    int id = cluster.submit(ALICE, job().held());
    assertNull(cluster.refusal(ALICE, change(id, "bio", null)));
    AccountingLimits none = most(LimitKind.MAX_SUBMIT_JOBS, null, 0);
    AccountingChange lowered =
        new AccountingChange.AssociationSet(
            Association.ofUser(4, "bio", "alice", null).withLimits(none));
    cluster.ask(ROOT, new Command.ChangeAccounting(1, List.of(lowered)));
    assertEquals(ErrorCode.ACCOUNTING_POLICY, cluster.refusal(ALICE, change(id, "bio", null)));
    assertNull(cluster.refusal(ALICE, change(id, null, 5L)));
  }

  @TestFactory
  Stream<DynamicTest> whatCanNeverBe() {
    return Stream.of(
        never(Where.QOS, LimitKind.MAX_TRES_PER_JOB, "cpu", 1, "QOSMaxCpuPerJobLimit"),
        never(Where.QOS, LimitKind.MAX_TRES_PER_JOB, "cpu", 2, ""),
        never(Where.QOS, LimitKind.MAX_WALL, null, 59, "QOSMaxWallDurationPerJobLimit"),
        never(
            Where.QOS, LimitKind.MAX_TRES_MINS_PER_JOB, "cpu", 119, "QOSMaxCpuMinutesPerJobLimit"),
        never(Where.QOS, LimitKind.MAX_TRES_PER_USER, "cpu", 1, "QOSMaxCpuPerUserLimit"),
        never(Where.QOS, LimitKind.MIN_TRES_PER_JOB, "cpu", 3, "QOSMinCpuNotSatisfied"),
        never(Where.USER, LimitKind.MAX_WALL, null, 59, "AssocMaxWallDurationPerJobLimit"),
        never(Where.ACCOUNT, LimitKind.GRP_TRES, "cpu", 1, "AssocGrpCpuLimit"),
        never(Where.ACCOUNT, LimitKind.GRP_TRES_RUN_MINS, "cpu", 119, "AssocGrpCPURunMinutesLimit"),
        never(Where.ACCOUNT, LimitKind.GRP_TRES_MINS, "cpu", 119, "AssocGrpCPUMinutesLimit"),
        never(Where.ACCOUNT, LimitKind.GRP_TRES_MINS, "cpu", 120, ""),
        never(Where.QOS, LimitKind.GRP_WALL, null, 59, "QOSGrpWallLimit"),
        never(Where.ACCOUNT, LimitKind.GRP_JOBS, null, 0, ""));
  }

  /** Two components of 2 CPUs and 60 minutes each. */
  private static DynamicTest together(
      Where where, LimitKind limit, @Nullable String tres, long most, boolean fits) {
    return DynamicTest.dynamicTest(
        where + " " + limit.word() + " " + most,
        () -> {
          JobBuilder job = job().cpus(2).time(60);
          Command.Component one = new Command.Component(job.spec(), job.batch());
          Command.SubmitHetJob two =
              new Command.SubmitHetJob(List.of(one, one), job.submission().texts(), null);
          TestCluster free = cluster(where, most(limit, tres, most), List.of());
          assertInstanceOf(Reply.Submitted.class, free.ask(ALICE, two));
          TestCluster cluster =
              cluster(where, most(limit, tres, most), List.of(QosFlag.DENY_ON_LIMIT));
          Reply reply = cluster.ask(ALICE, two);
          if (fits) {
            assertInstanceOf(Reply.Submitted.class, reply);
          } else {
            Reply.Refused refused = assertInstanceOf(Reply.Refused.class, reply);
            assertEquals(ErrorCode.ACCOUNTING_POLICY, refused.code());
            assertEquals(0, cluster.state().jobCount(), "all or none");
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> componentsThatCanNeverRunTogether() {
    return Stream.of(
        together(Where.ACCOUNT, LimitKind.GRP_TRES, "cpu", 3, false),
        together(Where.ACCOUNT, LimitKind.GRP_TRES, "cpu", 4, true),
        together(Where.ACCOUNT, LimitKind.GRP_TRES, "node", 1, false),
        together(Where.QOS, LimitKind.MAX_TRES_PER_USER, "cpu", 3, false),
        together(Where.QOS, LimitKind.GRP_TRES_MINS, "cpu", 239, false),
        together(Where.QOS, LimitKind.GRP_TRES_MINS, "cpu", 240, true),
        together(Where.QOS, LimitKind.GRP_WALL, null, 60, true));
  }
}
