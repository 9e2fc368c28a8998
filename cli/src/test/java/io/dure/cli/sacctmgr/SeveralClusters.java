package io.dure.cli.sacctmgr;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerConnector;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRights;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.command.Reply;
import io.dure.model.federation.Federations;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.ClusterChange;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The controller of one cluster of several that share their accounts, which are empty at first. */
final class SeveralClusters implements ControllerConnector {
  final SortedMap<String, AccountingTree> trees = new TreeMap<>();
  private final String own;

  /** Whether somebody else changes accounts whenever they are to be changed. */
  boolean contended;

  /** Who calls from now on. */
  String user = "root";

  SeveralClusters(String own) {
    this.own = own;
    trees.put(own, withUsers());
  }

  private static AccountingTree withUsers() {
    AccountingTree tree = AccountingTree.initial();
    try {
      for (String name : List.of("alice", "bob")) {
        tree =
            tree.with(
                List.of(
                    new AccountingChange.UserSet(new AccountUser(name, AdminLevel.NONE, "root")),
                    new AccountingChange.AssociationSet(
                        Association.ofUser(tree.nextAssociation(), "root", name, null))));
      }
    } catch (InvalidAccountingException e) {
      throw new AssertionError(e);
    }
    return tree;
  }

  @Override
  public ControllerConnection open() {
    return new ControllerConnection() {
      @Override
      public Response ask(Request request) {
        return answer(request);
      }

      @Override
      public Response await(Request request) {
        return ask(request);
      }

      @Override
      public void close() {}
    };
  }

  private Response answer(Request request) {
    if (request instanceof Request.ShowAccounts) {
      return new Response.Accounts(
          own,
          "127.0.0.1",
          15817,
          trees.get(own).records(),
          user,
          user.equals("root"),
          trees.entrySet().stream()
              .map(one -> new ClusterAccounts(one.getKey(), "", 0, one.getValue().records()))
              .toList());
    }
    if (request instanceof Request.ChangeClusters(List<ClusterChange> changes)) {
      return new Response.Decided(decide(changes));
    }
    if (request instanceof Request.AddCluster(String name)) {
      trees.put(name, with(withUsers(), trees.get(own).federations()));
      return new Response.Decided(new Reply.Done());
    }
    if (request instanceof Request.RemoveClusters(List<String> names)) {
      for (String name : names) {
        trees.remove(name);
        trees.replaceAll((_, tree) -> with(tree, tree.federations().forgetting(name)));
      }
      return new Response.Decided(new Reply.Done());
    }
    throw new AssertionError("not expected: " + request);
  }

  private static AccountingTree with(AccountingTree tree, Federations federations) {
    return AccountingTree.of(tree.records().withFederations(federations));
  }

  private Reply decide(List<ClusterChange> changes) {
    SortedMap<String, AccountingTree> next = new TreeMap<>(trees);
    for (ClusterChange one : changes) {
      AccountingTree tree = trees.get(one.cluster());
      if (contended || one.basis() != tree.version()) {
        return new Reply.Refused(ErrorCode.ACCOUNTS_CHANGED, "");
      }
      if (!AccountingRights.mayChange(tree, user, user.equals("root"), one.changes())) {
        return new Reply.Refused(ErrorCode.ACCESS_DENIED, "");
      }
      try {
        next.put(one.cluster(), tree.with(one.changes()));
      } catch (InvalidAccountingException e) {
        return new Reply.Refused(ErrorCode.BAD_INPUT, e.text());
      }
    }
    trees.putAll(next);
    return new Reply.Done();
  }
}
