package io.dure.faults.accounts;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.controller.view.AccountsView;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What sacctmgr says of names, numbers, trees and files that make no sense, word for word; nothing
 * is changed then. Where Slurm 22.05.8 says the same, its words are here.
 */
@Tag("pure")
class SacctmgrBadInputTest {
  private static final String FILE =
      """
      Cluster - 'test'
      Parent - 'root'
      Account - 'l1':Description='one'
      Account - 'l2':Description='two'
      Parent - 'l1'
      User - 'lu':DefaultAccount='l1'
      SEVENTH
      User - 'lw'
      """;

  private SacctmgrCluster cluster = new SacctmgrCluster(ClusterBuilder.of(1).config().config());

  @BeforeEach
  void site() {
    done("add qos high");
    done("add account sci");
    done("add account phys parent=sci");
    done("add user ann account=phys");
  }

  private void done(String line) {
    SacctmgrPort.Outcome outcome = cluster.run(ROOT, line);
    assertEquals(0, outcome.exitCode(), () -> line + ": " + outcome.said());
  }

  /** Refused with these words on standard error, and nothing else happens. */
  private void refused(String errors, String... words) {
    AccountingRecords before = cluster.records();
    SacctmgrPort.Outcome outcome = cluster.run(ROOT, List.of(words));
    assertEquals(errors, outcome.errors());
    assertEquals(1, outcome.exitCode(), outcome::said);
    assertEquals(before, cluster.records());
  }

  private static String noName(String entity, String problem, String shown) {
    return " Problem adding "
        + problem
        + ": Invalid request\nsacctmgr: error: not a name for "
        + entity
        + ": '"
        + shown
        + "'; a name has no blanks, quotes, commas, bars and control characters\n";
  }

  @Test
  void namesThatWouldBreakListsAndFilesAreRefused() {
    for (String name : List.of("a'b", "a b", "a|b", "it\"s", "a\u00a0b")) {
      refused(noName("account", "accounts", name), "add", "account", name);
      refused(noName("user", "users", name), "add", "user", name, "account=phys");
      refused(noName("QOS", "QOS", name), "add", "qos", name);
      refused(
          noName("partition", "users", name),
          "add",
          "user",
          "ann",
          "account=phys",
          "partition=" + name);
    }
    refused(noName("account", "accounts", "a?b"), "add", "account", "a\nb");
    refused(noName("account", "accounts", "?[31mred"), "add", "account", "\u001b[31mred");
    refused(noName("user", "users", "?x"), "add", "user", "\ud83dx", "account=phys");
  }

  @Test
  void aNameOfTenThousandLettersIsRefused() {
    String forty = "x".repeat(40);
    refused(
        " Problem adding accounts: Invalid request\nsacctmgr: error: not a name for account: '"
            + forty
            + "...' has 10000 characters, and 1024 are the most\n",
        "add",
        "account",
        "x".repeat(10_000));
    refused(
        " Problem adding users: Invalid request\nsacctmgr: error: not a name for user: '"
            + forty
            + "...' has 10000 characters, and 1024 are the most\n",
        "add",
        "user",
        "x".repeat(10_000),
        "account=phys");
  }

  @Test
  void lettersOfAllScriptsAreNames() {
    done("add account 두레");
    done("add user \ud83d\ude00 account=두레");
    done("add user ÀÉ account=두레 comment=" + "é".repeat(100));
    AccountingTree tree = cluster.state().accounts();
    assertNotNull(tree.association("두레", "\ud83d\ude00", null));
    Association accented = Objects.requireNonNull(tree.association("두레", "àé", null));
    assertEquals("é".repeat(100), accented.comment());
    done("dump test file=all.cfg");
    assertTrue(cluster.file("all.cfg").contains("User - '\ud83d\ude00':DefaultAccount='두레'"));
  }

  @Test
  void sqlIsTextInEveryField() {
    String sql = "x';drop/**/table/**/job;--";
    String text = "x'); drop table job; --";
    refused(noName("account", "accounts", sql), "add", "account", sql);
    refused(noName("user", "users", sql), "add", "user", sql, "account=phys");
    refused(noName("QOS", "QOS", sql), "add", "qos", sql);
    refused(
        " This account '"
            + sql
            + "' doesn't exist.\n"
            + "        Contact your admin to add this account.\n",
        "add",
        "user",
        "ben",
        "account=" + sql);
    List<String> words =
        List.of("add", "account", "bio", "description=" + text, "organization=" + text);
    assertEquals(0, cluster.run(ROOT, words).exitCode());
    words = List.of("add", "user", "ben", "account=bio", "comment=" + text);
    assertEquals(0, cluster.run(ROOT, words).exitCode());
    words = List.of("modify", "qos", "high", "set", "description=" + text);
    assertEquals(0, cluster.run(ROOT, words).exitCode());
    assertEquals(
        text, Objects.requireNonNull(cluster.state().accounts().account("bio")).description());
    Association ben = cluster.state().accounts().association("bio", "ben", null);
    assertEquals(text, Objects.requireNonNull(ben).comment());
  }

  @Test
  void textsAreOneLine() {
    refused(
        " Problem adding accounts: Invalid request\nsacctmgr: error: a description is one line"
            + " without control characters: 'one?two'\n",
        "add",
        "account",
        "bio",
        "description=one\ntwo");
    refused(
        " Error with request: Invalid request\nsacctmgr: error: a comment is one line without"
            + " control characters: '?[2J'\n",
        "modify",
        "account",
        "sci",
        "set",
        "comment=\u001b[2J");
  }

  @Test
  void blankNamesAreRefused() {
    refused(" No blank names are allowed when adding.\n", "add", "account", "");
    refused(" No blank names are allowed when adding.\n", "add", "user", "", "account=phys");
    refused(
        """
         Parent account '' doesn't exist on cluster test
                Contact your admin to add this account.
         No associations created.
        """,
        "add",
        "account",
        "bio",
        "parent=");
  }

  @Test
  void aParentIsNotItsOwnChild() {
    refused(
        """
         Parent account 'loop' doesn't exist on cluster test
                Contact your admin to add this account.
         No associations created.
        """,
        "add",
        "account",
        "loop",
        "parent=loop");
    refused("", "modify", "account", "sci", "set", "parent=sci");
    refused(
        """
         Error with request: Invalid request
        sacctmgr: error: account sci would be its own parent
        """,
        "modify",
        "account",
        "sci",
        "set",
        "parent=phys");
    refused(
        " Parent Account nope doesn't exist.\n", "modify", "account", "sci", "set", "parent=nope");
  }

  @Test
  void negativeSharesAreNoneGiven() {
    done("modify account sci set fairshare=7");
    done("modify account sci set fairshare=-1");
    Association sci = cluster.state().accounts().association("sci", null, null);
    assertEquals(1L, Objects.requireNonNull(sci).shares());
    for (String shares : List.of("abc", "1.5", "99999999999999999999", "")) {
      refused(
          "sacctmgr: error: Invalid value for FairShare ("
              + shares
              + ")\n Unknown option:"
              + " fairshare="
              + shares
              + "\n Use keyword 'where' to modify condition\n",
          "modify",
          "account",
          "sci",
          "set",
          "fairshare=" + shares);
    }
  }

  @Test
  void qosThatAreNoneAreRefused() {
    refused(
        "You gave a bad default qos ''.  Use 'list qos' to get complete list.\n",
        "modify",
        "account",
        "sci",
        "set",
        "defaultqos=");
    refused(
        "You gave a bad default qos 'nope'.  Use 'list qos' to get complete list.\n",
        "add",
        "user",
        "ben",
        "account=phys",
        "defaultqos=nope");
    refused(
        """
        sacctmgr: error: You gave me an empty qos list
         Unknown option: qos=,
         Use keyword 'where' to modify condition
        """,
        "modify",
        "account",
        "sci",
        "set",
        "qos=,");
    done("add qos low");
    done("modify qos high set preempt=low");
    refused(
        " Error with request: QOS Preemption loop detected\n",
        "modify",
        "qos",
        "low",
        "set",
        "preempt=high");
  }

  @Test
  void aDefaultQosStaysAllowed() {
    done("modify account sci set qos+=high");
    done("modify user ann set defaultqos=high");
    AccountingRecords before = cluster.records();
    SacctmgrPort.Outcome outcome = cluster.run(ROOT, "modify account sci set qos=normal");
    assertEquals(
        """
         These associations don't have access to their default qos.
         Please give them access before they the default can be set to this.
          DefQOS = high       C = test       A = phys                 U = ann     \s
        """,
        outcome.errors());
    assertEquals(0, outcome.exitCode());
    assertEquals(before, cluster.records());
  }

  @Test
  void aFileWithAnErrorInLineSevenIsNotLoadedAtAll() {
    String two = " Problem with line(7)\n Problem with requests: ";
    bad(
        "User - 'lv':MaxJobs=abc",
        "sacctmgr: error: Invalid value for MaxJobs (abc)\n Unknown option: MaxJobs=abc\n"
            + two
            + "Unspecified error\n");
    bad("User - 'lv':Nonsense=3", " Unknown option: Nonsense=3\n" + two + "Unspecified error\n");
    bad(
        "User - 'lv':QOS='nope'",
        "sacctmgr: error: You gave a bad qos 'nope'. Valid QOS's are normal,high\n"
            + " Unknown option: QOS=nope\n"
            + two
            + "Unspecified error\n");
    bad(
        "Usr - 'lv'",
        " Misformatted line(7): Usr - 'lv'\n\n Problem with requests: Unspecified error\n");
    bad(
        "User 'lv'",
        " Misformatted line(7): User 'lv'\n\n Problem with requests: Unspecified error\n");
    bad(
        "Parent - 'l9'",
        " line(7) You need to add this parent (l9) as a child before you can add children to it.\n");
    bad(
        "User - 'l v'",
        two
            + "not a name for user: 'l v'; a name has no blanks, quotes, commas, bars and control"
            + " characters\n");
    bad(
        "User - 'lv':AdminLevel=foo",
        " Unknown option: AdminLevel=foo\n" + two + "Unspecified error\n");
    bad(
        "User - 'lv':Coordinator='l1,l9'",
        " Problem with line(7)\n This account 'l9' doesn't exist, and has no coordinators\n");
    bad(
        "User - 'lv':DefaultAccount='l2'",
        " Problem with line(7)\n User 'lv' is not in its default account 'l2'\n");
    bad("Cluster - 'other'", " Problem with line(7)\n There is no cluster 'other' here\n");
    bad("Account - 'sci'", two + "account sci would be its own parent\n", "Parent - 'phys'");
  }

  @Test
  void aDefaultAccountMayComeFurtherBelow() {
    cluster.file(
        "late.cfg",
        """
        Cluster - 'test'
        Parent - 'root'
        Account - 'l1'
        Account - 'l2'
        Parent - 'l1'
        User - 'lu':DefaultAccount='l2':Coordinator='l2'
        Parent - 'l2'
        User - 'lu'
        """);
    done("load late.cfg");
    AccountingTree tree = cluster.state().accounts();
    assertEquals("l2", Objects.requireNonNull(tree.user("lu")).defaultAccount());
    assertEquals(List.of("lu"), Objects.requireNonNull(tree.account("l2")).coordinators());
  }

  private void bad(String seventh, String errors, String... sixth) {
    String text = FILE.replace("SEVENTH", seventh);
    for (String line : sixth) {
      text = text.replace("User - 'lu':DefaultAccount='l1'", line);
    }
    cluster.file("bad.cfg", text);
    refused(errors, "load", "bad.cfg");
  }

  private static SacctmgrPort.Outcome run(TestCluster cluster, String line) {
    return new SacctmgrPort(
            new TreeMap<>(),
            change -> cluster.ask(ROOT, change),
            () -> AccountsView.accounts(cluster.state(), ROOT, List.of(), List.of()))
        .run(List.of(line.split(" ")));
  }

  private static TestCluster enforcing() {
    TestCluster cluster =
        ClusterBuilder.of(2).set("AccountingStorageEnforce", "associations,limits,qos").start();
    for (String line :
        List.of("add account jj,kk", "add user alice account=jj", "add user alice account=kk")) {
      assertEquals(0, run(cluster, line).exitCode());
    }
    return cluster;
  }

  @Test
  void anAccountWithJobsStays() {
    TestCluster cluster = enforcing();
    int running = cluster.submit(ALICE, job().runs(10_000));
    int held = cluster.submit(ALICE, job().held());
    assertEquals(0, run(cluster, "modify user alice set defaultaccount=kk").exitCode());
    String expected =
        " Error with request: Job(s) active, cancel job(s) before remove\n"
            + "  JobID = "
            + running
            + "          C = test       A = jj         U = alice    \n"
            + "  JobID = "
            + held
            + "          C = test       A = jj         U = alice    \n";
    for (String line :
        List.of("delete account jj", "delete user alice", "delete user alice account=jj")) {
      AccountingRecords before = cluster.state().accounts().records();
      SacctmgrPort.Outcome outcome = run(cluster, line);
      assertEquals(expected, outcome.errors(), line);
      assertEquals("", outcome.printed());
      assertEquals(1, outcome.exitCode());
      assertEquals(before, cluster.state().accounts().records());
    }
    cluster.ask(ROOT, Ask.cancel(running));
    cluster.ask(ROOT, Ask.cancel(held));
    cluster.minutes(2);
    assertEquals(" Deleting accounts...\n  jj\n", run(cluster, "delete account jj").printed());
    cluster.checkReplay();
  }

  @Test
  void aLimitBelowWhatRunsLetsItRun() {
    TestCluster cluster = enforcing();
    int running = cluster.submit(ALICE, job().cpus(2).runs(10_000));
    assertEquals(0, run(cluster, "modify account jj set grptres=cpu=1 grpjobs=0").exitCode());
    int next = cluster.submit(ALICE, job());
    cluster.minutes(2);
    assertEquals("RUNNING", cluster.state(running));
    assertEquals("PENDING", cluster.state(next));
    assertTrue(cluster.reason(next).startsWith("AssocGrp"), cluster.reason(next));
    assertEquals(0, run(cluster, "modify account jj set grptres=cpu=-1 grpjobs=-1").exitCode());
    cluster.minutes(2);
    assertNotEquals("PENDING", cluster.state(next));
    cluster.checkReplay();
  }
}
