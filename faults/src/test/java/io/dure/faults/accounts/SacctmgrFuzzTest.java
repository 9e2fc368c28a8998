package io.dure.faults.accounts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.command.Caller;
import io.dure.model.config.ClusterConfig;
import io.dure.testkit.Cases;
import io.dure.testkit.SeededRandom;
import io.dure.testkit.cluster.ClusterBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Twenty thousand random command lines of sacctmgr, typed by root, an administrator, an operator, a
 * coordinator and an ordinary user: the tree stays a tree after each, and the journal, a snapshot
 * and a dump file give the same one. A story that fails is told again without the lines that do not
 * matter.
 */
@Tag("pure")
class SacctmgrFuzzTest {
  private static final int STORIES = 80;
  private static final int LINES = 250;
  private static final int BETWEEN_LOOKS = 50;

  @TempDir Path directory;

  private int directories;
  private int lines;
  private int changes;
  private int refusals;
  private int byOthers;
  private int looks;

  @Test
  void theTreeStaysATreeAndTheSameEverywhere() {
    long begin = System.nanoTime();
    SeededRandom.check(
        "random lines of sacctmgr leave a valid tree, everywhere the same",
        STORIES,
        random -> {
          ClusterConfig config = config(random.percent(30));
          SacctmgrLines source = new SacctmgrLines(random);
          List<SacctmgrLines.Line> story = new ArrayList<>(SacctmgrLines.opening());
          for (int i = 0; i < LINES; i++) {
            story.add(source.next());
          }
          String failure = tell(config, story);
          if (failure != null) {
            throw new AssertionError(shortest(config, story, failure));
          }
        });
    System.out.printf(
        "sacctmgr: %,d lines, %,d changes (%,d by others than root), %,d refusals of the"
            + " controller, %,d looks, %.1f s%n",
        lines, changes, byOthers, refusals, looks, (System.nanoTime() - begin) / 1e9);
    assertTrue(lines >= Cases.of(STORIES) * LINES, "lines: " + lines);
    assertTrue(changes * 10 > lines, "too few lines change anything: " + changes);
    assertTrue(byOthers > 0 && refusals > 0, "too few by others: " + byOthers + ", " + refusals);
  }

  private static ClusterConfig config(boolean isPrivate) {
    ClusterBuilder builder = ClusterBuilder.of(1);
    return (isPrivate ? builder.set("PrivateData", "accounts,users") : builder).config().config();
  }

  private static Caller.User caller(String name) {
    int uid = name.equals("root") ? 0 : 1000 + SacctmgrLines.CALLERS.indexOf(name);
    return new Caller.User(new UserIdentity(uid, uid, name, name), List.of(name), uid == 0);
  }

  /** Tells a story; null if all went well, otherwise what did not. */
  private @Nullable String tell(ClusterConfig config, List<SacctmgrLines.Line> story)
      throws IOException {
    SacctmgrCluster cluster = new SacctmgrCluster(config);
    Path journal = Files.createDirectory(directory.resolve("j" + directories++));
    AccountsCopies copies = new AccountsCopies(cluster, journal);
    int told = 0;
    for (SacctmgrLines.Line line : story) {
      try {
        type(cluster, line);
        if (++told % BETWEEN_LOOKS == 0 || told == story.size()) {
          looks++;
          copies.journal();
          copies.snapshot();
          copies.file(config, caller("root"));
        }
      } catch (Exception | AssertionError | StackOverflowError failed) {
        StackTraceElement at =
            failed.getStackTrace().length == 0 ? null : failed.getStackTrace()[0];
        return line + "\n" + AccountsInvariants.visible(failed.toString()) + "\n at " + at;
      }
    }
    return null;
  }

  private void type(SacctmgrCluster cluster, SacctmgrLines.Line line) {
    cluster.file("load.cfg", line.file());
    AccountingTree before = cluster.state().accounts();
    int events = cluster.events().size();
    SacctmgrPort.Outcome outcome = cluster.run(caller(line.caller()), line.words());
    AccountingTree after = cluster.state().accounts();
    lines++;
    refusals += outcome.refusal() == null ? 0 : 1;
    assertTrue(outcome.accepted() <= 1, "more than one change");
    assertTrue(outcome.exitCode() >= 0 && outcome.exitCode() < 126, "exit " + outcome.exitCode());
    assertClean(outcome.said());
    if (outcome.accepted() == 0) {
      assertEquals(events, cluster.events().size(), "a refused line left events");
      assertEquals(before.records(), after.records(), "a refused line changed something");
      return;
    }
    assertEquals(0, outcome.exitCode() - (outcome.errors().isEmpty() ? 0 : outcome.exitCode()));
    changes++;
    AccountsInvariants.check(before.records(), after);
    if (!line.caller().equals("root")) {
      byOthers++;
      assertWithinRights(line.caller(), before.records(), after.records());
    }
  }

  private static void assertClean(String said) {
    said.codePoints()
        .filter(c -> c != '\n' && c != '\t' && Character.isISOControl(c))
        .findFirst()
        .ifPresent(c -> {
          throw new AssertionError("prints a raw control character: " + said);
        });
  }

  private static AdminLevel level(AccountingRecords records, String user) {
    return records.users().stream()
        .filter(one -> one.name().equals(user))
        .map(AccountUser::adminLevel)
        .findFirst()
        .orElse(AdminLevel.NONE);
  }

  /** An operator raises nobody; a coordinator changes its own accounts' subtree alone. */
  private static void assertWithinRights(
      String caller, AccountingRecords before, AccountingRecords after) {
    AdminLevel own = level(before, caller);
    if (own == AdminLevel.ADMINISTRATOR) {
      return;
    }
    for (AccountUser user : after.users()) {
      AdminLevel was = level(before, user.name());
      assertEquals(was, user.adminLevel(), "the level of " + user.name());
    }
    if (own == AdminLevel.OPERATOR) {
      return;
    }
    assertEquals(before.qos(), after.qos(), "QOS");
    List<String> led = led(caller, before);
    if (led.isEmpty()) {
      assertOwnDefault(caller, before, after);
      return;
    }
    List<String> ledNow = below(led, after);
    for (Association one : before.associations()) {
      if (!after.associations().contains(one)) {
        assertTrue(led.contains(one.account()), "not its own: " + one);
      }
    }
    for (Association one : after.associations()) {
      if (!before.associations().contains(one)) {
        String where = one.user() == null ? one.parent() : one.account();
        assertTrue(where != null && ledNow.contains(where), "not its own: " + one);
      }
    }
  }

  /** An ordinary user changes its own default account, and nothing else. */
  private static void assertOwnDefault(
      String caller, AccountingRecords before, AccountingRecords after) {
    assertEquals(before.accounts(), after.accounts(), "accounts changed by " + caller);
    assertEquals(before.associations(), after.associations(), "changed by " + caller);
    assertEquals(
        before.users().stream().filter(one -> !one.name().equals(caller)).toList(),
        after.users().stream().filter(one -> !one.name().equals(caller)).toList(),
        "changed by " + caller);
  }

  /** The accounts that a user coordinates, by itself or by one above. */
  private static List<String> led(String user, AccountingRecords records) {
    List<String> led =
        records.accounts().stream()
            .filter(one -> one.coordinators().contains(user))
            .map(Account::name)
            .toList();
    return below(led, records);
  }

  /** Accounts and those below them. */
  private static List<String> below(List<String> accounts, AccountingRecords records) {
    List<String> all = new ArrayList<>(accounts);
    for (int known = -1; known != all.size(); ) {
      known = all.size();
      for (Association one : records.associations()) {
        boolean below = one.user() == null && one.parent() != null && all.contains(one.parent());
        if (below && !all.contains(one.account())) {
          all.add(one.account());
        }
      }
    }
    return all;
  }

  /** The story without what can be left out while it still fails in the same way. */
  private String shortest(ClusterConfig config, List<SacctmgrLines.Line> story, String failure)
      throws IOException {
    List<SacctmgrLines.Line> left = new ArrayList<>(story);
    String last = failure;
    for (int size = left.size() / 2; size > 0; size /= 2) {
      for (int from = Math.max(0, left.size() - size); from >= 0; from -= size) {
        List<SacctmgrLines.Line> less = new ArrayList<>(left.subList(0, from));
        less.addAll(left.subList(Math.min(left.size(), from + size), left.size()));
        String said = tell(config, less);
        if (said != null && kind(said).equals(kind(failure))) {
          left = less;
          last = said;
        }
      }
    }
    StringBuilder text = new StringBuilder("after the " + left.size() + " lines\n");
    left.forEach(line -> text.append("  ").append(line).append('\n'));
    return text + last;
  }

  /** What went wrong without the names in it. */
  private static String kind(String failure) {
    String[] parts = failure.split("\n", 3);
    String what = parts.length > 1 ? parts[1] : failure;
    return what.substring(0, Math.min(60, what.length())).replaceAll("[:'].*", "")
        + failure.substring(failure.lastIndexOf('\n'));
  }
}
