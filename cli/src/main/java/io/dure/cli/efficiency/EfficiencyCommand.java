package io.dure.cli.efficiency;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.cli.request.RecordedRuns;
import io.dure.model.command.JobSelector;
import io.dure.model.job.Job;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.JobReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Shows what jobs asked for against what they used, and what to ask for the next time. */
public final class EfficiencyCommand implements CliCommand {
  private static final Duration USUAL = Duration.ofDays(30);

  /** Each question has the controller plan twice. */
  private static final int MOST_TRIALS = 3;

  /** What is asked for. */
  private static final class Call {
    private @Nullable String user;
    private @Nullable String account;
    private @Nullable JobReference job;
    private @Nullable Instant from;
    private @Nullable Instant until;
    private boolean all;
    private boolean facts;
    private @Nullable DocumentFormat json;
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    Call call = read(context);
    JobReference job = call.job;
    if (job != null) {
      showJob(context, call, job);
    } else {
      showMany(context, call);
    }
    return 0;
  }

  private static Call read(CommandContext context) throws CommandException {
    Call call = new Call();
    CallOptions<EfficiencyOption> parser =
        context.options(EfficiencyCommand.class, EfficiencyOption.values());
    for (ParsedOption<EfficiencyOption> option = parser.next();
        option != null;
        option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case ACCOUNT -> call.account = value;
        case ALL -> call.all = true;
        case END_TIME -> call.until = time(context, value);
        case FACTS -> call.facts = true;
        case HELP, USAGE, VERSION -> {}
        case JSON -> call.json = DocumentFormat.json(value);
        case START_TIME -> call.from = time(context, value);
        case USER -> call.user = value;
      }
    }
    List<String> words = parser.operands();
    boolean named = call.user != null || call.account != null;
    if (words.size() + (named ? 1 : 0) > 1) {
      throw CommandException.error("one job, user or account is to be named (--help)");
    }
    if (!words.isEmpty()) {
      subject(context, call, words.getFirst());
    }
    return call;
  }

  private static Instant time(CommandContext context, String text) throws CommandException {
    return DateTimeParser.parse(text, context.clock(), DateTimeParser.PastOrFuture.PAST);
  }

  /** Numbers are jobs; a word is an account or a user, by the accounts that there are. */
  private static void subject(CommandContext context, Call call, String word)
      throws CommandException {
    if (Character.isDigit(word.isEmpty() ? ' ' : word.charAt(0))) {
      call.job = JobReference.parse(word);
      if (call.job == null || Objects.requireNonNull(call.job).step() != null) {
        throw CommandException.error(
            "'" + word + "' is no job; jobs are named as 12, 12_3 or 12+1, without a step");
      }
      return;
    }
    Response.Accounts accounts =
        Question.ask(
            context,
            text -> CommandException.error("cannot ask for the accounts: " + text),
            null,
            new Request.ShowAccounts(),
            Response.Accounts.class);
    boolean account =
        accounts.accounts().accounts().stream().anyMatch(one -> one.name().equals(word));
    boolean user = accounts.accounts().users().stream().anyMatch(one -> one.name().equals(word));
    if (account && user) {
      throw CommandException.error(
          "'" + word + "' is a user and an account: say --user=" + word + " or --account=" + word);
    }
    if (account) {
      call.account = word;
    } else {
      call.user = word;
    }
  }

  private static void showJob(CommandContext context, Call call, JobReference job)
      throws CommandException {
    List<RunUse> runs = new ArrayList<>();
    Instant now = context.clock().now();
    List<JobSelector> one = List.of(job.selector());
    JobHistoryQuery query = RecordedRuns.query(one, List.of(), List.of(), null, null, true);
    Response.JobHistory page =
        RecordedRuns.each(context, query, recorded -> runs.add(RunUse.of(recorded, now)));
    if (runs.isEmpty()) {
      throw CommandException.error(
          "no job " + job.text() + " is in the books, or it is another user's and private");
    }
    List<JobReport> reports = new ArrayList<>();
    Map<Integer, List<RunUse>> attempts = new TreeMap<>();
    runs.forEach(run -> attempts.computeIfAbsent(run.job().id(), _ -> new ArrayList<>()).add(run));
    int tried = -1;
    for (List<RunUse> of : attempts.values()) {
      RunUse last = of.getLast();
      tried = NextRequest.of(last).advice().isEmpty() ? tried : last.job().id();
    }
    for (List<RunUse> of : attempts.values()) {
      boolean asks = !call.facts && of.getLast().job().id() == tried;
      reports.add(JobReport.of(of, asks ? trial(context, of.getLast()) : null));
    }
    if (call.json != null) {
      EfficiencyJson.jobs(context.document(call.json), page.clusterName(), reports);
      return;
    }
    EfficiencyText text = new EfficiencyText(now);
    context.out().print(reports.size() == 1 ? text.job(reports.getFirst()) : text.jobs(reports));
  }

  /** When it would start now, as it was asked for and as it had better be; null for no question. */
  private static JobReport.@Nullable Trial trial(CommandContext context, RunUse run)
      throws CommandException {
    Job job = run.job();
    NextRequest next = NextRequest.of(run);
    if (next.advice().isEmpty()) {
      return null;
    }
    if (job.het() != null) {
      return JobReport.Trial.none("a component of a heterogeneous job is not tried alone");
    }
    String owner = job.owner().uid() == context.caller().uid() ? null : job.owner().userName();
    TwinAnswer asked = TwinAnswer.ask(context, NextRequest.again(run), job, owner);
    TwinAnswer better = TwinAnswer.ask(context, next.spec(), job, owner);
    return JobReport.Trial.of(asked, better);
  }

  private static void showMany(CommandContext context, Call call) throws CommandException {
    Instant now = context.clock().now();
    Instant from = call.from == null ? now.minus(USUAL) : call.from;
    if (call.until != null && !from.isBefore(call.until)) {
      throw CommandException.error("--starttime is not before --endtime");
    }
    String self = Integer.toUnsignedString(context.caller().uid());
    List<String> users =
        call.user != null ? List.of(call.user) : call.account == null ? List.of(self) : List.of();
    List<String> accounts = call.account == null ? List.of() : List.of(call.account);
    ManyReport report = new ManyReport(call.account, call.user, from, call.until);
    JobHistoryQuery query = RecordedRuns.query(List.of(), users, accounts, from, call.until, true);
    Response.JobHistory page =
        RecordedRuns.each(context, query, recorded -> report.add(RunUse.of(recorded, now)));
    List<Map.Entry<ManyReport.Work, UseTotals>> advised = report.advised();
    for (Map.Entry<ManyReport.Work, UseTotals> one :
        advised.subList(0, call.facts ? 0 : Math.min(MOST_TRIALS, advised.size()))) {
      RunUse example = one.getValue().example();
      JobReport.Trial trial = example == null ? null : trial(context, example);
      if (trial != null) {
        report.add(one.getKey(), trial);
      }
    }
    if (call.json != null) {
      EfficiencyJson.many(context.document(call.json), page.clusterName(), report);
      return;
    }
    context.out().print(new EfficiencyText(now).many(report, call.all, context.clock().zone()));
  }
}
