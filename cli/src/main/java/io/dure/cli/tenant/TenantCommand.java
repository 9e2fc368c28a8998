package io.dure.cli.tenant;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.cost.TenantCosts;
import io.dure.cli.efficiency.RunUse;
import io.dure.cli.efficiency.UseTotals;
import io.dure.cli.request.ClusterChoice;
import io.dure.cli.request.Question;
import io.dure.cli.request.RecordedRuns;
import io.dure.host.config.LocalConfigSource;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.config.PartitionConfig;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Shows an account as a tenant: what it was given, what it uses, and what that costs. */
public final class TenantCommand implements CliCommand {
  private static final String PRICES = "cost.conf";

  /** What is asked for. */
  private static final class Call {
    private String account = "";
    private boolean csv;
    private @Nullable DocumentFormat json;
    private @Nullable String month;
    private @Nullable String file;
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    Call call = read(context);
    Response.Accounts known = ask(context, new Request.ShowAccounts(), Response.Accounts.class);
    AccountingTree tree = AccountingTree.of(known.accounts());
    Association place = tree.association(call.account, null, null);
    if (place == null) {
      throw CommandException.error(
          "there is no account '"
              + call.account
              + "' that you may see; sacctmgr show account"
              + " lists those that you do");
    }
    boolean priced = call.file != null || hasPrices(context);
    TenantCosts costs =
        TenantCosts.of(
            context,
            known.accounts().associations(),
            place.account(),
            call.month,
            priced,
            call.file);
    List<String> within = costs.within();
    UseTotals totals = new UseTotals();
    JobHistoryQuery query =
        RecordedRuns.query(List.of(), List.of(), within, costs.from(), costs.until(), true);
    var now = context.clock().now();
    for (String cluster : ClusterChoice.every(known)) {
      RecordedRuns.each(
          context,
          cluster,
          query,
          job -> {
            costs.add(job);
            totals.add(RunUse.of(job, now));
          });
    }
    Response.Jobs jobs =
        ask(context, new Request.ListJobs(List.of(), null, false), Response.Jobs.class);
    Response.Shares shares = ask(context, new Request.ShowShares(), Response.Shares.class);
    Response.Cluster cluster = ask(context, new Request.ShowCluster(), Response.Cluster.class);
    boolean whole = known.operator() || tree.isCoordinator(known.userName(), place.account());
    TenantLoad load = TenantLoad.of(jobs.jobs(), within);
    TenantReport report =
        new TenantReport(
            known.clusterName(),
            costs.month().toString(),
            given(tree, place, within, cluster),
            load.limits(place, shares),
            costs.rows(user -> whole || tree.user(user) != null),
            costs.currency(),
            costs.spent(),
            costs.budget(),
            load.waiting(),
            load.running(),
            totals,
            whole);
    print(context, call, report);
    return 0;
  }

  private static <R extends Response> R ask(CommandContext context, Request request, Class<R> type)
      throws CommandException {
    return Question.ask(context, RecordedRuns::failure, null, request, type);
  }

  private static boolean hasPrices(CommandContext context) {
    return context
        .caller()
        .hasFile(LocalConfigSource.locate(context.environment()).resolveSibling(PRICES));
  }

  private static void print(CommandContext context, Call call, TenantReport report) {
    if (call.json != null) {
      TenantText.json(context.document(call.json), report);
    } else {
      context.out().print(call.csv ? TenantText.csv(report) : TenantText.text(report));
    }
  }

  private static Call read(CommandContext context) throws CommandException {
    Call call = new Call();
    CallOptions<TenantOption> parser = context.options(TenantCommand.class, TenantOption.values());
    for (ParsedOption<TenantOption> option = parser.next();
        option != null;
        option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case CSV -> call.csv = true;
        case HELP, USAGE, VERSION -> {}
        case JSON -> call.json = DocumentFormat.json(value);
        case MONTH -> call.month = value;
        case PRICES -> call.file = value;
      }
    }
    if (parser.operands().size() != 1) {
      throw CommandException.error("one account is to be named (--help)");
    }
    call.account = parser.operands().getFirst();
    return call;
  }

  private static TenantReport.Given given(
      AccountingTree tree, Association place, List<String> within, Response.Cluster cluster) {
    List<String> coordinators = new ArrayList<>();
    TreeSet<String> users = new TreeSet<>();
    for (String name : within) {
      Account account = tree.account(name);
      if (account != null) {
        account.coordinators().forEach(one -> coordinators.add(one + " (" + name + ")"));
      }
    }
    for (Association one : tree.associations().values()) {
      if (one.user() != null && within.contains(one.account())) {
        users.add(one.user());
      }
    }
    Association whole = tree.effective(place);
    Account account = tree.account(place.account());
    return new TenantReport.Given(
        place.account(),
        account == null ? "" : account.description(),
        within,
        coordinators,
        List.copyOf(users),
        whole.qos(),
        whole.defaultQos(),
        cluster.partitions().stream()
            .filter(one -> admits(one.access(), place.account(), whole.qos()))
            .map(PartitionConfig::name)
            .toList());
  }

  private static boolean admits(PartitionConfig.Access access, String account, List<String> qos) {
    boolean some =
        qos.isEmpty()
            || qos.stream().anyMatch(one -> allows(access.allowQos(), access.denyQos(), one));
    return some && allows(access.allowAccounts(), access.denyAccounts(), account);
  }

  private static boolean allows(List<String> allowed, List<String> denied, String name) {
    return allowed.isEmpty()
        ? denied.stream().noneMatch(name::equalsIgnoreCase)
        : allowed.stream().anyMatch(name::equalsIgnoreCase);
  }
}
