package io.dure.twin.simulate;

import io.dure.twin.nodefailure.NodeFailureModel;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.report.TraceWindow;
import io.dure.twin.trace.SwfReadOptions.Cleaning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the arguments of {@code ./dure simulate}. Used once. */
final class SimulateOptionReader {
  static final String USAGE =
      """
      Usage: ./dure simulate --trace FILE [OPTION...]

      Replays a log of jobs through the scheduler on a virtual clock, and says what would have been.

        --trace FILE          a log in the Standard Workload Format, or a stream of sbatch argument lists
                              (-dt ... -e submit_batch_job | -sim-walltime ... ARGUMENTS), plain or gzip;
                              or a directory: the StateSaveLocation of a controller
        --conf FILE           the machine and its rules: a slurm.conf
        --procs N             the machine has N processors, of which jobs get any
        --nodes N             it has N nodes, and the log's processors are whole nodes; with --procs:
                              N nodes that have the processors among them
        --filter sc15         leave out what the numbers published at SC'15 leave out
        --window START:COUNT  replay COUNT jobs from START on (0 for the first), the machine empty before;
                              given again: each window alone, then their mean
        --accounts FILE       the accounts: a dump of sacctmgr, or a script of its commands
        --order WORD          fcfs (default), sjf, saf, f1, f4, wfp3; multifactor: by the weights of --conf,
                              with the accounts of --accounts, else those that the log names;
                              dure: by size as predicted, with a bound on the wait, in bands of accounts
        --backfill WORD       none, easy (default), sjbf, conservative; conf: as --conf says (default with it)
        --estimates WORD      limit (default): jobs are believed to run to their limits; actual: their
                              run times are known; predicted: what ran before tells (default with dure)
        --starvation-bound T  who waited longer comes before all others: 48h, 30m, 2d, 90s, none (default)
        --failures UP:REPAIR  nodes fail after UP on the mean and are repaired after REPAIR: 1000h:4h
        --seed N              of the failures (1)
        --forecast N          say of one job in N (1 for each) as it comes when it will start, and how far
                              that was off (forecast_error); jobs of SWF logs without a limit are left out
        --json                print a document instead of a table
        --html FILE           write a page with plots as well

      Several policies side by side: --order, --backfill, --estimates and --starvation-bound take lists
      (fcfs,sjf) and may be given again; each is combined with each.
      """;

  private static final Pattern TIME = Pattern.compile("([0-9]{1,9})([smhd]?)");
  private static final Pattern WINDOW = Pattern.compile("([0-9]{1,9}):([0-9]{1,9})");

  private final List<TraceWindow> windows = new ArrayList<>();
  private final List<QueueOrderPolicy> orders = new ArrayList<>();
  private final List<BackfillPolicy> backfills = new ArrayList<>();
  private final List<EstimateSource> estimates = new ArrayList<>();
  private final List<Optional<Duration>> bounds = new ArrayList<>();
  private Cleaning cleaning = Cleaning.IMPOSSIBLE;
  private @Nullable Path trace;
  private @Nullable Path conf;
  private @Nullable Path accounts;
  private @Nullable Path html;
  private @Nullable Integer nodes;
  private @Nullable Integer processors;
  private @Nullable String failures;
  private @Nullable Long seed;
  private @Nullable Integer forecast;
  private boolean json;

  /**
   * Reads all arguments; files are named from the directory on.
   *
   * @throws SimulateUsageException saying what is wrong
   */
  SimulateOptions read(List<String> arguments, Path directory) throws SimulateUsageException {
    int at = 0;
    while (at < arguments.size()) {
      String word = arguments.get(at++);
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      String option = equals < 0 ? word : word.substring(0, equals);
      if (option.equals("--json") && equals < 0) {
        json = true;
        continue;
      }
      if (!KNOWN.contains(option)) {
        throw new SimulateUsageException("there is no option " + option + " (see --help)");
      }
      if (equals < 0 && at == arguments.size()) {
        throw new SimulateUsageException("option " + option + " requires an argument");
      }
      set(option, equals < 0 ? arguments.get(at++) : word.substring(equals + 1), directory);
    }
    return options();
  }

  static final List<String> KNOWN =
      List.of(
          "--trace",
          "--conf",
          "--accounts",
          "--procs",
          "--nodes",
          "--filter",
          "--window",
          "--order",
          "--backfill",
          "--estimates",
          "--starvation-bound",
          "--failures",
          "--seed",
          "--html",
          "--forecast");

  private void set(String option, String value, Path directory) throws SimulateUsageException {
    switch (option) {
      case "--trace" -> trace = directory.resolve(value);
      case "--conf" -> conf = directory.resolve(value);
      case "--accounts" -> accounts = directory.resolve(value);
      case "--html" -> html = directory.resolve(value);
      case "--forecast" -> forecast = count(option, value);
      case "--procs" -> processors = count(option, value);
      case "--nodes" -> nodes = count(option, value);
      case "--filter" -> cleaning = cleaning(value);
      case "--window" -> windows.add(window(value));
      case "--order" -> addAll(orders, option, value, QueueOrderPolicy.values());
      case "--backfill" -> addAll(backfills, option, value, BackfillPolicy.values());
      case "--estimates" -> addAll(estimates, option, value, EstimateSource.values());
      case "--starvation-bound" -> addBounds(value);
      case "--failures" -> failures = value;
      default -> seed = seed(value);
    }
  }

  private SimulateOptions options() throws SimulateUsageException {
    Path log = trace;
    if (log == null) {
      throw new SimulateUsageException("name a log with --trace FILE (see --help)");
    }
    if (conf != null && (nodes != null || processors != null)) {
      throw new SimulateUsageException(
          "--conf says what the machine has: leave out --nodes and --procs");
    }
    if (seed != null && failures == null) {
      throw new SimulateUsageException("--seed is the seed of --failures: give both or none");
    }
    if (conf == null && accounts != null) {
      throw new SimulateUsageException(
          "--accounts: what they bind is said by a slurm.conf (--conf)");
    }
    if (orders.contains(QueueOrderPolicy.MULTIFACTOR)) {
      if (conf == null) {
        throw new SimulateUsageException(
            "--order multifactor: its weights are in a slurm.conf (--conf)");
      }
      if (bounds.stream().anyMatch(Optional::isPresent)) {
        throw new SimulateUsageException("--starvation-bound: with multifactor, age is a factor");
      }
    }
    if (orders.contains(QueueOrderPolicy.DURE) && bounds.stream().anyMatch(Optional::isPresent)) {
      throw new SimulateUsageException("--starvation-bound: dure has a bound of its own");
    }
    return new SimulateOptions(
        log,
        conf,
        accounts,
        cleaning == Cleaning.IMPOSSIBLE && forecast != null ? Cleaning.UNLIMITED : cleaning,
        List.copyOf(windows),
        List.copyOf(orders),
        List.copyOf(backfills),
        List.copyOf(estimates),
        List.copyOf(bounds),
        new SimulateOptions.Size(nodes, processors),
        failures == null ? null : failures(failures, seed == null ? 1 : seed),
        json,
        html,
        forecast);
  }

  private static Cleaning cleaning(String value) throws SimulateUsageException {
    if (!value.equals("sc15")) {
      throw new SimulateUsageException("--filter " + value + ": there is sc15 only");
    }
    return Cleaning.SC15;
  }

  private static int count(String option, String value) throws SimulateUsageException {
    if (!value.matches("[1-9][0-9]{0,6}")) {
      throw new SimulateUsageException(option + " " + value + ": give a number from 1 to 9999999");
    }
    return Integer.parseInt(value);
  }

  private static long seed(String value) throws SimulateUsageException {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new SimulateUsageException("--seed " + value + ": give a whole number");
    }
  }

  private static TraceWindow window(String value) throws SimulateUsageException {
    Matcher matcher = WINDOW.matcher(value);
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) == 0) {
      throw new SimulateUsageException(
          "--window " + value + ": give START:COUNT, such as 1981:1024, COUNT at least 1");
    }
    return new TraceWindow(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  private static <E extends Enum<E>> void addAll(
      List<E> chosen, String option, String value, E[] known) throws SimulateUsageException {
    for (String word : words(value)) {
      E found = Stream.of(known).filter(one -> word(one).equals(word)).findFirst().orElse(null);
      if (found == null) {
        List<String> all = Stream.of(known).map(SimulateOptionReader::word).toList();
        throw new SimulateUsageException(
            option + " " + word + ": there is " + String.join(", ", all) + " only");
      }
      if (!chosen.contains(found)) {
        chosen.add(found);
      }
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> words(String value) {
    return Pattern.compile(",").splitAsStream(value).toList();
  }

  private void addBounds(String value) throws SimulateUsageException {
    for (String word : words(value)) {
      Optional<Duration> bound =
          word.equals("none") ? Optional.empty() : Optional.of(time("--starvation-bound", word));
      if (!bounds.contains(bound)) {
        bounds.add(bound);
      }
    }
  }

  private static Duration time(String option, String word) throws SimulateUsageException {
    Matcher matcher = TIME.matcher(word);
    Duration time = Duration.ZERO;
    if (matcher.matches()) {
      long number = Long.parseLong(matcher.group(1));
      time =
          switch (matcher.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofSeconds(number);
          };
    }
    if (time.isZero() || time.toDays() > 36_500) {
      throw new SimulateUsageException(
          option + " " + word + ": give a time such as 48h, 30m, 2d or 90s, at most 36500d");
    }
    return time;
  }

  private static NodeFailureModel failures(String value, long seed) throws SimulateUsageException {
    int colon = value.indexOf(':');
    if (colon < 0) {
      throw new SimulateUsageException(
          "--failures " + value + ": give mean time to a failure and to its repair: 1000h:4h");
    }
    return new NodeFailureModel(
        time("--failures", value.substring(0, colon)),
        time("--failures", value.substring(colon + 1)),
        seed);
  }
}
