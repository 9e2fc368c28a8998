package io.dure.rules.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingEnforcement;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.accounting.usage.UsageLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each limit by the word that a waiting job shows. alice runs a job of 4 CPUs and 1000 MiB. */
@Tag("pure")
class StartLimitsTest {
  private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
  private static final Instant NOW = START.plusSeconds(600);

  private static AccountingTree tree(
      AccountingLimits user, AccountingLimits account, AccountingLimits qos) {
    try {
      AccountingTree tree = AccountingTree.initial();
      Qos plain = Qos.plain(2, "gold", "");
      Qos gold =
          new Qos(
              2,
              "gold",
              "",
              0,
              List.of(),
              List.of(),
              null,
              null,
              Duration.ZERO,
              1,
              null,
              null,
              qos);
      return tree.with(
          List.of(
              new AccountingChange.QosSet(plain),
              new AccountingChange.QosSet(gold),
              new AccountingChange.AccountSet(new Account("bio", "", "", List.of())),
              new AccountingChange.AssociationSet(
                  Association.ofAccount(3, "bio", "root").withLimits(account)),
              new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio")),
              new AccountingChange.AssociationSet(
                  Association.ofUser(4, "bio", "alice", null).withLimits(user)),
              new AccountingChange.UserSet(new AccountUser("bob", AdminLevel.NONE, "bio")),
              new AccountingChange.AssociationSet(Association.ofUser(5, "bio", "bob", null))));
    } catch (InvalidAccountingException e) {
      throw new AssertionError(e.text(), e);
    }
  }

  private static StartLimits limits(AccountingTree tree) {
    TresAmounts held = TresAmounts.NONE.with("cpu", 4).with("mem", 1000).with("node", 1);
    JobCharge charge =
        JobCharge.of(tree.association("bio", "alice", null), tree.qos("gold"), 4, held);
    UsageLedger book = UsageLedger.EMPTY.started(tree, 1, charge, START, UsageDecay.NONE);
    QosPrecedence order = new QosPrecedence(tree, Map.of());
    return new StartLimits(order, settings(), book, NOW, _ -> NOW.plusSeconds(3600));
  }

  private static PrioritySettings settings() {
    PrioritySettings usual = PrioritySettings.USUAL;
    return usual.with().enforced(AccountingEnforcement.of("limits")).halfLife(null).build();
  }

  private static JobDemand job(String user) {
    TresAmounts wanted = TresAmounts.NONE.with("cpu", 2).with("mem", 500).with("node", 1);
    return new JobDemand(user, "bio", "gold", "debug", wanted, 30L, wanted);
  }

  private enum Where {
    USER,
    ACCOUNT,
    QOS
  }

  private static DynamicTest at(
      Where where, LimitKind limit, String tres, long most, String reason) {
    AccountingLimits set = AccountingLimits.NONE.with(limit, tres, most);
    AccountingTree tree =
        tree(
            where == Where.USER ? set : AccountingLimits.NONE,
            where == Where.ACCOUNT ? set : AccountingLimits.NONE,
            where == Where.QOS ? set : AccountingLimits.NONE);
    return DynamicTest.dynamicTest(
        where + " " + limit.word() + " " + tres + " " + most,
        () -> assertEquals(reason, limits(tree).reason(job("alice"))));
  }

  @TestFactory
  Stream<DynamicTest> associations() {
    return Stream.of(
        at(Where.USER, LimitKind.MAX_JOBS, null, 1, "AssocMaxJobsLimit"),
        at(Where.USER, LimitKind.MAX_JOBS, null, 2, null),
        at(Where.ACCOUNT, LimitKind.MAX_JOBS, null, 1, "AssocMaxJobsLimit"),
        at(Where.USER, LimitKind.GRP_TRES, "cpu", 5, "AssocGrpCpuLimit"),
        at(Where.USER, LimitKind.GRP_TRES, "cpu", 6, null),
        at(Where.ACCOUNT, LimitKind.GRP_TRES, "mem", 1499, "AssocGrpMemLimit"),
        at(Where.ACCOUNT, LimitKind.GRP_TRES, "node", 1, "AssocGrpNodeLimit"),
        at(Where.ACCOUNT, LimitKind.GRP_TRES, "gres/gpu", 0, null),
        at(Where.ACCOUNT, LimitKind.GRP_JOBS, null, 1, "AssocGrpJobsLimit"),
        at(Where.ACCOUNT, LimitKind.GRP_TRES_MINS, "cpu", 40, "AssocGrpCPUMinutesLimit"),
        at(Where.ACCOUNT, LimitKind.GRP_TRES_MINS, "cpu", 41, null),
        at(Where.ACCOUNT, LimitKind.GRP_TRES_MINS, "billing", 0, "AssocGrpBillingMinutes"),
        at(Where.ACCOUNT, LimitKind.GRP_WALL, null, 10, "AssocGrpWallLimit"),
        at(Where.USER, LimitKind.MAX_WALL, null, 29, "AssocMaxWallDurationPerJobLimit"),
        at(Where.USER, LimitKind.MAX_WALL, null, 30, null),
        at(Where.USER, LimitKind.MAX_TRES_PER_JOB, "cpu", 1, "AssocMaxCpuPerJobLimit"),
        at(Where.USER, LimitKind.MAX_TRES_PER_JOB, "node", 0, "AssocMaxNodePerJobLimit"),
        at(Where.USER, LimitKind.MAX_TRES_PER_JOB, "mem", 100, "AssocMaxMemPerJob"),
        at(Where.USER, LimitKind.MAX_TRES_MINS_PER_JOB, "cpu", 59, "AssocMaxCpuMinutesPerJobLimit"),
        at(Where.USER, LimitKind.MAX_TRES_MINS_PER_JOB, "cpu", 60, null),
        at(Where.USER, LimitKind.MAX_TRES_PER_NODE, "cpu", 1, "AssocMaxCpuPerNode"),
        at(Where.USER, LimitKind.MAX_TRES_PER_NODE, "mem", 500, null),
        at(Where.ACCOUNT, LimitKind.GRP_TRES_RUN_MINS, "cpu", 299, "AssocGrpCPURunMinutesLimit"),
        at(Where.ACCOUNT, LimitKind.GRP_TRES_RUN_MINS, "cpu", 300, null),
        at(Where.USER, LimitKind.MAX_TRES_RUN_MINS, "cpu", 299, "AssociationResourceLimit"),
        at(Where.USER, LimitKind.MAX_TRES_RUN_MINS, "gres/gpu", 0, null));
  }

  @TestFactory
  Stream<DynamicTest> qos() {
    return Stream.of(
        at(Where.QOS, LimitKind.GRP_JOBS, null, 1, "QOSGrpJobsLimit"),
        at(Where.QOS, LimitKind.GRP_TRES, "cpu", 5, "QOSGrpCpuLimit"),
        at(Where.QOS, LimitKind.GRP_TRES, "mem", 1, "QOSGrpMemLimit"),
        at(Where.QOS, LimitKind.GRP_TRES_MINS, "cpu", 1, "QOSGrpCPUMinutesLimit"),
        at(Where.QOS, LimitKind.GRP_WALL, null, 1, "QOSGrpWallLimit"),
        at(Where.QOS, LimitKind.MAX_TRES_PER_JOB, "mem", 1, "QOSMaxMemoryPerJob"),
        at(Where.QOS, LimitKind.MAX_TRES_PER_JOB, "cpu", 1, "QOSMaxCpuPerJobLimit"),
        at(Where.QOS, LimitKind.MAX_WALL, null, 1, "QOSMaxWallDurationPerJobLimit"),
        at(Where.QOS, LimitKind.MAX_JOBS_PER_USER, null, 1, "QOSMaxJobsPerUserLimit"),
        at(Where.QOS, LimitKind.MAX_JOBS_PER_ACCOUNT, null, 1, "MaxJobsPerAccount"),
        at(Where.QOS, LimitKind.MAX_TRES_PER_USER, "cpu", 5, "QOSMaxCpuPerUserLimit"),
        at(Where.QOS, LimitKind.MAX_TRES_PER_USER, "mem", 5, "QOSMaxMemoryPerUser"),
        at(Where.QOS, LimitKind.MAX_TRES_PER_ACCOUNT, "cpu", 5, "MaxCpuPerAccount"),
        at(Where.QOS, LimitKind.MIN_TRES_PER_JOB, "cpu", 3, "QOSMinCpuNotSatisfied"),
        at(Where.QOS, LimitKind.MAX_TRES_PER_NODE, "mem", 499, "QOSMaxMemoryPerNode"),
        at(Where.QOS, LimitKind.GRP_TRES_RUN_MINS, "mem", 1, "QOSGrpMemoryRunMinutes"),
        at(Where.QOS, LimitKind.MAX_TRES_RUN_MINS_PER_USER, "cpu", 299, "MaxCpuRunMinsPerUser"),
        at(Where.QOS, LimitKind.MAX_TRES_RUN_MINS_PER_USER, "cpu", 300, null),
        at(
            Where.QOS,
            LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT,
            "cpu",
            299,
            "MaxCpuRunMinsPerAccount"));
  }

  @Test
  void aLimitOfTheQosStandsBeforeThatOfTheAssociation() {
    AccountingLimits one = AccountingLimits.NONE.with(LimitKind.GRP_TRES, "cpu", 1L);
    AccountingLimits ten = AccountingLimits.NONE.with(LimitKind.GRP_TRES, "cpu", 10L);
    assertNull(limits(tree(AccountingLimits.NONE, one, ten)).reason(job("alice")));
    assertEquals(
        "QOSGrpCpuLimit", limits(tree(AccountingLimits.NONE, ten, one)).reason(job("alice")));
  }

  @Test
  void aUsersLimitIsEachUsers() {
    AccountingTree tree =
        tree(
            AccountingLimits.NONE,
            AccountingLimits.NONE,
            AccountingLimits.NONE.with(LimitKind.MAX_JOBS_PER_USER, null, 1L));
    assertNull(limits(tree).reason(job("bob")));
  }

  @Test
  void whatThePlanStartsCountsForThoseBehind() {
    AccountingTree tree =
        tree(
            AccountingLimits.NONE,
            AccountingLimits.NONE.with(LimitKind.GRP_TRES, "cpu", 8L),
            AccountingLimits.NONE);
    StartLimits limits = limits(tree);
    assertNull(limits.reason(job("bob")));
    limits.started(job("bob"));
    assertNull(limits.reason(job("bob")));
    limits.started(job("bob"));
    assertEquals("AssocGrpCpuLimit", limits.reason(job("bob")));
  }
}
