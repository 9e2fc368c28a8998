package io.dure.core.controller;

import io.dure.core.accounting.InvalidAccountingException;

/** What the events of accounts make of the state; part of {@link Apply}. */
final class AccountingEvents {
  private AccountingEvents() {}

  static void changed(ClusterState.Parts parts, Event.AccountingChanged e) {
    try {
      parts.accounts = parts.accounts.with(e.changes());
    } catch (InvalidAccountingException invalid) {
      throw new IllegalStateException(e + " in version " + parts.accounts.version(), invalid);
    }
  }
}
