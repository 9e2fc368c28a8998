package io.dure.cli.fairshare;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.ClusterChoice;
import io.dure.cli.request.Question;
import io.dure.cli.request.RecordedRuns;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Shows how the fair share of a user or an account comes about, level by level and day by day. */
public final class FairShareCommand implements CliCommand {
  private static final int USUAL_DAYS = 14;
  private static final int MOST_DAYS = 400;

  /** What is asked for. */
  private static final class Call {
    private @Nullable String user;
    private @Nullable String account;
    private @Nullable String word;
    private int days = USUAL_DAYS;
    private boolean all;
    private @Nullable DocumentFormat json;
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    Call call = read(context);
    try (ControllerConnection connection = context.controller().open()) {
      show(context, call, connection);
    } catch (IOException e) {
      throw failure(String.valueOf(e.getMessage()));
    }
    return 0;
  }

  private static Call read(CommandContext context) throws CommandException {
    Call call = new Call();
    CallOptions<FairShareOption> parser =
        context.options(FairShareCommand.class, FairShareOption.values());
    for (ParsedOption<FairShareOption> option = parser.next();
        option != null;
        option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case ACCOUNT -> call.account = value;
        case ALL -> call.all = true;
        case DAYS -> call.days = days(value);
        case HELP, USAGE, VERSION -> {}
        case JSON -> call.json = DocumentFormat.json(value);
        case USER -> call.user = value;
      }
    }
    List<String> words = parser.operands();
    if (words.size() + (call.user == null ? 0 : 1) > 1) {
      throw CommandException.error("one user or account is to be named (--help)");
    }
    call.word = words.isEmpty() ? null : words.getFirst();
    return call;
  }

  private static int days(String text) throws CommandException {
    boolean digits = !text.isEmpty() && text.length() <= 3;
    digits &= text.chars().allMatch(letter -> letter >= '0' && letter <= '9');
    int days = digits ? Integer.parseInt(text) : 0;
    if (days < 1 || days > MOST_DAYS) {
      throw CommandException.error("--days=" + text + ": write a number from 1 to " + MOST_DAYS);
    }
    return days;
  }

  private static CommandException failure(String text) {
    return CommandException.error("cannot ask for the shares: " + text);
  }

  private static void show(CommandContext context, Call call, ControllerConnection connection)
      throws CommandException, IOException {
    Response.Shares shares =
        Question.expected(
            Response.Shares.class,
            connection.ask(new Request.ShowShares()),
            FairShareCommand::failure);
    Response.Priorities priorities =
        Question.expected(
            Response.Priorities.class,
            connection.ask(new Request.ShowPriorities()),
            FairShareCommand::failure);
    ShareTree tree = new ShareTree(shares);
    List<FairShareReport> reports = new ArrayList<>();
    List<Response.Share> places = places(call, tree, shares.userName());
    Instant now = context.clock().now();
    UsageDecay decay = UsageDecay.of(priorities.settings().halfLife());
    List<List<UsageReport>> uses = uses(context, call, connection);
    for (Response.Share place : places) {
      List<Response.Share> path = tree.path(place);
      List<DayUse> days = new ArrayList<>();
      for (int i = 0; i < uses.size(); i++) {
        LocalDate day = today(context).minusDays(i);
        days.add(day(day, uses.get(i), of(place, tree), decay, now, context.clock().zone()));
      }
      reports.add(
          new FairShareReport(
              place,
              path,
              path.stream().map(tree::siblings).toList(),
              days,
              shares.fairTree(),
              priorities.multifactor(),
              priorities.settings()));
    }
    if (call.json != null) {
      FairShareText.json(context.document(call.json), shares.clusterName(), reports);
      return;
    }
    for (int i = 0; i < reports.size(); i++) {
      context.out().print((i == 0 ? "" : "\n") + new FairShareText(call.all).of(reports.get(i)));
    }
  }

  private static LocalDate today(CommandContext context) {
    return context.clock().now().atZone(context.clock().zone()).toLocalDate();
  }

  private static List<Response.Share> places(Call call, ShareTree tree, String self)
      throws CommandException {
    String word = call.word;
    Response.Share account = word == null ? null : tree.account(word);
    List<Response.Share> named = word == null ? List.of() : tree.user(word, call.account);
    if (account != null && !named.isEmpty() && call.account == null) {
      throw CommandException.error(
          "'" + word + "' is a user and an account: say --user=" + word + " or --account=" + word);
    }
    if (account != null && call.account == null) {
      return List.of(account);
    }
    if (word == null && call.user == null && call.account != null) {
      Response.Share only = tree.account(call.account);
      if (only != null) {
        return List.of(only);
      }
      throw CommandException.error("there is no account '" + call.account + "' that you may see");
    }
    String user = Objects.requireNonNullElse(word, Objects.requireNonNullElse(call.user, self));
    List<Response.Share> found = tree.user(user, call.account);
    if (found.isEmpty()) {
      throw CommandException.error(
          "'"
              + user
              + "' has no share that you may see"
              + (call.account == null ? "" : " in account " + call.account)
              + "; sshare -a lists those that you do");
    }
    return found;
  }

  private static Predicate<UsageReport.OwnerUse> of(Response.Share place, ShareTree tree) {
    String user = place.association().user();
    if (user == null) {
      List<String> within = tree.within(place.association().account());
      return row -> within.contains(row.account());
    }
    String account = place.association().account();
    return row -> row.user().equals(user) && row.account().equals(account);
  }

  /** What the books have of each day and cluster that counts, the newest day first. */
  private static List<List<UsageReport>> uses(
      CommandContext context, Call call, ControllerConnection connection)
      throws CommandException, IOException {
    Response.Accounts known =
        Question.expected(
            Response.Accounts.class,
            connection.ask(new Request.ShowAccounts()),
            FairShareCommand::failure);
    List<List<UsageReport>> uses = new ArrayList<>();
    List<String> none = List.of();
    for (int i = 0; i < call.days; i++) {
      Instant from = begin(today(context).minusDays(i), context.clock().zone());
      Instant until = begin(today(context).minusDays(i - 1L), context.clock().zone());
      JobHistoryQuery jobs = RecordedRuns.query(List.of(), none, none, from, until, false);
      UsageQuery query = new UsageQuery(from, until, UsageQuery.Part.OWNERS, List.of("cpu"), jobs);
      List<UsageReport> day = new ArrayList<>();
      for (String cluster : ClusterChoice.every(known)) {
        day.add(
            Question.expected(
                    Response.Usage.class,
                    connection.ask(new Request.ShowUsage(query, cluster)),
                    RecordedRuns::failure)
                .report());
      }
      uses.add(day);
    }
    return uses;
  }

  private static Instant begin(LocalDate day, ZoneId zone) {
    return day.atStartOfDay(zone).toInstant();
  }

  private static DayUse day(
      LocalDate day,
      List<UsageReport> use,
      Predicate<UsageReport.OwnerUse> of,
      UsageDecay decay,
      Instant now,
      ZoneId zone) {
    Instant until = begin(day.plusDays(1), zone);
    long seconds =
        use.stream()
            .flatMap(one -> one.owners().stream())
            .filter(row -> row.tres().equals("cpu"))
            .filter(of)
            .mapToLong(UsageReport.OwnerUse::seconds)
            .sum();
    double weight = DayUse.weight(decay, begin(day, zone), until.isAfter(now) ? now : until, now);
    return new DayUse(day, seconds, weight);
  }
}
