package io.dure.controller.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.command.Caller;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.node.NodeCondition;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What PrivateData keeps from users. */
@Tag("pure")
final class PrivateDataTest {
  private static final Instant NOW = Instant.EPOCH;

  private static Response.Cluster seen(String privateData, boolean operator) {
    ClusterState state = state(privateData);
    return ClusterView.of(
        state, PendingVerdicts.NONE, _ -> null, _ -> "root", alice(operator), NOW);
  }

  private static Caller.User alice(boolean operator) {
    return new Caller.User(new UserIdentity(1001, 1001, "alice", "users"), List.of(), operator);
  }

  private static ClusterState state(String privateData) {
    String text =
        "SlurmctldHost=vm\nClusterName=lab\nPrivateData="
            + privateData
            + "\nNodeName=n1 CPUs=4 RealMemory=1000 State=DOWN Reason=disk"
            + "\nPartitionName=debug Nodes=n1\n";
    var config = SlurmConfParser.parseAlone("/slurm.conf", text).config();
    return EventApplier.apply(ClusterState.initial(config), new Event.Configured(config, NOW));
  }

  /** Accounts physics with alice and bob, which bob coordinates, and bio with carol. */
  private static ClusterState withAccounts(String privateData) {
    List<AccountingChange> changes = new ArrayList<>();
    changes.add(account("physics", List.of("bob")));
    changes.add(account("bio", List.of("carol")));
    changes.add(new AccountingChange.AssociationSet(Association.ofAccount(3, "physics", "root")));
    changes.add(new AccountingChange.AssociationSet(Association.ofAccount(4, "bio", "root")));
    int id = 5;
    for (String user : List.of("alice", "bob", "carol")) {
      String account = user.equals("carol") ? "bio" : "physics";
      changes.add(new AccountingChange.UserSet(new AccountUser(user, AdminLevel.NONE, account)));
      changes.add(
          new AccountingChange.AssociationSet(Association.ofUser(id++, account, user, null)));
    }
    return EventApplier.apply(
        state(privateData), new Event.AccountingChanged(changes, NOW, "root"));
  }

  private static AccountingChange account(String name, List<String> coordinators) {
    return new AccountingChange.AccountSet(new Account(name, name, name, coordinators));
  }

  private static Caller.User user(String name) {
    return new Caller.User(new UserIdentity(1001, 1001, name, "users"), List.of(), false);
  }

  /** Users, accounts and associations as a caller is sent them. */
  private static String accounts(String privateData, Caller.User who) {
    Response answer = AccountsView.accounts(withAccounts(privateData), who, List.of(), List.of());
    AccountingRecords seen = ((Response.Accounts) answer).accounts();
    return seen.users().stream().map(AccountUser::name).toList()
        + " "
        + seen.accounts().stream().map(Account::name).toList()
        + " "
        + seen.associations().stream()
            .map(one -> one.user() == null ? one.account() : one.account() + "/" + one.user())
            .toList();
  }

  private static String shares(String privateData, Caller.User who) {
    Response answer = AccountsView.shares(withAccounts(privateData), who, NOW);
    return ((Response.Shares) answer)
        .rows().stream()
            .map(Response.Share::association)
            .map(one -> one.user() == null ? one.account() : one.account() + "/" + one.user())
            .toList()
            .toString();
  }

  @Test
  void whatSlurmdbdConfHidesIsHiddenToo() {
    Response answer =
        AccountsView.accounts(withAccounts("none"), alice(false), List.of(), List.of("users"));
    assertEquals(
        List.of("alice"),
        ((Response.Accounts) answer).accounts().users().stream().map(AccountUser::name).toList());
  }

  @Test
  void usersSeeThemselvesAlone() {
    String all =
        "[alice, bob, carol, root] [bio, physics, root] "
            + "[root, root/root, physics, bio, physics/alice, physics/bob, bio/carol]";
    assertEquals(all, accounts("jobs", alice(false)));
    assertEquals(all, accounts("users,accounts", alice(true)), "an operator");
    assertEquals(
        "[alice] [bio, physics, root] [root, physics, physics/alice]",
        accounts("users", alice(false)));
    assertEquals(
        "[alice, bob, carol, root] [] [root, physics, physics/alice, physics/bob]",
        accounts("accounts", alice(false)).replace(", root/root", ""));
    assertEquals(
        "[alice] [] [root, physics, physics/alice]", accounts("users,accounts", alice(false)));
  }

  @Test
  void coordinatorsSeeTheirAccounts() {
    assertEquals(
        "[alice, bob] [physics] [root, physics, physics/alice, physics/bob]",
        accounts("users,accounts", user("bob")));
    assertEquals("[] [] []", accounts("users,accounts", user("dave")));
  }

  @Test
  void namesOfCoordinatorsAreNamesOfUsers() {
    Response answer =
        AccountsView.accounts(withAccounts("users"), alice(false), List.of(), List.of());
    for (Account account : ((Response.Accounts) answer).accounts().accounts()) {
      assertEquals(List.of(), account.coordinators(), account.name());
    }
  }

  @Test
  void sharesAreOfThoseWhomOneSees() {
    assertEquals(
        "[root, root/root, bio, bio/carol, physics, physics/alice, physics/bob]",
        shares("jobs", alice(false)));
    assertEquals("[root, physics, physics/alice]", shares("users", alice(false)));
    assertEquals("[root, physics, physics/alice]", shares("usage", alice(false)));
    assertEquals("[root, physics, physics/alice, physics/bob]", shares("usage", user("bob")));
  }

  @Test
  void statisticsNameNobodyElse() {
    assertTrue(new AccountVisibility(state("none"), alice(false)).sees("bob"));
    for (String hidden : List.of("jobs", "users")) {
      assertFalse(new AccountVisibility(state(hidden), alice(false)).sees("bob"));
      assertTrue(new AccountVisibility(state(hidden), alice(false)).sees("alice"));
      assertTrue(new AccountVisibility(state(hidden), alice(true)).sees("bob"));
    }
  }

  @Test
  void aWordThatIsNotKnownIsAnError() {
    String text = "SlurmctldHost=vm\nClusterName=lab\nPrivateData=job\n";
    assertTrue(SlurmConfParser.parseAlone("/slurm.conf", text).hasErrors());
  }

  @Test
  void nodesHaveNoState() {
    Response.Cluster cluster = seen("nodes", false);
    assertEquals(List.of("nodes"), cluster.denied());
    assertEquals(NodeCondition.GOOD, cluster.nodes().getFirst().condition());
    assertEquals(4, cluster.nodes().getFirst().config().shape().cpus());
    assertFalse(cluster.partitions().isEmpty());
  }

  @Test
  void partitionsAreNone() {
    Response.Cluster cluster = seen("partitions,jobs", false);
    assertEquals(List.of("partitions"), cluster.denied());
    assertTrue(cluster.partitions().isEmpty());
    assertEquals("disk", cluster.nodes().getFirst().condition().reason());
  }

  @Test
  void operatorsSeeEverything() {
    Response.Cluster cluster = seen("nodes,partitions", true);
    assertEquals(List.of(), cluster.denied());
    assertEquals("disk", cluster.nodes().getFirst().condition().reason());
    assertFalse(cluster.partitions().isEmpty());
  }

  @Test
  void operatorsSeeHiddenAndClosedPartitions() {
    String text =
        """
        SlurmctldHost=vm
        ClusterName=lab
        NodeName=n1 CPUs=4
        PartitionName=debug Nodes=n1
        PartitionName=secret Nodes=n1 Hidden=YES
        PartitionName=staff Nodes=n1 AllowGroups=staff
        """;
    var config = SlurmConfParser.parseAlone("/slurm.conf", text).config();
    ClusterState state =
        EventApplier.apply(ClusterState.initial(config), new Event.Configured(config, NOW));
    assertEquals(List.of("secret", "staff"), ClusterView.unlisted(state, alice(false)));
    assertEquals(List.of(), ClusterView.unlisted(state, alice(true)));
  }
}
