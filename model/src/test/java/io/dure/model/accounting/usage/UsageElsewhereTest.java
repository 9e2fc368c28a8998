package io.dure.model.accounting.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.TresAmounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was used on other clusters counts in the tree of this one. */
@Tag("pure")
class UsageElsewhereTest {
  private static final Instant T0 = Instant.parse("2026-01-05T00:00:00Z");
  private static final UsageDecay DAY = UsageDecay.of(Duration.ofDays(1));
  private static final List<String> CLUSTERS = List.of("here", "left", "right");

  private AccountingTree tree = AccountingTree.initial();

  private void account(String name, String parent, String... users) {
    change(
        new AccountingChange.AccountSet(new Account(name, name, name, List.of())),
        new AccountingChange.AssociationSet(
            Association.ofAccount(tree.nextAssociation(), name, parent)));
    for (String user : users) {
      user(name, user);
    }
  }

  private void user(String account, String user) {
    if (tree.user(user) == null) {
      change(new AccountingChange.UserSet(new AccountUser(user, AdminLevel.NONE, account)));
    }
    change(
        new AccountingChange.AssociationSet(
            Association.ofUser(tree.nextAssociation(), account, user, null)));
  }

  private void change(AccountingChange... changes) {
    try {
      tree = tree.with(List.of(changes));
    } catch (InvalidAccountingException e) {
      throw new AssertionError(e.text(), e);
    }
  }

  private Association at(String account, @Nullable String user) {
    Association found = tree.association(account, user, null);
    assertNotNull(found);
    return found;
  }

  /** What a cluster says of the use in its ledger. */
  private ClusterUsage said(String cluster, UsageLedger ledger, Instant now) {
    List<ClusterUsage.OfUser> users = new ArrayList<>();
    for (Association one : tree.walk()) {
      if (one.user() != null) {
        users.add(
            new ClusterUsage.OfUser(one.account(), one.user(), null, ledger.own(one, now, DAY)));
      }
    }
    return new ClusterUsage(cluster, users);
  }

  /** Whatever runs where, and whenever it is told: all together is what one cluster would say. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void severalClustersCountAsOneDoes(long seed) {
    Random random = new Random(seed);
    account("lab", "root", "ada", "bob");
    account("sub", "lab", "cyd", "ada");
    UsageLedger one = UsageLedger.EMPTY;
    List<UsageLedger> each =
        new ArrayList<>(List.of(UsageLedger.EMPTY, UsageLedger.EMPTY, UsageLedger.EMPTY));
    List<Integer> running = new ArrayList<>();
    Instant now = T0;
    for (int job = 1; job <= 60; job++) {
      now = now.plusSeconds(random.nextInt(20_000));
      int cluster = random.nextInt(CLUSTERS.size());
      Association who = random.nextBoolean() ? at("sub", "ada") : at("lab", "bob");
      int cpus = 1 + random.nextInt(9);
      JobCharge charge = JobCharge.of(who, null, cpus, TresAmounts.NONE.with("cpu", cpus));
      int id = job * CLUSTERS.size() + cluster;
      one = one.started(tree, id, charge, now, DAY);
      each.set(cluster, each.get(cluster).started(tree, id, charge, now, DAY));
      running.add(id);
      if (random.nextBoolean()) {
        Collections.swap(running, random.nextInt(running.size()), running.size() - 1);
        int ended = running.removeLast();
        int there = ended % CLUSTERS.size();
        one = one.ended(tree, ended, now, DAY);
        each.set(there, each.get(there).ended(tree, ended, now, DAY));
      }
      for (int other = 1; other < CLUSTERS.size(); other++) {
        ClusterUsage told = said(CLUSTERS.get(other), each.get(other), now);
        each.set(
            0,
            each.get(0).withElsewhere(news(List.of(told), CLUSTERS.subList(1, 3)), tree, now, DAY));
      }
      Instant later = now.plusSeconds(random.nextInt(50_000));
      for (Association at : tree.walk()) {
        DecayedUsage all = one.of(at, later, DAY);
        DecayedUsage sum = each.get(0).of(at, later, DAY);
        assertEquals(all.raw(), sum.raw(), 1e-6 * (1 + all.raw()));
        assertEquals(all.wall(), sum.wall(), 1e-6 * (1 + all.wall()));
        assertEquals(all.seconds("cpu"), sum.seconds("cpu"), 1e-6 * (1 + all.raw()));
        DecayedUsage own = each.get(0).own(at, later, DAY);
        assertEquals(own.jobs(), sum.jobs());
        assertEquals(
            own.tres().stream().mapToLong(DecayedUsage.OfTres::held).sum(),
            sum.tres().stream().mapToLong(DecayedUsage.OfTres::held).sum());
      }
    }
  }

  private static UsageElsewhere.News news(List<ClusterUsage> changed, List<String> known) {
    return new UsageElsewhere.News(changed, known, List.of());
  }

  private UsageLedger used(String account, String user) {
    JobCharge charge = JobCharge.of(at(account, user), null, 1, TresAmounts.NONE.with("cpu", 1));
    return UsageLedger.EMPTY
        .started(tree, 1, charge, T0, UsageDecay.NONE)
        .ended(tree, 1, T0.plusSeconds(100), UsageDecay.NONE);
  }

  private double raw(UsageLedger ledger, String account, @Nullable String user) {
    return ledger.of(at(account, user), T0.plusSeconds(100), UsageDecay.NONE).raw();
  }

  @Test
  void aUserThatIsNotHereCountsForTheAccountAndOnceItIsForItself() {
    account("lab", "root", "ada");
    ClusterUsage said = said("left", used("lab", "ada"), T0.plusSeconds(100));
    tree = AccountingTree.initial();
    account("lab", "root");
    UsageLedger here =
        UsageLedger.EMPTY.withElsewhere(
            news(List.of(said), List.of("left")), tree, T0.plusSeconds(100), UsageDecay.NONE);
    assertEquals(100, raw(here, "lab", null));
    user("lab", "ada");
    here = here.forTree(tree, T0.plusSeconds(100), UsageDecay.NONE);
    assertEquals(100, raw(here, "lab", null));
    assertEquals(100, raw(here, "lab", "ada"));
  }

  @Test
  void whatOthersUsedIsForgottenWithTheirClusterAndNotByAResetHere() {
    account("lab", "root", "ada");
    Instant now = T0.plusSeconds(100);
    ClusterUsage said = said("left", used("lab", "ada"), now);
    UsageLedger here =
        UsageLedger.EMPTY.withElsewhere(
            news(List.of(said), List.of("left", "right")), tree, now, UsageDecay.NONE);
    assertEquals(100, raw(here.reset(now), "lab", "ada"));
    assertEquals(100, raw(here.cleared(tree, at("lab", null), now, UsageDecay.NONE), "lab", "ada"));
    UsageLedger without =
        here.withElsewhere(news(List.of(), List.of("right")), tree, now, UsageDecay.NONE);
    assertEquals(0, raw(without, "lab", "ada"));
    assertNull(without.elsewhere());
    UsageElsewhere.News nothing =
        new UsageElsewhere.News(List.of(), List.of("left", "right"), List.of("left"));
    assertNull(here.withElsewhere(nothing, tree, now, UsageDecay.NONE).elsewhere());
  }
}
