package io.dure.cli.sprio;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.model.accounting.PrioritySettings;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.PrioritiesJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.print.TableColumn;
import io.dure.surface.print.TableFormat;
import io.dure.surface.print.TablePrinter;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.KeywordParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lists what the priority of waiting jobs is made of. */
public final class Sprio implements CliCommand {
  private static final String LONG =
      "%.15i %9r %.8u %.8o %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10n %.10Q %.11N %.20T";

  private static final List<PriorityColumn> COLUMNS = List.of(PriorityColumn.values());

  /** Text before the first column, or a column and the text behind it. */
  private static final Pattern PART = Pattern.compile("^[^%]+|%\\.?\\d*([^%\\d.])?[^%]*");

  /** What is asked for. */
  private static final class Call {
    private final List<Integer> jobs = new ArrayList<>();
    private final List<String> users = new ArrayList<>();
    private final List<String> partitions = new ArrayList<>();
    private @Nullable String clusters;
    private @Nullable String format;
    private @Nullable String sort;
    private @Nullable DocumentFormat document;
    private boolean whole;
    private boolean norm;
    private boolean weights;
    private boolean header = true;

    boolean takes(Response.JobPriority job) {
      return (jobs.isEmpty() || jobs.contains(job.jobId()))
          && (users.isEmpty() || users.contains(job.userName()))
          && (partitions.isEmpty() || partitions.contains(job.partition()));
    }
  }

  @Override
  public int execute(CommandContext context) throws CommandException {
    Call call = new Call();
    read(context, call);
    context.out().print(listing(context, call));
    return 0;
  }

  private static void read(CommandContext context, Call call) throws CommandException {
    CallOptions<SprioOption> parser = context.options(Sprio.class, SprioOption.values());
    for (ParsedOption<SprioOption> option = parser.next(); option != null; option = parser.next()) {
      String value = Objects.requireNonNullElse(option.value(), "");
      switch (option.key()) {
        case HELP, USAGE, VERSION -> {}
        case JOBS -> jobs(value, call);
        case USERS -> call.users.addAll(KeywordParser.list(value));
        case PARTITION -> call.partitions.addAll(KeywordParser.list(value));
        case CLUSTERS -> call.clusters = value;
        case FORMAT -> call.format = value;
        case SORT -> call.sort = value;
        case LONG -> call.whole = true;
        case NORM -> call.norm = true;
        case WEIGHTS -> call.weights = true;
        case NO_HEADER -> call.header = false;
        case JSON -> call.document = DocumentFormat.json(value);
        case YAML -> call.document = DocumentFormat.yaml(value);
        case FEDERATION, LOCAL, SIBLING, VERBOSE -> {}
      }
    }
    for (String operand : parser.operands()) {
      jobs(operand, call);
    }
  }

  private static void jobs(String list, Call call) throws CommandException {
    for (String word : KeywordParser.list(list)) {
      long id = DigitParser.parse(word, Integer.MAX_VALUE);
      if (id <= 0) {
        throw CommandException.error("Invalid job id: " + word);
      }
      call.jobs.add((int) id);
    }
  }

  private static String listing(CommandContext context, Call call) throws CommandException {
    Response.Priorities found = priorities(context, call);
    if (!found.multifactor()) {
      throw CommandException.plain(
          "You are not running a supported priority plugin",
          "(priority/basic).",
          "Only 'priority/multifactor' is supported.");
    }
    PrioritySettings.Weights weights = found.settings().weights();
    TableFormat<PriorityColumn> format =
        format(context, Objects.requireNonNullElse(call.format, usual(call, weights)));
    TablePrinter<PriorityColumn, Response.JobPriority> table =
        new TablePrinter<>(format, (column, job) -> column.value(job, weights, ""));
    StringBuilder out = new StringBuilder();
    List<Response.JobPriority> rows = found.rows().stream().filter(call::takes).toList();
    if (call.document != null) {
      JsonTarget target = context.document(call.document);
      PrioritiesJson.print(target, "", weights, sorted(rows, call.sort));
      return "";
    }
    reportUnknownUsers(context, call, rows);
    if (rows.isEmpty() && !call.jobs.isEmpty() && !call.weights) {
      return "Unable to find jobs matching user/id(s) specified\n";
    }
    if (call.header) {
      table.header(out);
    }
    if (call.weights) {
      new TablePrinter<>(format, PriorityColumn::weight).row(out, weights);
      return out.toString();
    }
    table.rows(out, sorted(rows, call.sort));
    return out.toString();
  }

  /** Factors without weight are left out. */
  private static String usual(Call call, PrioritySettings.Weights weights) {
    if (call.whole) {
      return LONG;
    }
    StringBuilder out = new StringBuilder("%.15i %9r");
    out.append(call.users.isEmpty() ? "" : " %.8u").append(call.norm ? " %10y" : " %.10Y %.10S");
    String shape = call.norm ? " %10" : " %.10";
    long[] all = {
      weights.age(),
      weights.assoc(),
      weights.fairShare(),
      weights.jobSize(),
      weights.partition(),
      weights.qos()
    };
    String letters = call.norm ? "abfjpq" : "ABFJPQ";
    for (int i = 0; i < all.length; i++) {
      if (all[i] > 0) {
        out.append(shape).append(letters.charAt(i));
      }
    }
    if (!weights.tres().isEmpty()) {
      out.append(call.norm ? " %20t" : " %.20T");
    }
    return out.toString();
  }

  /** What is no column is said and left out with what stands behind it, as Slurm does. */
  private static TableFormat<PriorityColumn> format(CommandContext context, String text) {
    StringBuilder known = new StringBuilder();
    Matcher parts = PART.matcher(text);
    while (parts.find()) {
      String letter = parts.group(1);
      if (parts.group().charAt(0) != '%'
          || (letter != null && TableColumn.byLetter(letter.charAt(0), COLUMNS) != null)) {
        known.append(parts.group());
      } else if (letter != null) {
        context.report(StderrMessage.error("Invalid job format specification: " + letter));
      }
    }
    return TableFormat.ofLettersOnly(known.toString(), COLUMNS);
  }

  /** A name without jobs may be a slip; one with jobs is known. */
  private static void reportUnknownUsers(
      CommandContext context, Call call, List<Response.JobPriority> rows) {
    for (String user : call.users) {
      boolean seen = rows.stream().anyMatch(row -> row.userName().equals(user));
      if (!seen && !context.caller().knowsUser(user)) {
        context.report(StderrMessage.error("Invalid user: " + user + "\n"));
      }
    }
  }

  /** By the keys; what is none does not matter where nothing is sorted, as in Slurm. */
  private static List<Response.JobPriority> sorted(
      List<Response.JobPriority> rows, @Nullable String sort) throws CommandException {
    Comparator<Response.JobPriority> order = Comparator.comparingInt(r -> r.jobId());
    List<Response.JobPriority> sorted = new ArrayList<>(rows);
    sorted.sort(order);
    List<String> keys = KeywordParser.list(Objects.requireNonNullElse(sort, ""));
    for (String key : keys.reversed()) {
      boolean falling = key.startsWith("-");
      String name = falling || key.startsWith("+") ? key.substring(1) : key;
      char letter = name.length() == 1 ? name.charAt(0) : TableColumn.NO_LETTER;
      PriorityColumn column = TableColumn.byLetter(letter, COLUMNS);
      if (column == null && rows.isEmpty()) {
        continue;
      }
      if (column == null) {
        throw CommandException.error("Invalid sort specification: " + key);
      }
      Comparator<Response.JobPriority> by = Sprio.by(column);
      sorted.sort(falling ? by.reversed() : by);
    }
    return sorted;
  }

  private static Comparator<Response.JobPriority> by(PriorityColumn column) {
    return switch (column) {
      case JOB -> Comparator.comparingInt(r -> r.jobId());
      case USER -> Comparator.comparing(r -> r.userName());
      case ACCOUNT -> Comparator.comparing(r -> r.account());
      case QOS_NAME -> Comparator.comparing(r -> r.qosName());
      case PARTITION_NAME -> Comparator.comparing(r -> r.partition());
      case CLUSTER, TRES, TRES_NORM -> Comparator.comparingInt(_ -> 0);
      case AGE, AGE_NORM -> Comparator.comparingDouble(r -> r.factors().age());
      case ASSOC, ASSOC_NORM -> Comparator.comparingDouble(r -> r.factors().assoc());
      case FAIR_SHARE, FAIR_SHARE_NORM -> Comparator.comparingDouble(r -> r.factors().fairShare());
      case SIZE, SIZE_NORM -> Comparator.comparingDouble(r -> r.factors().jobSize());
      case PARTITION, PARTITION_NORM -> Comparator.comparingDouble(r -> r.factors().partition());
      case QOS, QOS_NORM -> Comparator.comparingDouble(r -> r.factors().qos());
      case SITE -> Comparator.comparingLong(r -> r.factors().site());
      case NICE -> Comparator.comparingLong(r -> r.factors().nice());
      case PRIORITY, PRIORITY_NORM -> Comparator.comparingLong(r -> r.factors().priority());
    };
  }

  private static Response.Priorities priorities(CommandContext context, Call call)
      throws CommandException {
    return Question.ask(
        context,
        text -> CommandException.error("Couldn't get priority factors from controller: " + text),
        call.clusters,
        new Request.ShowPriorities(),
        Response.Priorities.class);
  }
}
