package io.dure.cli.sacctmgr;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerConnector;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingNames;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ClusterHistory;
import java.util.List;

/** A controller that knows accounts alone, and takes whoever calls for one user. */
final class AccountsController implements ControllerConnector {
  AccountingTree tree = AccountingTree.initial();

  /** What the log of changes has. */
  List<ClusterHistory.Transaction> history = List.of();

  private final String user;

  AccountsController(String user) {
    this.user = user;
  }

  @Override
  public ControllerConnection open() {
    return new ControllerConnection() {
      @Override
      public Response ask(Request request) {
        if (request instanceof Request.ShowAccounts) {
          return new Response.Accounts(
              "labreal", "127.0.0.1", 16817, tree.records(), user, user.equals("root"), List.of());
        }
        if (request instanceof Request.Change(Command.ChangeAccounting change, _, _)) {
          return new Response.Decided(decide(change));
        }
        if (request instanceof Request.ShowClusterHistory) {
          return new Response.RecordedHistory(new ClusterHistory("labreal", List.of(), history));
        }
        if (request instanceof Request.ShowConfig) {
          return new Response.Text(List.of());
        }
        throw new AssertionError("not expected: " + request);
      }

      @Override
      public Response await(Request request) {
        return ask(request);
      }

      @Override
      public void close() {}
    };
  }

  private Reply decide(Command.ChangeAccounting change) {
    if (change.basis() != tree.version()) {
      return new Reply.Refused(ErrorCode.ACCOUNTS_CHANGED, "");
    }
    try {
      AccountingNames.check(tree, change.changes());
      tree = tree.with(change.changes());
      return new Reply.Done();
    } catch (InvalidAccountingException invalid) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, invalid.text());
    }
  }
}
