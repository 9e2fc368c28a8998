package io.dure.cli.sacct;

import io.dure.cli.command.CommandContext;
import io.dure.model.HostList;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.completion.CompletionListing;
import io.dure.surface.completion.CompletionRow;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.print.SizeUnits;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sacct.SacctFilter;
import io.dure.surface.sacct.SacctListing;
import io.dure.surface.sacct.SchedulingFlag;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.KeywordParser;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a call asks for. */
final class SacctCall {
  private final CommandContext context;
  private final List<JobReference> jobs = new ArrayList<>();
  private final List<String> users = new ArrayList<>();
  private final List<String> groups = new ArrayList<>();
  private final List<String> accounts = new ArrayList<>();
  private final List<String> partitions = new ArrayList<>();
  private final List<String> qos = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> wckeys = new ArrayList<>();
  private final List<String> states = new ArrayList<>();
  private final List<String> nodes = new ArrayList<>();
  private JobHistoryQuery.@Nullable Range cpus;
  private JobHistoryQuery.@Nullable Range nodeCount;
  private @Nullable Long leastMinutes;
  private @Nullable Long mostMinutes;
  private @Nullable Instant from;
  private @Nullable Instant until;
  private boolean everybody;
  private boolean duplicates;
  private @Nullable String delimiter;
  private @Nullable String format;
  private AccountingTable.Style style = AccountingTable.Style.COLUMNS;
  private boolean header = true;
  private @Nullable String clusters;
  private boolean allocations;
  private boolean truncates;
  private boolean plain;
  private @Nullable SizeUnits units;
  private boolean isBrief;
  private boolean isLong;
  private boolean hasFormat;
  private boolean completion;
  private @Nullable String file;
  private @Nullable StoredText storedText;
  private @Nullable DocumentFormat document;
  private @Nullable Boolean wholeHetJobs;
  private final List<SchedulingFlag> flags = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();
  private final List<String> constraints = new ArrayList<>();
  private boolean arrayTasks;
  private boolean expandsPatterns;

  SacctCall(CommandContext context) {
    this.context = context;
  }

  /** Takes an option. */
  void take(ParsedOption<SacctOption> option) throws CommandException {
    String value = Objects.requireNonNullElse(option.value(), "");
    switch (option.key()) {
      case ALL_USERS -> everybody = true;
      case ACCOUNTS -> accounts.addAll(KeywordParser.list(value));
      case BRIEF -> isBrief = true;
      case LONG -> isLong = true;
      case FORMAT -> {
        columns(value);
        hasFormat = true;
      }
      case DELIMITER -> delimiter = value;
      case DUPLICATES -> duplicates = true;
      case END_TIME -> until = time(value);
      case START_TIME -> from = time(value);
      case GROUP -> groups.addAll(KeywordParser.list(value));
      case NODE_COUNT -> nodeCount = range(value, "node");
      case CPU_COUNT -> cpus = range(value, "cpu");
      case JOBS -> jobs(value);
      case TIME_LIMIT_MIN -> leastMinutes = minutes(value);
      case TIME_LIMIT_MAX -> mostMinutes = minutes(value);
      case ALL_CLUSTERS -> clusters = "all";
      case LOCAL -> clusters = null;
      case FEDERATION, USE_LOCAL_UID, VERBOSE -> {}
      case HELP, USAGE, VERSION, HELP_FORMAT -> {}
      case CLUSTERS -> clusters = value;
      case NO_HEADER -> header = false;
      case NO_CONVERT -> plain = true;
      case NODES -> nodes.addAll(HostList.expand(value));
      case NAME -> names.addAll(KeywordParser.list(value));
      case PARSABLE -> style = AccountingTable.Style.BARS_AND_END;
      case PARSABLE2 -> style = AccountingTable.Style.BARS;
      case QOS -> qos.addAll(KeywordParser.list(value));
      case PARTITION -> partitions.addAll(KeywordParser.list(value));
      case STATE -> states(value);
      case TRUNCATE -> truncates = true;
      case USER -> users.addAll(KeywordParser.list(value));
      case WCKEYS -> wckeys.addAll(KeywordParser.list(value));
      case ALLOCATIONS -> allocations = true;
      case BATCH_SCRIPT -> stored(StoredText.SCRIPT);
      case ENV_VARS -> stored(StoredText.ENVIRONMENT);
      case JSON -> document = DocumentFormat.json(value);
      case YAML -> document = DocumentFormat.yaml(value);
      case UNITS -> units = unit(value);
      case WHOLE_HET_JOB -> wholeHetJobs = whole(value);
      case COMPLETION -> completion = true;
      case FILE -> file(value);
      case ARRAY -> arrayTasks = true;
      case EXPAND_PATTERNS -> expandsPatterns = true;
      case FLAGS -> flags(value);
      case REASON -> reasons.addAll(KeywordParser.list(value));
      case CONSTRAINTS -> constraints.addAll(KeywordParser.list(value));
      case ASSOCIATIONS -> throw CommandException.notSupported("--associations");
    }
  }

  private void columns(String more) {
    format = format == null ? more : format + "," + more;
  }

  private void stored(StoredText text) throws CommandException {
    if (storedText != null && storedText != text) {
      throw CommandException.fatal("Options --batch-script and --env-vars are mutually exclusive");
    }
    storedText = text;
  }

  private void flags(String list) throws CommandException {
    for (String word : KeywordParser.list(list)) {
      SchedulingFlag flag = SchedulingFlag.find(word);
      if (flag == null) {
        throw CommandException.fatal(
            "unrecognized job flag '" + word + "'. Valid flags: " + SchedulingFlag.words());
      }
      flags.add(flag);
    }
  }

  private static SizeUnits unit(String text) throws CommandException {
    char letter = text.isEmpty() ? ' ' : Character.toUpperCase(text.charAt(0));
    if (SizeUnits.LETTERS.indexOf(letter) < 0) {
      throw CommandException.error(
              "Invalid unit type '" + text + "'. Possible options are '" + SizeUnits.LETTERS + "'")
          .and(StderrMessage.fatal("Invalid unit type"));
    }
    return new SizeUnits(false, letter);
  }

  private static boolean whole(String text) throws CommandException {
    return switch (text) {
      case "", "yes" -> true;
      case "no" -> false;
      default ->
          throw CommandException.error(
              "Invalid --whole-hetjob value \"" + text + "\". Valid values: [yes|no].");
    };
  }

  private void file(String name) throws CommandException {
    if (!context.caller().hasFile(context.directory().resolve(name))) {
      throw CommandException.plain(name + " is not a valid file");
    }
    file = name;
  }

  /** Refuses what does not go together, and what the cluster does not have. */
  void check() throws CommandException {
    if (isLong && hasFormat) {
      throw CommandException.fatal(
          "Options -o(--format) and -l(--long) are mutually exclusive. Please remove one and"
              + " retry.");
    }
    if (isBrief) {
      columns(completion ? CompletionListing.BRIEF : SacctListing.BRIEF);
    }
    if (isLong) {
      columns(SacctListing.LONG);
    }
    if (storedText != null && jobs.isEmpty()) {
      throw CommandException.fatal(
          "When requesting job "
              + storedText.word()
              + " you must also request specific jobs with the '-j' option.");
    }
  }

  private Instant time(String text) throws CommandException {
    return DateTimeParser.parse(text, context.clock(), DateTimeParser.PastOrFuture.PAST);
  }

  private static long minutes(String text) throws CommandException {
    long minutes = DigitParser.parse(text, Integer.MAX_VALUE);
    if (minutes < 0) {
      throw CommandException.fatal("Invalid time limit specification");
    }
    return minutes;
  }

  private static JobHistoryQuery.Range range(String text, String what) throws CommandException {
    int dash = text.indexOf('-');
    long least = DigitParser.parse(dash < 0 ? text : text.substring(0, dash), Integer.MAX_VALUE);
    long most = dash < 0 ? least : DigitParser.parse(text.substring(dash + 1), Integer.MAX_VALUE);
    if (least < 0 || most < 0) {
      String wrong = least < 0 ? text : text.substring(dash + 1);
      throw CommandException.error(
          "Invalid numeric value \"" + wrong + "\" for requested " + what + " range.");
    }
    return new JobHistoryQuery.Range(least, most);
  }

  private void jobs(String list) throws CommandException {
    for (String word : KeywordParser.list(list)) {
      JobReference job = JobReference.parse(word);
      if (job == null) {
        throw CommandException.fatal("Bad job/step specified: " + word);
      }
      jobs.add(job);
    }
  }

  private void states(String list) throws CommandException {
    for (String word : KeywordParser.list(list)) {
      SlurmJobState state = SlurmJobState.find(word);
      if (state == null) {
        throw CommandException.fatal("unrecognized job state value '" + word + "'");
      }
      states.add(state.name());
    }
  }

  boolean steps() {
    return !allocations;
  }

  AccountingTable table() {
    return new AccountingTable(style, header, delimiter == null ? "|" : delimiter);
  }

  String format() {
    String asked = format == null ? context.environment().get("SACCT_FORMAT") : format;
    return asked == null || asked.isEmpty() ? usual() : asked;
  }

  private String usual() {
    return completion ? CompletionListing.USUAL : SacctListing.USUAL;
  }

  /** Whether the records of JobCompType are asked for. */
  boolean completion() {
    return completion;
  }

  /** The file of {@code -f}, null for none. */
  @Nullable String file() {
    return file;
  }

  /** Which of the records of JobCompType are asked for. */
  Predicate<CompletionRow> completions(String self, boolean root) {
    List<String> owners =
        users.isEmpty() && !everybody && !root && jobs.isEmpty() ? List.of(self) : users;
    return row ->
        (jobs.isEmpty()
                || jobs.stream().anyMatch(one -> Integer.toString(one.jobId()).equals(row.jobId())))
            && (owners.isEmpty()
                || owners.contains("-1")
                || owners.contains(row.uid())
                || owners.contains(row.user()))
            && (partitions.isEmpty() || partitions.contains(row.partition()))
            && (names.isEmpty() || names.contains(row.name()))
            && (states.isEmpty() || states.contains(row.state()));
  }

  @Nullable String clusters() {
    return clusters;
  }

  /** What of the answer is listed. */
  SacctFilter filter() {
    return new SacctFilter(flags, reasons, constraints, arrayTasks);
  }

  boolean expandsPatterns() {
    return expandsPatterns;
  }

  boolean truncates() {
    return truncates;
  }

  /** In which units sizes stand; a unit that is named counts before {@code --noconvert}. */
  SizeUnits units() {
    return units != null ? units : plain ? SizeUnits.PLAIN : SizeUnits.EXACT;
  }

  /** The stored text that is asked for in place of a table, null for none. */
  @Nullable StoredText storedText() {
    return storedText;
  }

  /** The form of the document that is asked for in place of a table, null for none. */
  @Nullable DocumentFormat document() {
    return document;
  }

  /**
   * Whether the row of a job, or of its step of that name, is listed: of a job or its step alone.
   */
  SacctListing.RowFilter rows(JobHistoryQuery query) {
    return (job, step) ->
        jobs.isEmpty()
            || jobs.stream()
                .anyMatch(one ->
                    (one.step() == null || one.step().equals(step))
                        && query.names(one.selector(), job));
  }

  /** The time that the answer is about. */
  Instant begin() {
    Instant given = from;
    if (given != null) {
      return given;
    }
    if (!jobs.isEmpty()) {
      return Instant.EPOCH;
    }
    Instant now = context.clock().now();
    return states.isEmpty()
        ? now.atZone(context.clock().zone()).with(LocalTime.MIDNIGHT).toInstant()
        : now;
  }

  @Nullable Instant end() {
    Instant given = until;
    return given != null ? given : states.isEmpty() || !jobs.isEmpty() ? null : begin();
  }

  JobHistoryQuery query(String self, boolean root) throws CommandException {
    Instant begin = begin();
    Instant end = end();
    if (end != null && end.isBefore(begin)) {
      TimestampFormat times =
          TimestampFormat.of(context.environment(), begin, context.clock().zone());
      throw CommandException.error(
          "Start time ("
              + times.formatOr(begin, "")
              + ") requested is after end time ("
              + times.formatOr(end, "")
              + ").");
    }
    List<String> owners = users;
    if (owners.isEmpty() && !everybody && !root && jobs.isEmpty()) {
      owners = List.of(self);
    }
    return new JobHistoryQuery(
        jobs.stream().map(JobReference::selector).toList(),
        owners.contains("-1") ? List.of() : owners,
        groups,
        accounts,
        partitions,
        qos,
        names,
        wckeys,
        states,
        nodes,
        begin,
        end,
        cpus,
        nodeCount,
        leastMinutes == null
            ? null
            : new JobHistoryQuery.Range(
                leastMinutes, Objects.requireNonNullElse(mostMinutes, leastMinutes)),
        steps(),
        duplicates,
        null,
        wholeHetJobs,
        storedText == null ? null : storedText.kind());
  }
}
