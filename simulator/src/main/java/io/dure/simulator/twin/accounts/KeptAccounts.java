package io.dure.simulator.twin.accounts;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerPort;
import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.InvalidAccountingException;
import io.dure.core.controller.Command;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;

/** A controller that knows accounts alone, and takes whoever calls for root. For one thread. */
final class KeptAccounts implements ControllerPort {
  private final String cluster;
  private AccountingTree tree = AccountingTree.initial();

  KeptAccounts(String cluster) {
    this.cluster = cluster;
  }

  AccountingTree tree() {
    return tree;
  }

  @Override
  public ControllerConnection open() {
    return new ControllerConnection() {
      @Override
      public Response ask(Request request) throws IOException {
        if (request instanceof Request.ShowAccounts) {
          return new Response.Accounts(cluster, "twin", 0, tree.records(), "root", true);
        }
        if (request instanceof Request.Change(Command.ChangeAccounting change, _, _)) {
          return new Response.Decided(changed(change));
        }
        throw new IOException("a twin has accounts only");
      }

      @Override
      public Response await(Request request) throws IOException {
        return ask(request);
      }

      @Override
      public void close() {}
    };
  }

  private Reply changed(Command.ChangeAccounting change) {
    try {
      tree = tree.with(change.changes());
      return new Reply.Done();
    } catch (InvalidAccountingException invalid) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, invalid.text());
    }
  }
}
