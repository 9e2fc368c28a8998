package io.dure.cli.cost;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.ChangeIdGenerator;
import io.dure.cli.request.ClusterChoice;
import io.dure.cli.request.Question;
import io.dure.cli.request.RecordedRuns;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.ClusterChange;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Shows what jobs cost by a price list, watches budgets, and sets limits that hold them. */
public final class CostCommand implements CliCommand {
  private static final int WARNED = 3;
  private static final int SPENT = 4;

  @Override
  public int execute(CommandContext context) throws CommandException {
    CostCall call = CostCall.read(context);
    Response.Accounts accounts = ask(context, new Request.ShowAccounts(), Response.Accounts.class);
    if (call.limits() && !accounts.operator()) {
      throw CommandException.error("limits of budgets are for operators, who see all jobs");
    }
    AccountPaths paths = new AccountPaths(accounts.accounts().associations());
    Instant from = call.prices().begin(call.first());
    Instant until = call.prices().begin(call.last().plusMonths(1));
    CostBook book =
        new CostBook(call.prices(), paths, from, until, context.clock().now(), call.by());
    TreeSet<String> within = new TreeSet<>();
    call.accounts().forEach(one -> within.addAll(paths.within(one)));
    JobHistoryQuery query =
        RecordedRuns.query(List.of(), call.users(), List.copyOf(within), from, until, false);
    List<@Nullable String> clusters = ClusterChoice.every(accounts);
    for (String cluster : clusters) {
      String place = clusters.size() == 1 ? "" : cluster + ":";
      RecordedRuns.each(context, cluster, query, job -> book.add(place, job));
    }
    List<CostReport.Check> checks =
        call.users().isEmpty() && call.accounts().isEmpty()
            ? checks(
                context,
                call,
                book,
                clusters,
                new UsageQuery(from, until, UsageQuery.Part.OWNERS, List.of(), query))
            : List.of();
    boolean whole = call.users().isEmpty() && call.accounts().isEmpty();
    CostReport report =
        new CostReport(
            clusters.size() == 1
                ? accounts.clusterName()
                : String.join(",", clusters.stream().filter(Objects::nonNull).toList()),
            call.prices().currency(),
            CostReport.lines(book),
            whole ? budgets(call, book, paths) : List.of(),
            checks,
            accounts.operator());
    if (call.limits()) {
      limit(context, call, accounts, report);
      return 0;
    }
    print(context, call, report);
    return warn(context, report);
  }

  private static <R extends Response> R ask(CommandContext context, Request request, Class<R> type)
      throws CommandException {
    return Question.ask(context, RecordedRuns::failure, null, request, type);
  }

  private static List<CostReport.Check> checks(
      CommandContext context,
      CostCall call,
      CostBook book,
      List<@Nullable String> clusters,
      UsageQuery query)
      throws CommandException {
    List<UsageReport> sums = new ArrayList<>();
    for (String cluster : clusters) {
      sums.add(ask(context, new Request.ShowUsage(query, cluster), Response.Usage.class).report());
    }
    List<CostReport.Check> checks = new ArrayList<>();
    for (String tres : call.prices().priced()) {
      boolean summed =
          tres.equals("cpu")
              || tres.equals("mem")
              || tres.equals("node")
              || sums.stream().allMatch(one -> one.trackedTres().contains(tres));
      if (summed) {
        long books =
            sums.stream()
                .flatMap(one -> one.owners().stream())
                .filter(row -> row.tres().equals(tres))
                .mapToLong(UsageReport.OwnerUse::seconds)
                .sum();
        checks.add(new CostReport.Check(tres, book.seconds(tres), books, book.doubtful(tres)));
      }
    }
    return checks;
  }

  private static List<BudgetState> budgets(CostCall call, CostBook book, AccountPaths paths) {
    List<BudgetState> states = new ArrayList<>();
    for (YearMonth month = call.first(); !month.isAfter(call.last()); month = month.plusMonths(1)) {
      YearMonth at = month;
      for (Budget budget : call.prices().budgets(month).values()) {
        BigDecimal spent = book.cost(at, account -> paths.isWithin(account, budget.account()));
        states.add(new BudgetState(budget, at, spent));
      }
    }
    return states;
  }

  private static void print(CommandContext context, CostCall call, CostReport report) {
    if (call.json() != null) {
      CostText.json(context.document(call.json()), report);
    } else {
      context
          .out()
          .print(call.csv() ? CostText.csv(report, call.by()) : CostText.table(report, call.by()));
    }
  }

  private static int warn(CommandContext context, CostReport report) {
    int code = 0;
    context.out().flush();
    for (BudgetState one : report.budgets()) {
      if (one.warning() > 0 || one.isSpent()) {
        String at = one.warning() > 0 ? " (warned from " + one.warning() + " %)" : "";
        String line = CostText.budget(one, report.currency());
        context.report(StderrMessage.warning(line + at));
        code = Math.max(code, one.isSpent() ? SPENT : WARNED);
      }
    }
    for (CostReport.Check one : report.checks()) {
      if (!one.holds()) {
        context.report(StderrMessage.warning(CostText.check(one)));
      }
    }
    return code;
  }

  private static void limit(
      CommandContext context, CostCall call, Response.Accounts accounts, CostReport report)
      throws CommandException {
    PrioritySettings settings =
        ask(context, new Request.ShowPriorities(), Response.Priorities.class).settings();
    if (!settings.enforced().limits()) {
      throw CommandException.error(
          "no limit of accounts binds in this cluster; set AccountingStorageEnforce=limits in"
              + " slurm.conf");
    }
    Response.Shares shares = ask(context, new Request.ShowShares(), Response.Shares.class);
    Response.Cluster cluster = ask(context, new Request.ShowCluster(), Response.Cluster.class);
    BigDecimal most =
        new BillingRate(call.prices(), cluster, settings)
            .most(context.clock().now(), call.prices().begin(call.last().plusMonths(1)));
    if (most.signum() == 0) {
      throw CommandException.error(
          "nothing has a price for the rest of the month, so nothing binds");
    }
    List<BudgetLimit> limits = new ArrayList<>();
    for (BudgetState one : report.budgets()) {
      limits.add(limit(one, shares, most));
    }
    if (call.apply() && !limits.isEmpty()) {
      set(context, changed(context, accounts, limits));
    }
    for (BudgetLimit one : limits) {
      context.out().print(CostText.budget(one.state(), report.currency()) + "\n");
      context.out().print((call.apply() ? "  set: " : "  would be set: ") + one.text() + "\n");
    }
    if (settings.enforced().safe()) {
      context.report(
          StderrMessage.warning(
              "with AccountingStorageEnforce=safe no run is ended, and what a job would be billed is"
                  + " not known before it starts: the last job that starts may exceed the budget"));
    }
    if (settings.halfLife() != null) {
      context.report(
          StderrMessage.warning(
              "use fades by half in "
                  + settings.halfLife().toHours()
                  + " hours, which lets more through than is left; set the limits again each hour,"
                  + " or PriorityDecayHalfLife=0"));
    }
  }

  private static BudgetLimit limit(BudgetState state, Response.Shares shares, BigDecimal most)
      throws CommandException {
    for (Response.Share row : shares.rows()) {
      Association of = row.association();
      if (of.user() == null && of.account().equals(state.budget().account())) {
        return BudgetLimit.of(state, of, row.usedMinutes(), most);
      }
    }
    throw CommandException.error(
        "there is a budget of account '"
            + state.budget().account()
            + "' and no such account; correct the price list, or add it with sacctmgr");
  }

  /** What sets the limits in each cluster that has the accounts; what was used counts in all. */
  private static Request changed(
      CommandContext context, Response.Accounts known, List<BudgetLimit> limits) {
    List<ClusterAccounts> sharing = Objects.requireNonNullElse(known.clusters(), List.of());
    if (sharing.isEmpty()) {
      List<AccountingChange> changes = changes(known.accounts().associations(), limits);
      return new ChangeIdGenerator(context.caller())
          .named(new Command.ChangeAccounting(known.accounts().version(), changes), null);
    }
    List<ClusterChange> all = new ArrayList<>();
    for (ClusterAccounts one : sharing) {
      List<AccountingChange> changes = changes(one.accounts().associations(), limits);
      if (!changes.isEmpty()) {
        all.add(new ClusterChange(one.cluster(), one.accounts().version(), changes));
      }
    }
    return new Request.ChangeClusters(all);
  }

  private static List<AccountingChange> changes(
      List<Association> associations, List<BudgetLimit> limits) {
    List<AccountingChange> changes = new ArrayList<>();
    for (Association one : associations) {
      for (BudgetLimit limit : limits) {
        if (one.user() == null && one.account().equals(limit.account().account())) {
          changes.add(new AccountingChange.AssociationSet(limit.appliedTo(one)));
        }
      }
    }
    return changes;
  }

  private static void set(CommandContext context, Request request) throws CommandException {
    try (var connection = context.controller().open()) {
      Reply.Refused refused = ResponseCheck.refusal(connection.ask(request));
      if (refused != null) {
        throw CommandException.error("the limits were not set: " + refused.code().text());
      }
    } catch (IOException e) {
      throw CommandException.error("the limits were not set: " + e.getMessage());
    }
  }
}
