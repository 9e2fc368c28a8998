package io.dure.surface.squeue;

import io.dure.protocol.JobCriteria;
import io.dure.surface.facts.JobIdFormat;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.TimeLimitParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Reads a call of the queue listing from its environment and its options. For one call. */
public final class QueueQueryReader {

  private static final String START_FORMAT = "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";
  private static final String SHORT_FORMAT = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
  private static final String LONG_FORMAT = "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
  private static final String STATE_FORMAT = "%.18i %.2t";
  private static final String STEP_FORMAT = "%.15i %.8j %.9P %.8u %.9M %N";

  private final IntSupplier self;
  private final Map<String, String> environment;
  private List<String> unread = List.of();
  private @Nullable List<JobIdFilter> picks;
  private @Nullable Integer notOwner;
  private @Nullable Duration over;
  private @Nullable Duration under;
  private JobCriteria criteria = JobCriteria.ALL;
  private @Nullable Set<SlurmJobState> states = EnumSet.copyOf(QueueQuery.USUAL_STATES);
  private boolean statesGiven;
  private @Nullable List<String> clusters;
  private boolean hidden;
  private boolean perTask;
  private boolean perPartition;
  private boolean jobsAsked;
  private boolean steps;
  private List<JobReference> stepPicks = List.of();
  private boolean header = true;
  private boolean longReport;
  private boolean start;
  private boolean stateOnly;
  private @Nullable DocumentFormat document;
  private boolean plainUnits;
  private boolean expandPatterns;
  private @Nullable Integer everySeconds;
  private @Nullable String letters;
  private @Nullable String formatNames;
  private @Nullable String sort;

  /**
   * A reader of one call.
   *
   * @param self the caller's user number, looked up only where the call asks for it
   */
  public QueueQueryReader(Map<String, String> environment, IntSupplier self) {
    this.self = self;
    this.environment = environment;
  }

  /** The query of these options and the words that are none. */
  public QueueQuery read(List<ParsedOption<SqueueOption>> options, List<String> operands)
      throws CommandException {
    readEnvironment();
    boolean formatGiven = false;
    for (ParsedOption<SqueueOption> option : options) {
      String value = option.value() == null ? "" : option.value();
      switch (option.key()) {
        case FORMAT, FORMAT_NAMES -> {
          boolean byLetters = option.key() == SqueueOption.FORMAT;
          letters = byLetters ? value : formatGiven ? letters : null;
          formatNames = byLetters ? (formatGiven ? formatNames : null) : value;
          formatGiven = true;
        }
        default -> filterOption(option.key(), value);
      }
    }
    readOperands(operands);
    return query();
  }

  private void readEnvironment() throws CommandException {
    variable("SQUEUE_ACCOUNT", SqueueOption.ACCOUNT);
    variable("SQUEUE_ALL", SqueueOption.ALL);
    variable("SQUEUE_ARRAY", SqueueOption.ARRAY);
    variable("SQUEUE_ARRAY_UNIQUE", SqueueOption.ARRAY_UNIQUE);
    variable("SQUEUE_LICENSES", SqueueOption.LICENSES);
    variable("SQUEUE_NAMES", SqueueOption.NAME);
    variable("SQUEUE_PARTITION", SqueueOption.PARTITION);
    variable("SQUEUE_PRIORITY", SqueueOption.PRIORITY);
    variable("SQUEUE_QOS", SqueueOption.QOS);
    variable("SQUEUE_SORT", SqueueOption.SORT);
    variable("SQUEUE_STATES", SqueueOption.STATES);
    variable("SQUEUE_USERS", SqueueOption.USER);
    variable("SLURM_CLUSTERS", SqueueOption.CLUSTERS);
    letters = environment.get("SQUEUE_FORMAT");
    formatNames = letters == null ? environment.get("SQUEUE_FORMAT2") : null;
  }

  private void variable(String name, SqueueOption option) throws CommandException {
    String value = environment.get(name);
    if (value != null) {
      filterOption(option, value);
    }
  }

  private void filterOption(SqueueOption option, String value) throws CommandException {
    switch (option) {
      case ACCOUNT -> criteria = criteria.withAccounts(KeywordParser.list(value));
      case CLUSTERS -> clusters = KeywordParser.list(value);
      case JOBS -> {
        jobsAsked = true;
        if (!value.isEmpty()) {
          picks = JobIdFilter.parse(value);
        }
      }
      case LICENSES -> criteria = criteria.withLicenses(KeywordParser.list(value));
      case RESERVATION -> criteria = criteria.withReservations(KeywordParser.list(value));
      case ME -> criteria = criteria.withUsers(List.of(Integer.toUnsignedString(self.getAsInt())));
      case NOTME -> notOwner = self.getAsInt();
      case NAME -> criteria = criteria.withNames(KeywordParser.list(value));
      case NODELIST -> criteria = criteria.withNodes(KeywordParser.nodes(value));
      case PARTITION -> criteria = criteria.withPartitions(KeywordParser.list(value));
      case QOS -> criteria = criteria.withQos(KeywordParser.list(value));
      case RUNNING_OVER -> over = duration("--running-over", value);
      case RUNNING_UNDER -> under = duration("--running-under", value);
      case STATES -> {
        states = states(value);
        statesGiven = true;
      }
      case STEPS -> {
        steps = true;
        if (!value.isEmpty()) {
          pickSteps(value);
        }
      }
      case USER -> criteria = criteria.withUsers(KeywordParser.list(value));
      default -> viewOption(option, value);
    }
  }

  private void viewOption(SqueueOption option, String value) throws CommandException {
    switch (option) {
      case ALL -> hidden = true;
      case ARRAY, ARRAY_UNIQUE -> perTask = true;
      case EXPAND_PATTERNS -> expandPatterns = true;
      case HIDE -> hidden = false;
      case ITERATE -> everySeconds = seconds(value);
      case JSON -> document = DocumentFormat.json(value);
      case LONG -> longReport = true;
      case NOCONVERT -> plainUnits = true;
      case NOHEADER -> header = false;
      case ONLY_JOB_STATE -> stateOnly = true;
      case PRIORITY -> perPartition = true;
      case SORT -> sort = value;
      case START -> start = true;
      case YAML -> document = DocumentFormat.yaml(value);
      default -> {
        // There is one cluster and nothing more to say: --federation, --local, --sibling, -v.
      }
    }
  }

  private void readOperands(List<String> operands) throws CommandException {
    int next = 0;
    if (!operands.isEmpty() && picks == null) {
      if (jobsAsked) {
        picks = JobIdFilter.parse(operands.get(next++));
      } else if (steps) {
        pickSteps(operands.get(next++));
      }
    }
    unread = operands.subList(next, operands.size());
  }

  /** The words of which the call makes no sense. */
  public List<String> unread() {
    return unread;
  }

  private QueueQuery query() {
    boolean formatted = letters != null || formatNames != null;
    if (start && !statesGiven) {
      states = EnumSet.of(SlurmJobState.PENDING);
    }
    if (steps) {
      // A step is there as long as its job runs.
      states = EnumSet.of(SlurmJobState.RUNNING);
    }
    if (!formatted) {
      letters =
          steps
              ? STEP_FORMAT
              : start
                  ? START_FORMAT
                  : longReport ? LONG_FORMAT : stateOnly ? STATE_FORMAT : SHORT_FORMAT;
    }
    if (sort == null) {
      sort = steps ? "P,A" : start ? "S" : "P,t,-p";
    }
    List<String> stateNames = states == null ? null : states.stream().map(Enum::name).toList();
    List<String> users = criteria.users();
    boolean date = header && (longReport || everySeconds != null);
    return new QueueQuery(
        new SqueueFilter(
            picks,
            new JobMatcher(criteria.withStates(stateNames)),
            hidden,
            new SqueueFilter.Further(notOwner, over, under)),
        users != null && users.size() == 1 && !isNumber(users.get(0)) ? users.get(0) : null,
        new QueueQuery.Rows(perTask, perPartition, sort),
        new QueueQuery.View(
            steps ? QueueQuery.Kind.STEPS : QueueQuery.Kind.TABLE,
            header,
            date,
            letters,
            formatNames,
            document,
            stepPicks),
        new QueueQuery.Style(
            plainUnits, expandPatterns, JobIdFormat.of(environment).taskListLimit()),
        everySeconds,
        clusters);
  }

  private static int seconds(String text) throws CommandException {
    if (!isNumber(text) || text.length() > 9 || Integer.parseInt(text) == 0) {
      throw CommandException.error("--iterate=" + text + "\n");
    }
    return Integer.parseInt(text);
  }

  private static Duration duration(String option, String text) throws CommandException {
    Duration time = TimeLimitParser.parseDuration(text);
    if (time == null) {
      throw CommandException.error("Invalid " + option + " specification");
    }
    return time;
  }

  static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isDigit(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** {@code 12.0,13} names a step of job 12 and all of job 13. */
  private void pickSteps(String text) throws CommandException {
    List<String> jobs = new ArrayList<>();
    List<JobReference> named = new ArrayList<>();
    for (String word : KeywordParser.list(text)) {
      int dot = word.indexOf('.');
      jobs.add(dot < 0 ? word : word.substring(0, dot));
      JobReference reference = JobReference.parse(word);
      if (reference != null) {
        named.add(reference);
      }
    }
    picks = JobIdFilter.parse(String.join(",", jobs));
    stepPicks = List.copyOf(named);
  }

  private static @Nullable Set<SlurmJobState> states(String text) throws CommandException {
    Set<SlurmJobState> found = EnumSet.noneOf(SlurmJobState.class);
    for (String word : KeywordParser.list(text)) {
      if (word.equalsIgnoreCase("all")) {
        return null;
      }
      SlurmJobState status = SlurmJobState.find(word);
      if (status == null) {
        StringBuilder all = new StringBuilder("Valid job states include: ");
        for (SlurmJobState each : SlurmJobState.values()) {
          all.append(each == SlurmJobState.PENDING ? "" : ",").append(each.name());
        }
        throw CommandException.error("Invalid job state specified: " + word)
            .and(StderrMessage.error(all.append('\n').toString()));
      }
      found.add(status);
    }
    return found;
  }
}
