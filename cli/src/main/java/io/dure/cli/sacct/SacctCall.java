package io.dure.cli.sacct;

import io.dure.cli.command.CommandContext;
import io.dure.model.HostList;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.sacct.SacctListing;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.KeywordParser;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  SacctCall(CommandContext context) {
    this.context = context;
  }

  /** Takes an option. */
  void take(ParsedOption<SacctOption> option) throws CommandException {
    String value = Objects.requireNonNullElse(option.value(), "");
    switch (option.key()) {
      case ALL_USERS -> everybody = true;
      case ACCOUNTS -> accounts.addAll(KeywordParser.list(value));
      case BRIEF -> format = SacctListing.BRIEF;
      case LONG -> format = SacctListing.LONG;
      case FORMAT -> format = format == null ? value : format + "," + value;
      case DELIMITER -> delimiter = value;
      case DUPLICATES -> duplicates = true;
      case END_TIME -> until = time(value);
      case START_TIME -> from = time(value);
      case GROUP -> groups.addAll(KeywordParser.list(value));
      case NODE_COUNT -> nodeCount = range(value, "node count");
      case CPU_COUNT -> cpus = range(value, "cpu count");
      case JOBS -> jobs(value);
      case TIME_LIMIT_MIN -> leastMinutes = minutes(value);
      case TIME_LIMIT_MAX -> mostMinutes = minutes(value);
      case ALL_CLUSTERS, LOCAL, FEDERATION, VERBOSE, HELP, USAGE, VERSION, HELP_FORMAT -> {}
      case CLUSTERS -> clusters = value.equals("all") ? null : value;
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
      case BATCH_SCRIPT, ENV_VARS, JSON, YAML, COMPLETION, FILE, UNITS -> {
        String form = option.key().form();
        String name = form.substring(form.indexOf("--"));
        throw CommandException.error(name.replaceAll("[=?]", "") + " is not supported yet");
      }
    }
  }

  private Instant time(String text) throws CommandException {
    return DateTimeParser.parse(text, context.clock(), DateTimeParser.PastOrFuture.PAST);
  }

  private static long minutes(String text) throws CommandException {
    long minutes = DigitParser.parse(text, Integer.MAX_VALUE);
    if (minutes < 0) {
      throw CommandException.error("invalid time limit: " + text);
    }
    return minutes;
  }

  private static JobHistoryQuery.Range range(String text, String what) throws CommandException {
    int dash = text.indexOf('-');
    long least = DigitParser.parse(dash < 0 ? text : text.substring(0, dash), Integer.MAX_VALUE);
    long most = dash < 0 ? least : DigitParser.parse(text.substring(dash + 1), Integer.MAX_VALUE);
    if (least < 0 || most < least) {
      throw CommandException.error("Invalid " + what + " specification: " + text);
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
    return asked == null || asked.isEmpty() ? SacctListing.USUAL : asked;
  }

  @Nullable String clusters() {
    return clusters;
  }

  boolean truncates() {
    return truncates;
  }

  boolean plain() {
    return plain;
  }

  /**
   * Whether the row of a job, or of its step of that name, is listed: of a job or its step alone.
   */
  boolean lists(Job job, @Nullable String step) {
    return jobs.isEmpty()
        || jobs.stream()
            .anyMatch(one ->
                (one.step() == null || one.step().equals(step))
                    && (job.id() == one.jobId() || job.baseId() == one.jobId())
                    && one.names(job.het())
                    && (one.tasks() == null
                        || !(job.array() instanceof ArrayPart.Task task)
                        || one.names(task.index())));
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
      throw CommandException.plain(
          "Start time (" + begin + ") requested is after end time (" + end + ").");
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
        null);
  }
}
