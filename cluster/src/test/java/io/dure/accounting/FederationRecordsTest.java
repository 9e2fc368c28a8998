package io.dure.accounting;

import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.federation.FederatedCluster;
import io.dure.model.federation.FederationState;
import io.dure.model.federation.Federations;
import io.dure.model.federation.Membership;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Federations in the accounts of a cluster: who may change them, and what is refused. */
@Tag("pure")
class FederationRecordsTest {
  private final TestCluster cluster = ClusterBuilder.of(1).start();

  private Reply set(Caller.User who, Federations next) {
    return cluster.ask(
        who,
        new Command.ChangeAccounting(
            cluster.state().accounts().version(),
            List.of(new AccountingChange.FederationsSet(next))));
  }

  private static Federations alone(String name) {
    Federations named = Federations.NONE.with(List.of(name));
    Federations joined = named.joining("test", name);
    assertNotNull(joined);
    return joined;
  }

  private void alice(AdminLevel level) {
    AccountingTree tree = cluster.state().accounts();
    Association known = tree.association("root", "alice", null);
    int id = known == null ? tree.nextAssociation() : known.id();
    assertEquals(
        new Reply.Done(),
        cluster.ask(
            ROOT,
            new Command.ChangeAccounting(
                tree.version(),
                List.of(
                    new AccountingChange.UserSet(new AccountUser("alice", level, "root")),
                    new AccountingChange.AssociationSet(
                        Association.ofUser(id, "root", "alice", null))))));
  }

  @Test
  void administratorsAloneChangeThem() {
    for (AdminLevel level : List.of(AdminLevel.NONE, AdminLevel.OPERATOR)) {
      alice(level);
      Reply.Refused refused = assertInstanceOf(Reply.Refused.class, set(ALICE, alone("one")));
      assertEquals(ErrorCode.ACCESS_DENIED, refused.code());
    }
    alice(AdminLevel.ADMINISTRATOR);
    assertEquals(new Reply.Done(), set(ALICE, alone("one")));
    assertEquals(alone("one"), cluster.state().accounts().federations());
    assertEquals(
        alone("one"), AccountingTree.of(cluster.state().accounts().records()).federations());
  }

  private void isRefused(String text, Federations next) {
    Reply.Refused refused = assertInstanceOf(Reply.Refused.class, set(ROOT, next));
    assertEquals(ErrorCode.BAD_INPUT, refused.code());
    assertEquals(text, refused.detail().replaceFirst(";.*", ""));
    assertEquals(Federations.NONE, cluster.state().accounts().federations());
  }

  @Test
  void whatCannotBeIsRefused() {
    Membership nowhere = new Membership("nosuch", 1);
    isRefused(
        "there is no federation nosuch",
        Federations.NONE.with(FederatedCluster.plain("test").at(nowhere, FederationState.ACTIVE)));
    isRefused("not a name for federation: 'a b'", alone("a b"));
    isRefused("not a name for federation: ''", Federations.NONE.with(List.of("")));
    isRefused("not a name for federation: 'a\"b'", alone("a\"b"));
    isRefused(
        "not a name for feature: 'x|y'",
        alone("one").with(FederatedCluster.plain("test").withFeatures(List.of("x|y"))));
    isRefused(
        "not a name for cluster: 'a b'",
        Federations.NONE.with(FederatedCluster.plain("a b").withFeatures(List.of("x"))));
    isRefused(
        "cluster test would have 257 features, and 256 are the most",
        Federations.NONE.with(
            FederatedCluster.plain("test")
                .withFeatures(IntStream.range(0, 257).mapToObj(i -> "f" + i).toList())));
  }
}
