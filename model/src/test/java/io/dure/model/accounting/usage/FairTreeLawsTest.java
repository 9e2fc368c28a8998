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
import io.dure.model.accounting.TresAmounts;
import io.dure.testkit.Cases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is true of the ranks of every tree, whatever was used. */
@Tag("pure")
class FairTreeLawsTest {
  private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
  private static final Instant NOW = START.plus(Duration.ofDays(1));
  private static final int TREES = Cases.of(150);

  /** A tree and what each user of it has used. */
  private record Given(AccountingTree tree, Map<Integer, Integer> used) {
    FairShareTable shares() {
      return FairTree.of(tree, book(1), NOW, UsageDecay.NONE);
    }

    UsageLedger book(int times) {
      UsageLedger book = UsageLedger.EMPTY;
      int job = 1;
      for (Map.Entry<Integer, Integer> one : used.entrySet()) {
        Association user = tree.associations().require(one.getKey());
        JobCharge charge =
            JobCharge.of(user, null, one.getValue() * (double) times, TresAmounts.NONE);
        book = book.started(tree, job, charge, START, UsageDecay.NONE);
        book = book.ended(tree, job++, START.plusSeconds(1), UsageDecay.NONE);
      }
      return book;
    }

    Given using(int user, int more) {
      Map<Integer, Integer> next = new TreeMap<>(used);
      next.merge(user, more, Integer::sum);
      return new Given(tree, next);
    }

    List<Association> users() {
      return tree.walk().stream().filter(one -> one.user() != null).toList();
    }
  }

  private static Given random(Random random) {
    AccountingTree tree = AccountingTree.initial();
    List<AccountingChange> changes = new ArrayList<>();
    int next = tree.nextAssociation();
    int accounts = 2 + random.nextInt(8);
    Map<Integer, Integer> used = new TreeMap<>();
    for (int a = 0; a < accounts; a++) {
      String name = "a" + a;
      int above = random.nextInt(a + 1);
      String parent = above == a ? "root" : "a" + above;
      changes.add(new AccountingChange.AccountSet(new Account(name, name, name, List.of())));
      changes.add(
          new AccountingChange.AssociationSet(
              Association.ofAccount(next++, name, parent).withShares(shares(random))));
      for (int u = random.nextInt(4); u > 0; u--) {
        String user = "u" + next;
        changes.add(new AccountingChange.UserSet(new AccountUser(user, AdminLevel.NONE, name)));
        if (random.nextInt(3) > 0) {
          used.put(next, random.nextInt(50));
        }
        changes.add(
            new AccountingChange.AssociationSet(
                Association.ofUser(next++, name, user, null).withShares(shares(random))));
      }
    }
    try {
      return new Given(tree.with(changes), used);
    } catch (InvalidAccountingException e) {
      throw new AssertionError(e.text(), e);
    }
  }

  /** Some have none, some take their parent's. */
  private static Long shares(Random random) {
    int shares = random.nextInt(6);
    return shares == 5 ? null : (Long) (long) shares;
  }

  private static void inEveryTree(BiConsumer<Given, Random> law) {
    for (long seed = 1; seed <= TREES; seed++) {
      Random random = new Random(seed + Cases.seeds());
      Given given = random(random);
      try {
        law.accept(given, random);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  void theBestRankIsOneAndEachRankIsAUsersPlace() {
    inEveryTree((given, _) -> {
      FairShareTable shares = given.shares();
      double users = given.users().size();
      double most = 0;
      for (Association user : given.users()) {
        double place = shares.factor(user) * users;
        assertEquals(Math.rint(place), place, 1e-9);
        assertTrue(place >= 1 && place <= users, "place " + place);
        most = Math.max(most, place);
      }
      assertEquals(users, most, 1e-9);
    });
  }

  @Test
  void whoUsesMoreNeverComesBeforeWhereHeStood() {
    inEveryTree((given, random) -> {
      List<Association> users = given.users();
      Association user = users.get(random.nextInt(users.size()));
      double before = given.shares().factor(user);
      double after = given.using(user.id(), 1 + random.nextInt(500)).shares().factor(user);
      assertTrue(after <= before + 1e-12, user + " from " + before + " to " + after);
    });
  }

  @Test
  void onlyTheProportionsOfUseCount() {
    inEveryTree((given, _) -> {
      FairShareTable once = given.shares();
      FairShareTable often = FairTree.of(given.tree(), given.book(64), NOW, UsageDecay.NONE);
      for (Association user : given.users()) {
        assertEquals(once.factor(user), often.factor(user), 1e-12, user.toString());
      }
    });
  }

  @Test
  void decayThatIsTheSameForAllChangesNoRank() {
    inEveryTree((given, _) -> {
      UsageDecay week = UsageDecay.of(Duration.ofDays(7));
      FairShareTable early = FairTree.of(given.tree(), given.book(1024), NOW, week);
      FairShareTable late =
          FairTree.of(given.tree(), given.book(1024), NOW.plus(Duration.ofDays(20)), week);
      // What is left of equal use may differ in its last digits: ranks of ties are not compared.
      for (Association a : given.users()) {
        for (Association b : given.users()) {
          if (isSibling(a, b) && early.level(a) > early.level(b) * (1 + 1e-6)) {
            assertTrue(late.factor(a) >= late.factor(b), a + " and " + b);
          }
        }
      }
    });
  }

  private static boolean isSibling(Association a, Association b) {
    return a.account().equals(b.account()) && a.shares() != null && b.shares() != null;
  }

  @Test
  void siblingsOfEqualSharesAndUseShareARank() {
    inEveryTree((given, _) -> {
      FairShareTable shares = given.shares();
      for (Association a : given.users()) {
        for (Association b : given.users()) {
          boolean equal =
              a.account().equals(b.account())
                  && java.util.Objects.equals(a.shares(), b.shares())
                  && given
                      .used()
                      .getOrDefault(a.id(), 0)
                      .equals(given.used().getOrDefault(b.id(), 0));
          if (equal) {
            assertEquals(shares.factor(a), shares.factor(b), 1e-12, a + " and " + b);
          }
        }
      }
    });
  }

  @Test
  void ofSiblingsWithEqualUseWhoHasMoreSharesComesNotLater() {
    inEveryTree((given, _) -> {
      FairShareTable shares = given.shares();
      for (Association a : given.users()) {
        for (Association b : given.users()) {
          boolean more =
              isSibling(a, b)
                  && a.shares() > b.shares()
                  && given
                      .used()
                      .getOrDefault(a.id(), 0)
                      .equals(given.used().getOrDefault(b.id(), 0));
          assertTrue(!more || shares.factor(a) >= shares.factor(b), a + " and " + b);
        }
      }
    });
  }
}
