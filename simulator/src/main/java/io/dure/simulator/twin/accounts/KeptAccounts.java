package io.dure.simulator.twin.accounts;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.InvalidAccountingException;
import io.dure.core.controller.Command;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;

/** Accounts that begin with root alone and keep what they are told. For one thread. */
final class KeptAccounts implements SacctmgrRun.Target {
  private final String cluster;
  private AccountingTree tree = AccountingTree.initial();

  KeptAccounts(String cluster) {
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
