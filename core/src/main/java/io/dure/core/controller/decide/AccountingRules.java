package io.dure.core.controller.decide;

import io.dure.core.accounting.AccountingRights;
import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.InvalidAccountingException;
import io.dure.core.accounting.PrioritySettings;
import io.dure.core.controller.Command;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.command.Caller;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;

/** Changing the accounts, and forgetting usage. */
final class AccountingRules {
  private static final int MOST_CHANGES = 200_000;

  private AccountingRules() {}

  static Reply change(Draft draft, Command.ChangeAccounting command, Caller.User who) {
    AccountingTree tree = draft.state().accounts();
    String user = who.identity().userName();
    if (!AccountingRights.mayChange(tree, user, who.operator(), command.changes())) {
      return draft.refuse(ErrorCode.ACCESS_DENIED);
    }
    if (command.basis() != tree.version()) {
      return draft.refuse(ErrorCode.ACCOUNTS_CHANGED);
    }
    if (command.changes().isEmpty()) {
      return draft.done();
    }
    if (command.changes().size() > MOST_CHANGES) {
      return draft.refuse(ErrorCode.BAD_INPUT, "more than " + MOST_CHANGES + " changes at once");
    }
    try {
      tree.with(command.changes());
    } catch (InvalidAccountingException invalid) {
      return draft.refuse(ErrorCode.BAD_INPUT, invalid.text());
    }
    draft.emit(new Event.AccountingChanged(command.changes(), draft.now()));
    return draft.done();
  }

  /** Forgets all usage if the configuration says so of each start. */
  static void resetAtStart(Draft draft) {
    if (draft.state().settings().priority().reset() == PrioritySettings.Reset.NOW) {
      draft.emit(new Event.UsageReset(draft.now()));
    }
  }

  /** Forgets all usage once the day, week, month, quarter or year is another one, by UTC. */
  static void resetIfDue(Draft draft) {
    Instant since = draft.state().usage().resetSince();
    if (since == null) {
      return;
    }
    LocalDate today = LocalDate.ofInstant(draft.now(), ZoneOffset.UTC);
    LocalDate begin =
        switch (draft.state().settings().priority().reset()) {
          case NONE, NOW -> LocalDate.EPOCH;
          case DAILY -> today;
          case WEEKLY -> today.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY));
          case MONTHLY -> today.withDayOfMonth(1);
          case QUARTERLY ->
              today.withDayOfMonth(1).withMonth(today.getMonth().firstMonthOfQuarter().getValue());
          case YEARLY -> today.withDayOfYear(1);
        };
    if (begin.atStartOfDay(ZoneOffset.UTC).toInstant().isAfter(since)) {
      draft.emit(new Event.UsageReset(draft.now()));
    }
  }
}
