package io.dure.cluster.decide.administration;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingRights;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.usage.UsageElsewhere;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.List;

/** Changing the accounts, and forgetting usage. */
public final class AccountingRules {
  private static final int MOST_CHANGES = 200_000;

  private AccountingRules() {}

  public static Reply change(
      DecisionBuilder draft, Command.ChangeAccounting command, Caller.User caller) {
    AccountingTree tree = draft.state().accounts();
    String user = caller.identity().userName();
    if (!AccountingRights.mayChange(tree, user, caller.operator(), command.changes())) {
      return draft.refuse(ErrorCode.ACCESS_DENIED);
    }
    if (command.basis() != tree.version()) {
      return draft.refuse(ErrorCode.ACCOUNTS_CHANGED);
    }
    List<AccountingChange> changes =
        caller.operator()
            ? command.changes()
            : AccountingRights.within(tree, user, command.changes());
    if (changes.isEmpty()) {
      return draft.done();
    }
    if (command.changes().size() > MOST_CHANGES) {
      return draft.refuse(ErrorCode.BAD_INPUT, "more than " + MOST_CHANGES + " changes at once");
    }
    Reply.Refused refused = AccountingChecks.refusal(draft.state(), changes);
    if (refused != null) {
      return draft.refuse(refused.code(), refused.detail());
    }
    draft.emit(new Event.AccountingChanged(changes, draft.now(), user));
    return draft.done();
  }

  /** Makes changes that were checked where the accounts of several clusters are kept. */
  public static Reply follow(DecisionBuilder draft, Command.FollowAccounting command) {
    AccountingTree tree = draft.state().accounts();
    if (command.basis() != tree.version()) {
      return draft.refuse(ErrorCode.ACCOUNTS_CHANGED);
    }
    try {
      tree.with(command.changes());
    } catch (InvalidAccountingException invalid) {
      return draft.refuse(ErrorCode.BAD_INPUT, invalid.text());
    }
    draft.emit(new Event.AccountingChanged(command.changes(), draft.now(), command.actor()));
    return draft.done();
  }

  /** Takes over accounts that are kept elsewhere. */
  public static Reply replace(DecisionBuilder draft, AccountingRecords accounts) {
    if (!accounts.equals(draft.state().accounts().records())) {
      draft.emit(new Event.AccountingReplaced(accounts, draft.now()));
    }
    return draft.done();
  }

  /** Counts what was used on other clusters; the name of one without use makes no difference. */
  public static Reply countElsewhere(DecisionBuilder draft, Command.CountUsageElsewhere command) {
    UsageElsewhere before = draft.state().usage().elsewhere();
    boolean forgets =
        before != null
            && before.clusters().stream()
                .anyMatch(one ->
                    !command.clusters().contains(one.cluster())
                        || command.whole().contains(one.cluster()));
    if (!command.changed().isEmpty() || forgets) {
      draft.emit(
          new Event.UsageElsewhereChanged(
              command.changed(), command.clusters(), draft.now(), command.whole()));
    }
    return draft.done();
  }

  /** Forgets all usage if the configuration says so of each start. */
  public static void resetAtStart(DecisionBuilder draft) {
    if (draft.state().settings().priority().reset() == PrioritySettings.Reset.NOW) {
      draft.emit(new Event.UsageReset(draft.now()));
    }
  }

  /** Forgets all usage once the day, week, month, quarter or year is another one, by UTC. */
  public static void resetIfDue(DecisionBuilder draft) {
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
