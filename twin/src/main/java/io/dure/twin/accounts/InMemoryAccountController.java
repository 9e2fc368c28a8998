package io.dure.twin.accounts;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;

/** Accounts that begin with root alone and keep what they are told. For one thread. */
final class InMemoryAccountController implements OfflineSacctmgr.Target {
  private final String cluster;
  private AccountingTree tree = AccountingTree.initial();

  InMemoryAccountController(String cluster) {
    this.cluster = cluster;
  }

  @Override
  public String cluster() {
    return cluster;
  }

  @Override
  public AccountingTree tree() {
    return tree;
  }

  @Override
  public Reply change(Command.ChangeAccounting change) {
    try {
      tree = tree.with(change.changes());
      return new Reply.Done();
    } catch (InvalidAccountingException invalid) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, invalid.text());
    }
  }
}
