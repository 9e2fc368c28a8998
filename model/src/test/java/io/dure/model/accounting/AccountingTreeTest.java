package io.dure.model.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.accounting.AccountingChange.AccountRemoved;
import io.dure.model.accounting.AccountingChange.AccountSet;
import io.dure.model.accounting.AccountingChange.AssociationRemoved;
import io.dure.model.accounting.AccountingChange.AssociationSet;
import io.dure.model.accounting.AccountingChange.QosRemoved;
import io.dure.model.accounting.AccountingChange.QosSet;
import io.dure.model.accounting.AccountingChange.UserRemoved;
import io.dure.model.accounting.AccountingChange.UserSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the tree of accounts takes and what it refuses, and who may change it. */
@Tag("pure")
class AccountingTreeTest {
  private AccountingTree tree = AccountingTree.initial();

  private static List<AccountingChange> account(AccountingTree tree, String name, String parent) {
    return List.of(
        new AccountSet(new Account(name, name, name, List.of())),
        new AssociationSet(Association.ofAccount(tree.nextAssociation(), name, parent)));
  }

  private static List<AccountingChange> user(AccountingTree tree, String name, String account) {
    List<AccountingChange> changes = new ArrayList<>();
    if (tree.user(name) == null) {
      changes.add(new UserSet(new AccountUser(name, AdminLevel.NONE, account)));
    }
    changes.add(
        new AssociationSet(Association.ofUser(tree.nextAssociation(), account, name, null)));
    return changes;
  }

  private void add(List<AccountingChange> changes) throws InvalidAccountingException {
    tree = tree.with(changes);
  }

  private String refusal(AccountingChange... changes) {
    return assertThrows(InvalidAccountingException.class, () -> tree.with(List.of(changes))).text();
  }

  private void science() throws InvalidAccountingException {
    add(account(tree, "science", "root"));
    add(account(tree, "bio", "science"));
    add(user(tree, "alice", "bio"));
  }

  @Test
  void rootAndNormalAreThereFromTheStart() {
    assertTrue(tree.isUntouched());
    assertEquals(List.of(1, 2), tree.walk().stream().map(Association::id).toList());
    assertEquals(1, tree.qosByNumber().size());
    assertEquals(List.of("normal"), tree.effective(tree.associations().require(2)).qos());
  }

  @Test
  void whatIsStoredIsTheSameTree() throws InvalidAccountingException {
    science();
    AccountingTree read = AccountingTree.of(tree.records());
    assertEquals(tree.records(), read.records());
    assertEquals(tree.walk(), read.walk());
    assertEquals(tree.of("alice"), read.of("alice"));
  }

  @Test
  void usersStandBeforeAccountsByName() throws InvalidAccountingException {
    science();
    add(user(tree, "zoe", "science"));
    add(account(tree, "art", "science"));
    assertEquals(
        List.of("zoe", "art", "bio"),
        tree.children("science").stream()
            .map(a -> a.user() == null ? a.account() : a.user())
            .toList());
  }

  @Test
  void maximaAreHandedDownAndGroupLimitsAreNot() throws InvalidAccountingException {
    science();
    Association bio = tree.association("bio", null, null);
    add(
        List.of(
            new AssociationSet(
                bio.withLimits(
                        AccountingLimits.NONE
                            .with(LimitKind.MAX_JOBS, null, 5L)
                            .with(LimitKind.GRP_JOBS, null, 9L)
                            .with(LimitKind.MAX_TRES_PER_JOB, "cpu", 4L))
                    .withPriority(7L))));
    Association alice = tree.effective(tree.association("bio", "alice", null));
    assertEquals(5L, alice.limits().of(LimitKind.MAX_JOBS));
    assertNull(alice.limits().of(LimitKind.GRP_JOBS));
    assertEquals(4, alice.limits().tres(LimitKind.MAX_TRES_PER_JOB).of("cpu"));
    assertEquals(7L, alice.priority());
  }

  @Test
  void whatMakesNoTreeIsRefused() throws InvalidAccountingException {
    science();
    Association bio = tree.association("bio", null, null);
    Association science = tree.association("science", null, null);
    assertEquals(
        "account science would be its own parent",
        refusal(new AssociationSet(science.withParent("bio")))
            .replaceAll("bio|science", "science"));
    assertEquals("there is no account nope", refusal(new AssociationSet(bio.withParent("nope"))));
    assertEquals("account bio is not empty", refusal(new AssociationRemoved(bio.id())));
    assertEquals("user alice has associations", refusal(new UserRemoved("alice")));
    assertEquals("the root account stays", refusal(new AccountRemoved("root")));
    assertEquals("there is no QOS gold", refusal(new AssociationSet(bio.withQos(List.of("gold")))));
    assertEquals("shares are not negative", refusal(new AssociationSet(bio.withShares(-1L))));
    assertEquals(
        "there is such an association already",
        refusal(
            new AssociationSet(Association.ofUser(tree.nextAssociation(), "bio", "alice", null))));
    assertEquals("one QOS stays", refusal(new QosRemoved("normal")));
  }

  @Test
  void aQosThatIsGoneIsGoneFromEveryList() throws InvalidAccountingException {
    science();
    add(List.of(new QosSet(Qos.plain(2, "low", ""))));
    add(List.of(new QosSet(Qos.plain(3, "high", "").withPreempt(List.of("low")))));
    Association bio = tree.association("bio", null, null);
    add(List.of(new AssociationSet(bio.withQos(List.of("low", "normal")).withDefaultQos("low"))));
    add(List.of(new QosRemoved("low")));
    Association left = tree.association("bio", null, null);
    assertEquals(List.of("normal"), left.qos());
    assertNull(left.defaultQos());
    assertEquals(List.of(), tree.qos("high").preempt());
  }

  @Test
  void coordinatorsChangeTheirAccountsAlone() throws InvalidAccountingException {
    science();
    add(user(tree, "carol", "science"));
    Account science = tree.account("science");
    add(List.of(new AccountSet(science.coordinatedBy(List.of("carol")))));
    assertTrue(AccountingRights.mayChange(tree, "carol", false, user(tree, "dave", "bio")));
    assertTrue(AccountingRights.mayChange(tree, "carol", false, account(tree, "chem", "bio")));
    assertFalse(AccountingRights.mayChange(tree, "carol", false, user(tree, "dave", "root")));
    assertFalse(AccountingRights.mayChange(tree, "carol", false, account(tree, "x", "root")));
    assertFalse(
        AccountingRights.mayChange(
            tree,
            "carol",
            false,
            List.of(new UserSet(new AccountUser("carol", AdminLevel.ADMINISTRATOR, "science")))));
    Association own = tree.association("science", null, null);
    assertFalse(
        AccountingRights.mayChange(
            tree, "carol", false, List.of(new AssociationSet(own.withShares(99L)))));
    assertFalse(AccountingRights.mayChange(tree, "alice", false, user(tree, "dave", "bio")));
    assertTrue(AccountingRights.mayChange(tree, "nobody", true, user(tree, "dave", "bio")));
  }

  /** zed coordinates chem, where it has no association, and has its last one in bio. */
  @Test
  void aCoordinatorOfOthersStaysWhenItsLastAssociationGoes() throws InvalidAccountingException {
    science();
    add(account(tree, "chem", "root"));
    add(user(tree, "carol", "bio"));
    add(user(tree, "zed", "bio"));
    add(List.of(new AccountSet(tree.account("bio").coordinatedBy(List.of("carol", "zed")))));
    List<AccountingChange> deletion =
        List.of(
            new AssociationRemoved(tree.association("bio", "zed", null).id()),
            new UserRemoved("zed"));
    assertTrue(AccountingRights.mayChange(tree, "carol", false, deletion));
    // What it coordinates beside is carol's, too.
    assertEquals(deletion, AccountingRights.within(tree, "carol", deletion));
    add(List.of(new AccountSet(tree.account("chem").coordinatedBy(List.of("zed")))));
    List<AccountingChange> left = AccountingRights.within(tree, "carol", deletion);
    assertEquals(deletion.subList(0, 1), left);
    AccountingTree after = tree.with(left);
    assertTrue(after.isCoordinator("zed", "chem"));
    assertEquals(List.of(), after.of("zed"));
    // An administrator takes it all away.
    assertEquals(List.of(), tree.with(deletion).account("chem").coordinators());
  }

  @Test
  void aUserWithAssociationsElsewhereStays() throws InvalidAccountingException {
    science();
    add(account(tree, "chem", "root"));
    add(user(tree, "carol", "bio"));
    add(user(tree, "alice", "chem"));
    add(List.of(new AccountSet(tree.account("bio").coordinatedBy(List.of("carol")))));
    AssociationRemoved here = new AssociationRemoved(tree.association("bio", "alice", null).id());
    AssociationRemoved there = new AssociationRemoved(tree.association("chem", "alice", null).id());
    UserRemoved gone = new UserRemoved("alice");
    assertEquals(List.of(here), AccountingRights.within(tree, "carol", List.of(here, gone)));
    List<AccountingChange> all = List.of(here, there, gone);
    assertEquals(all, AccountingRights.within(tree, "carol", all));
    assertFalse(AccountingRights.mayChange(tree, "carol", false, all));
  }

  @Test
  void anOperatorMakesNoAdministrators() throws InvalidAccountingException {
    science();
    add(List.of(new UserSet(new AccountUser("alice", AdminLevel.OPERATOR, "bio"))));
    assertTrue(AccountingRights.mayChange(tree, "alice", false, account(tree, "x", "root")));
    assertFalse(
        AccountingRights.mayChange(
            tree,
            "alice",
            false,
            List.of(new UserSet(new AccountUser("alice", AdminLevel.ADMINISTRATOR, "bio")))));
  }

  @Test
  void enforcementWordsIncludeOneAnother() {
    assertEquals(
        new AccountingEnforcement(true, true, false, true), AccountingEnforcement.of("safe"));
    assertEquals(
        new AccountingEnforcement(true, true, true, false),
        AccountingEnforcement.of("associations,limits,qos"));
    assertEquals(AccountingEnforcement.NONE, AccountingEnforcement.of("none"));
    assertEquals(
        new AccountingEnforcement(true, true, true, true, AccountingEnforcement.Wckeys.ENFORCED),
        AccountingEnforcement.of("all"));
    assertEquals(
        new AccountingEnforcement(true, false, false, false, AccountingEnforcement.Wckeys.ENFORCED),
        AccountingEnforcement.of("wckeys"));
    assertEquals(
        new AccountingEnforcement(false, false, false, false, AccountingEnforcement.Wckeys.TRACKED),
        AccountingEnforcement.of("none", true));
  }

  private static AccountAndQos.Answer member(
      AccountingTree tree, String words, String user, String account, String qos) {
    return AccountAndQos.of(
        tree, AccountingEnforcement.of(words), user, account, qos, List.of("debug"));
  }

  @Test
  void aJobIsChargedToWhatItsOwnerMayUse() throws InvalidAccountingException {
    science();
    add(List.of(new QosSet(Qos.plain(2, "low", ""))));
    AccountAndQos.Answer none = new AccountAndQos.Answer.NoAccount();
    assertEquals(none, member(tree, "associations", "carol", null, null));
    assertEquals(none, member(tree, "associations", "alice", "science", null));
    assertEquals(
        new AccountAndQos.Answer.Granted(new AccountAndQos("bio", "normal")),
        member(tree, "associations,qos", "alice", null, null));
    assertEquals(new AccountAndQos.Answer.NoQos(), member(tree, "qos", "alice", null, "low"));
    assertEquals(
        new AccountAndQos.Answer.Granted(new AccountAndQos("nope", "never")),
        member(tree, "none", "carol", "nope", "never"));
    assertEquals(
        new AccountAndQos.Answer.Granted(new AccountAndQos(null, null)),
        member(AccountingTree.initial(), "none", "carol", null, null));
  }
}
