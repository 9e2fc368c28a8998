package io.dure.faults.accounts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.Association;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.testkit.cluster.ClusterBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Who may do what: every operation of sacctmgr, by an ordinary user, a coordinator of the account,
 * one of the account above, one of another account, an operator, an administrator and root. The
 * table in {@code rights.txt} also has what a Slurm 22.05.8 with a slurmdbd did.
 */
@Tag("pure")
class SacctmgrRightsTest {
  private static final List<String> CALLERS =
      List.of("usr", "crd", "par", "oth", "opr", "adm", "root");

  private static final List<String> SITE =
      List.of(
          "add account sci",
          "add account phys,chem parent=sci",
          "add account lab,lab2,void parent=phys",
          "add account bio",
          "add account hollow parent=bio",
          "add account empty",
          "add qos high",
          "add user ann account=phys",
          "add user ann,usr,crd,par,oth,opr,adm account=lab2",
          "add user eve account=phys",
          "add user eve wckeys=old,old2",
          "add federation pair",
          "add resource name=lic server=flex count=9 type=license",
          "add user cid account=lab",
          "add user ben account=bio",
          "add user usr,crd account=phys",
          "add user par,opr,adm account=sci",
          "add user oth account=bio",
          "modify user opr set adminlevel=operator",
          "modify user adm set adminlevel=admin",
          "add coordinator account=phys names=crd",
          "add coordinator account=sci names=par",
          "add coordinator account=bio names=oth");

  /**
   * One line of the table.
   *
   * @param ours A where the caller may, D where it may not, N where there is nothing to do
   * @param slurms the same of a Slurm, H where its daemon hung; {@code =} for the same
   * @param command the words; SELF is the caller
   */
  private record Row(String ours, String slurms, String command) {}

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(SacctmgrRightsTest.class.getResourceAsStream("rights.txt")),
                StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!line.isEmpty() && !line.startsWith("#")) {
          String[] parts = line.split(" +", 3);
          rows.add(new Row(parts[0], parts[1], parts[2]));
        }
      }
    }
    return rows;
  }

  private static Caller.User caller(String name) {
    int uid = name.equals("root") ? 0 : 1000 + CALLERS.indexOf(name);
    return new Caller.User(new UserIdentity(uid, uid, name, name), List.of(name), uid == 0);
  }

  private static SacctmgrCluster site() {
    SacctmgrCluster cluster = new SacctmgrCluster(ClusterBuilder.of(1).config().config());
    for (String line : SITE) {
      SacctmgrPort.Outcome outcome = cluster.run(caller("root"), line);
      assertEquals(0, outcome.exitCode(), () -> line + ": " + outcome.said());
    }
    cluster.file("new.cfg", "Cluster - 'test'\nParent - 'root'\nAccount - 'new'\n");
    return cluster;
  }

  @TestFactory
  Stream<DynamicTest> eachMayWhatTheTableSays() throws IOException {
    return rows().stream().map(row -> DynamicTest.dynamicTest(row.command(), () -> check(row)));
  }

  private static void check(Row row) {
    StringBuilder found = new StringBuilder();
    StringBuilder sent = new StringBuilder();
    StringBuilder said = new StringBuilder();
    for (String name : CALLERS) {
      String line = row.command().replace("SELF", name);
      SacctmgrCluster cluster = site();
      AccountingRecords before = cluster.records();
      SacctmgrPort.Outcome outcome = cluster.run(caller(name), line);
      found.append(verdict(outcome));
      if (verdict(outcome) == 'D') {
        assertEquals(before, cluster.records(), name + " changed something: " + line);
      }
      said.append(name).append(": ").append(outcome.said());
      sent.append(sent(line, name, verdict(outcome)));
    }
    assertEquals(row.ours(), found.toString(), said::toString);
    assertEquals(row.ours(), sent.toString(), "sent without the command");
  }

  private static char verdict(SacctmgrPort.Outcome outcome) {
    String said = outcome.said();
    if (outcome.exitCode() == 0) {
      return 'A';
    }
    boolean denied = said.contains("Access/permission denied") || said.contains("privilege");
    return denied ? 'D' : 'N';
  }

  /** What the controller says where a caller sends root's changes by a program of its own. */
  private static char sent(String line, String name, char verdict) {
    SacctmgrCluster cluster = site();
    cluster.run(caller("root"), line);
    // Who may not load a file may still make the changes in it, one by one.
    if (cluster.asked().size() == SITE.size() || line.startsWith("load ")) {
      return verdict;
    }
    Command.ChangeAccounting change = cluster.asked().getLast();
    SacctmgrCluster other = site();
    AccountingRecords before = other.records();
    Reply reply = other.decide(change, caller(name));
    if (reply instanceof Reply.Refused refused) {
      assertEquals(ErrorCode.ACCESS_DENIED, refused.code(), refused::detail);
      assertEquals(before, other.records());
      return 'D';
    }
    return 'A';
  }

  @Test
  void whoeverHasNoAssociationIsNotForEverybodyToRemove() {
    SacctmgrCluster cluster = site();
    cluster.run(caller("root"), "add coordinator account=hollow names=eve");
    int placed = cluster.state().accounts().of("eve").getFirst().id();
    long version = cluster.records().version();
    Reply done =
        cluster.decide(
            new Command.ChangeAccounting(
                version, List.of(new AccountingChange.AssociationRemoved(placed))),
            caller("root"));
    assertInstanceOf(Reply.Done.class, done);
    AccountingRecords before = cluster.records();
    for (String name : List.of("usr", "crd", "oth")) {
      Reply reply =
          cluster.decide(
              new Command.ChangeAccounting(
                  version + 1, List.of(new AccountingChange.UserRemoved("eve"))),
              caller(name));
      assertInstanceOf(Reply.Refused.class, reply, name);
    }
    assertEquals(before, cluster.records());
  }

  @Test
  void whoHasHiddenAssociationsElsewhereKeepsThem() {
    SacctmgrCluster cluster =
        new SacctmgrCluster(
            ClusterBuilder.of(1).set("PrivateData", "users,accounts").config().config());
    SITE.forEach(line -> assertEquals(0, cluster.run(caller("root"), line).exitCode(), line));
    assertEquals(0, cluster.run(caller("crd"), "add user ben account=phys").exitCode());
    SacctmgrPort.Outcome outcome = cluster.run(caller("crd"), "delete user ben account=phys");
    assertEquals(0, outcome.exitCode(), outcome::said);
    List<String> left =
        cluster.state().accounts().of("ben").stream().map(Association::account).toList();
    assertEquals(List.of("bio"), left);
    assertNotNull(cluster.state().accounts().user("ben"));
  }

  @Test
  void theTableHasEveryKindOfChange() throws IOException {
    List<Row> rows = rows();
    long same = rows.stream().filter(row -> row.slurms().equals("=")).count();
    System.out.printf("rights: %d operations, %d as in Slurm%n", rows.size(), same);
    assertTrue(rows.size() >= 70, "rows: " + rows.size());
    assertTrue(same >= 55, "as in Slurm: " + same);
  }
}
