package io.dure.model.accounting.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.PrioritySettings.Flag;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.QosFlag;
import io.dure.model.accounting.TresAmounts;
import io.dure.testkit.Cases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What usage comes to, and the order that fair shares make of it. */
@Tag("pure")
class FairShareTest {
  private static final Instant T0 = Instant.parse("2026-01-05T00:00:00Z");
  private static final UsageDecay WEEK = UsageDecay.of(Duration.ofDays(7));

  private AccountingTree tree = AccountingTree.initial();
  private UsageLedger book = UsageLedger.EMPTY;
  private int nextJob = 1;
  private Instant clock = T0;
  private UsageDecay decay = UsageDecay.NONE;

  private void account(String name, String parent, Long shares) {
    change(
        new AccountingChange.AccountSet(new Account(name, name, name, List.of())),
        new AccountingChange.AssociationSet(
            Association.ofAccount(tree.nextAssociation(), name, parent).withShares(shares)));
  }

  private void user(String account, String name, Long shares) {
    List<AccountingChange> changes = new ArrayList<>();
    if (tree.user(name) == null) {
      changes.add(new AccountingChange.UserSet(new AccountUser(name, AdminLevel.NONE, account)));
    }
    changes.add(
        new AccountingChange.AssociationSet(
            Association.ofUser(tree.nextAssociation(), account, name, null).withShares(shares)));
    change(changes.toArray(AccountingChange[]::new));
  }

  private void change(AccountingChange... changes) {
    try {
      tree = tree.with(List.of(changes));
    } catch (InvalidAccountingException e) {
      throw new AssertionError(e.text(), e);
    }
  }

  private Association at(String account, String user) {
    return tree.association(account, user, null);
  }

  /** Uses so many CPU seconds at once, without decay. */
  private void use(String account, String user, int cpuSeconds) {
    run(account, user, null, cpuSeconds, clock, Duration.ofSeconds(1));
    clock = clock.plusSeconds(1);
  }

  private void run(String account, String user, Qos qos, int cpus, Instant from, Duration time) {
    TresAmounts held = TresAmounts.NONE.with("cpu", cpus);
    JobCharge charge = JobCharge.of(at(account, user), qos, cpus, held);
    int job = nextJob++;
    book = book.started(tree, job, charge, from, decay).ended(tree, job, from.plus(time), decay);
  }

  private double raw(String account, String user, Instant now, UsageDecay decay) {
    return book.of(at(account, user), now, decay).raw();
  }

  private double rank(FairShareTable shares, String account, String user) {
    return shares.factor(at(account, user));
  }

  /** The tree of the captured sshare, with its usage. */
  private void lab() {
    account("science", "root", 80L);
    account("physics", "science", 60L);
    account("bio", "science", 40L);
    account("ops", "root", 20L);
    user("physics", "alice", 10L);
    user("bio", "alice", 5L);
    user("bio", "bob", 10L);
    user("ops", "root", 1L);
    use("root", "root", 12119);
    use("bio", "bob", 1758);
    use("physics", "alice", 4857);
  }

  @Test
  void ranksAreThoseThatSlurmPrinted() {
    lab();
    FairShareTable shares = FairTree.of(tree, book, clock, UsageDecay.NONE);
    assertEquals(1.0, rank(shares, "ops", "root"));
    assertEquals(0.8, rank(shares, "bio", "alice"));
    assertEquals(0.6, rank(shares, "bio", "bob"));
    assertEquals(0.4, rank(shares, "physics", "alice"));
    assertEquals(0.2, rank(shares, "root", "root"));
    assertEquals(2.242888, shares.level(at("science", null)), 1e-3);
    assertEquals(1.504788, shares.level(at("bio", null)), 1e-3);
    assertEquals(0.265818, shares.effectiveUsage(at("bio", null)), 1e-4);
    assertEquals(0.353151, shares.normUsage(at("science", null)), 1e-4);
    assertEquals(0.792079, shares.normShares(at("science", null)), 1e-6);
    assertTrue(Double.isInfinite(shares.level(at("ops", null))));
  }

  @Test
  void usersWhoTieShareARank() {
    account("a", "root", 1L);
    user("a", "x", 1L);
    user("a", "y", 1L);
    user("a", "z", 1L);
    use("a", "z", 5);
    FairShareTable shares = FairTree.of(tree, book, clock, UsageDecay.NONE);
    // The root user, who used nothing, stands first; x and y tie behind, z is last.
    assertEquals(1.0, rank(shares, "root", "root"));
    assertEquals(0.75, rank(shares, "a", "x"));
    assertEquals(0.75, rank(shares, "a", "y"));
    assertEquals(0.25, rank(shares, "a", "z"));
  }

  @Test
  void noSharesComeLastAndAParentsShareFirst() {
    account("a", "root", 1L);
    user("a", "none", 0L);
    user("a", "some", 1L);
    user("a", "parent", null);
    use("a", "some", 5);
    use("a", "parent", 500);
    FairShareTable shares = FairTree.of(tree, book, clock, UsageDecay.NONE);
    assertTrue(rank(shares, "a", "parent") > rank(shares, "a", "some"));
    assertTrue(rank(shares, "a", "some") > rank(shares, "a", "none"));
    assertEquals(0.0, shares.level(at("a", "none")));
  }

  @Test
  void anAccountWithItsParentsShareGivesItsUsersToTheLevelAbove() {
    account("a", "root", null);
    user("a", "x", 3L);
    account("b", "root", 1L);
    user("b", "y", 1L);
    use("a", "x", 10);
    use("b", "y", 10);
    FairShareTable shares = FairTree.of(tree, book, clock, UsageDecay.NONE);
    assertEquals(0.6, shares.normShares(at("a", "x")), 1e-9);
    assertEquals(1.2, shares.level(at("a", "x")), 1e-9);
    assertEquals(0.4, shares.level(at("b", null)), 1e-9);
  }

  @Test
  void whoStandsUnderTheBetterAccountComesFirstInEveryTree() {
    for (long seed = 1; seed <= Cases.of(60); seed++) {
      Random random = new Random(seed + Cases.seeds());
      tree = AccountingTree.initial();
      book = UsageLedger.EMPTY;
      int accounts = 2 + random.nextInt(12);
      for (int i = 0; i < accounts; i++) {
        account("a" + i, i == 0 ? "root" : parent(random, i), (long) random.nextInt(5));
        int users = random.nextInt(4);
        for (int u = 0; u < users; u++) {
          user("a" + i, "u" + i + "x" + u, (long) random.nextInt(4));
          if (random.nextBoolean()) {
            use("a" + i, "u" + i + "x" + u, random.nextInt(100));
          }
        }
      }
      FairShareTable shares = FairTree.of(tree, book, clock, UsageDecay.NONE);
      checkOrder(shares, "seed " + seed);
    }
  }

  private static String parent(Random random, int below) {
    int at = random.nextInt(below + 1);
    return at == below ? "root" : "a" + at;
  }

  /** Of two siblings, no user below the one of the higher level has a lower rank. */
  private void checkOrder(FairShareTable shares, String what) {
    for (Association account : tree.walk()) {
      List<Association> children =
          account.user() == null ? tree.children(account.account()) : List.of();
      for (Association one : children) {
        for (Association other : children) {
          if (shares.level(one) > shares.level(other)) {
            double least = users(one).stream().mapToDouble(shares::factor).min().orElse(2);
            double most = users(other).stream().mapToDouble(shares::factor).max().orElse(-1);
            assertTrue(least >= most, what + ": " + one + " before " + other);
          }
        }
      }
    }
    for (Association user : users(tree.association("root", null, null))) {
      assertTrue(shares.factor(user) > 0 && shares.factor(user) <= 1, what + ": " + user);
    }
  }

  private List<Association> users(Association from) {
    return from.user() != null
        ? List.of(from)
        : tree.walk(from.account()).stream().filter(a -> a.user() != null).toList();
  }

  @Test
  void classicShareHalvesWithTheShareUsed() {
    account("a", "root", 50L);
    account("b", "root", 49L);
    user("a", "x", 1L);
    user("b", "y", 1L);
    use("a", "x", 100);
    FairShareTable shares = ClassicFairShare.of(tree, book, clock, UsageDecay.NONE, 1);
    assertEquals(0.5, shares.normShares(at("a", null)), 1e-9);
    assertEquals(StrictMath.pow(2, -2), rank(shares, "a", "x"), 1e-9);
    assertEquals(1.0, rank(shares, "b", "y"), 1e-9);
    FairShareTable dampened = ClassicFairShare.of(tree, book, clock, UsageDecay.NONE, 2);
    assertEquals(0.5, rank(dampened, "a", "x"), 1e-9);
  }

  @Test
  void halfIsLeftAfterTheHalfLife() {
    decay = WEEK;
    account("a", "root", 1L);
    user("a", "x", 1L);
    run("a", "x", null, 100, T0, Duration.ofSeconds(10));
    double used = raw("a", "x", T0.plusSeconds(10), WEEK);
    assertEquals(1000, used, 0.01);
    assertEquals(
        0.5, raw("a", "x", T0.plusSeconds(10).plus(Duration.ofDays(7)), WEEK) / used, 1e-3);
    assertEquals(used, raw("a", null, T0.plusSeconds(10), WEEK), 1e-9);
    assertEquals(used, raw("root", null, T0.plusSeconds(10), WEEK), 1e-9);
  }

  @Test
  void lookingInBetweenChangesNothing() {
    account("a", "root", 1L);
    user("a", "x", 1L);
    JobCharge charge = JobCharge.of(at("a", "x"), null, 3, TresAmounts.NONE.with("cpu", 3));
    UsageLedger once = book.started(tree, 1, charge, T0, WEEK);
    UsageLedger often = once;
    for (int hour = 1; hour < 48; hour++) {
      often = often.accruedTo(tree, T0.plus(Duration.ofHours(hour)), WEEK);
    }
    Instant end = T0.plus(Duration.ofDays(3));
    double a = once.ended(tree, 1, end, WEEK).of(at("a", "x"), end, WEEK).raw();
    double b = often.ended(tree, 1, end, WEEK).of(at("a", "x"), end, WEEK).raw();
    assertEquals(a, b, a * 1e-12);
    assertEquals(0, often.ended(tree, 1, end, WEEK).of(at("a", "x"), end, WEEK).rawRate());
  }

  @Test
  void theUsageFactorOfTheQosCounts() {
    account("a", "root", 1L);
    user("a", "x", 1L);
    Qos half = qos(0.5, List.of());
    change(new AccountingChange.QosSet(half));
    run("a", "x", half, 4, T0, Duration.ofSeconds(100));
    assertEquals(200, raw("a", "x", T0.plusSeconds(100), UsageDecay.NONE), 1e-6);
    assertEquals(200, book.of(half, T0.plusSeconds(100), UsageDecay.NONE).raw(), 1e-6);
  }

  @Test
  void aQosWithoutDecayKeepsWhatWasUsed() {
    decay = WEEK;
    account("a", "root", 1L);
    user("a", "x", 1L);
    Qos keeps = qos(1, List.of(QosFlag.NO_DECAY));
    change(new AccountingChange.QosSet(keeps));
    run("a", "x", keeps, 4, T0, Duration.ofDays(30));
    Instant end = T0.plus(Duration.ofDays(365));
    assertEquals(4 * 30 * 86_400.0, book.of(keeps, end, WEEK).raw(), 1e-3);
    assertTrue(raw("a", "x", end, WEEK) < 1e-6);
  }

  private static Qos qos(double factor, List<QosFlag> flags) {
    Qos plain = Qos.plain(2, "half", "");
    return new Qos(
        2,
        plain.name(),
        "",
        0,
        flags,
        List.of(),
        null,
        null,
        Duration.ZERO,
        factor,
        null,
        null,
        plain.limits());
  }

  @Test
  void aThousandYearsOverflowNothing() {
    account("a", "root", 1L);
    user("a", "x", 1L);
    for (int i = 0; i < 50; i++) {
      run("a", "x", null, Integer.MAX_VALUE, T0, Duration.ofDays(365_000));
    }
    Instant end = T0.plus(Duration.ofDays(365_000));
    double used = raw("a", "x", end, UsageDecay.NONE);
    assertTrue(Double.isFinite(used) && used > 0);
    FairShareTable shares = FairTree.of(tree, book, end, UsageDecay.NONE);
    assertTrue(Double.isFinite(rank(shares, "a", "x")));
    assertEquals(used, raw("a", "x", T0, UsageDecay.NONE), "a clock that goes back adds nothing");
  }

  @Test
  void aMovedAccountTakesItsUsageAlong() {
    lab();
    Association bio = at("bio", null);
    AccountingTree before = tree;
    change(new AccountingChange.AssociationSet(bio.withParent("ops")));
    book = book.forTree(tree, clock, UsageDecay.NONE);
    assertEquals(1758, raw("ops", null, clock, UsageDecay.NONE), 1e-6);
    assertEquals(4857, raw("science", null, clock, UsageDecay.NONE), 1e-6);
    assertTrue(before != tree);
  }

  @Test
  void aResetForgetsWhatWasUsedAndNotWhatRuns() {
    account("a", "root", 1L);
    user("a", "x", 1L);
    JobCharge charge = JobCharge.of(at("a", "x"), null, 2, TresAmounts.NONE.with("cpu", 2));
    book = book.started(tree, 1, charge, T0, UsageDecay.NONE).reset(T0.plusSeconds(50));
    book = book.ended(tree, 1, T0.plusSeconds(60), UsageDecay.NONE);
    assertEquals(20, raw("a", "x", T0.plusSeconds(60), UsageDecay.NONE), 1e-6);
  }

  @Test
  void billingIsTheSumOrTheGreatest() {
    TresAmounts held = TresAmounts.NONE.with("cpu", 4).with("mem", 2048).with("node", 1);
    Map<String, Double> weights = Map.of("cpu", 1.0, "mem", 0.25 / 1024, "node", 10.0);
    assertEquals(4, JobCharge.billed(held, Map.of(), List.of()), 1e-9);
    assertEquals(14.5, JobCharge.billed(held, weights, List.of()), 1e-9);
    assertEquals(14, JobCharge.billed(held, weights, List.of(Flag.MAX_TRES)), 1e-9);
  }
}
