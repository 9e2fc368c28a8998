package io.dure.surface.sreport;

import io.dure.model.HostList;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.command.JobSelector;
import io.dure.protocol.DureVersion;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.LineTokenizer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the report that a line of words asks for. */
public final class SreportInterpreter {
  private static final String LINE = "-".repeat(80) + "\n";

  /** How many lines {@link #head} prints. */
  static final int TITLE_LINES = 4;

  private static final List<String> TYPES = List.of("cluster", "job", "reservation", "user");
  private static final List<String> CLUSTER =
      List.of(
          "AccountUtilizationByUser",
          "UserUtilizationByAccount",
          "UserUtilizationByWckey",
          "Utilization",
          "WCKeyUtilizationByUser");
  private static final List<String> JOB =
      List.of("SizesByAccount", "SizesByAccountAndWckey", "SizesByWckey");
  private static final List<String> RESERVATION = List.of("Utilization");
  private static final List<String> USER = List.of("TopUsage");

  private final ReportPort port;
  private ReportSettings settings;
  private List<String> last = List.of();
  private boolean ended;
  private int exitCode;

  /** Makes reports that look so. */
  public SreportInterpreter(ReportPort port, ReportSettings settings) {
    this.port = port;
    this.settings = settings;
  }

  /** The text of {@code --help}. */
  public static String help() {
    return HelpText.of(SreportInterpreter.class, "help.txt");
  }

  /** 1 if something went wrong. */
  public int exitCode() {
    return exitCode;
  }

  /** Reads lines until one says that it is enough. */
  public void prompt() throws CommandException {
    try {
      while (!ended) {
        port.print("sreport: ");
        String line = port.nextLine();
        if (line == null) {
          port.print("\n");
          return;
        }
        List<String> words = LineTokenizer.of(line);
        run(words.equals(List.of("!!")) ? last : words);
      }
    } catch (IOException e) {
      throw CommandException.error("Could not read standard input: " + e.getMessage());
    }
  }

  /** Does what the words say; what goes wrong is told to the user. */
  public void run(List<String> words) {
    if (words.isEmpty()) {
      return;
    }
    last = words;
    try {
      verb(words.getFirst(), words.subList(1, words.size()));
    } catch (CommandException e) {
      for (StderrMessage message : e.messages()) {
        port.report(message);
      }
      exitCode = Math.max(1, e.exitCode());
    }
  }

  private void verb(String typed, List<String> rest) throws CommandException {
    String word = typed.toLowerCase(Locale.ROOT);
    String type = TYPES.stream().filter(one -> one.startsWith(word)).findFirst().orElse(null);
    switch (type) {
      case "cluster" -> cluster(report(type, CLUSTER, rest), words(rest));
      case "job" -> job(report(type, JOB, rest), words(rest));
      case "user" -> {
        report(type, USER, rest);
        top(words(rest));
      }
      case "reservation" -> {
        report(type, RESERVATION, rest);
        reservations(words(rest));
      }
      case null -> mode(word, rest);
      default -> throw new IllegalStateException(type);
    }
  }

  private void mode(String word, List<String> rest) throws CommandException {
    switch (word) {
      case "exit", "quit", "e", "q" -> ended = true;
      case "help" -> port.print(help());
      case "version" -> port.print(DureVersion.LINE + "\n");
      case "parsable" -> settings = settings.withStyle(AccountingTable.Style.BARS_AND_END);
      case "parsable2" -> settings = settings.withStyle(AccountingTable.Style.BARS);
      case "nonparsable" -> settings = settings.withStyle(AccountingTable.Style.COLUMNS);
      case "noheader" -> settings = settings.withoutHeader();
      case "quiet", "verbose" -> {}
      case "time" -> settings = settings.withUnit(unit(rest.isEmpty() ? "" : rest.getFirst()));
      default -> throw CommandException.plain("invalid keyword: " + word);
    }
  }

  /**
   * The unit that a word names.
   *
   * @throws CommandException if it names none
   */
  public static ReportUnit unit(String word) throws CommandException {
    ReportUnit unit = ReportUnit.find(word);
    if (unit == null) {
      throw CommandException.plain("unknown time format " + word);
    }
    return unit;
  }

  private static String report(String type, List<String> reports, List<String> rest)
      throws CommandException {
    String word = rest.isEmpty() ? "" : rest.getFirst().toLowerCase(Locale.ROOT);
    return reports.stream()
        .filter(one -> !word.isEmpty() && one.toLowerCase(Locale.ROOT).startsWith(word))
        .findFirst()
        .orElseThrow(() ->
            CommandException.plain(
                "Not valid report "
                    + (rest.isEmpty() ? "(null)" : rest.getFirst())
                    + "\nValid "
                    + type
                    + " reports are, "
                    + quoted(reports)));
  }

  private static String quoted(List<String> reports) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < reports.size(); i++) {
      String before = i == 0 ? "" : i == reports.size() - 1 ? ", and " : ", ";
      text.append(before).append('"').append(reports.get(i)).append('"');
    }
    return text.toString();
  }

  private ReportWords words(List<String> rest) {
    ReportWords words = new ReportWords(port, rest.subList(1, rest.size()));
    exitCode = words.failed() ? 1 : exitCode;
    return words;
  }

  private void cluster(String report, ReportWords words) throws CommandException {
    String wckeys = "cluster,login,proper,wckey," + tresField() + "used";
    switch (report) {
      case "AccountUtilizationByUser" ->
          uses(
              "Cluster/Account/User Utilization",
              "cluster,accounts,login,proper," + tresField() + "used" + energyField(),
              words,
              use(words).accountsByUser());
      case "UserUtilizationByAccount" ->
          uses(
              "Cluster/User/Account Utilization",
              "cluster,login,proper,accounts," + tresField() + "used" + energyField(),
              words,
              use(words).owners(row -> List.of(row.user(), row.account()), false));
      case "UserUtilizationByWckey" ->
          uses(
              "Cluster/User/WCKey Utilization",
              wckeys,
              words,
              use(words).owners(row -> List.of(row.user(), row.wckey()), true));
      case "WCKeyUtilizationByUser" ->
          uses(
              "Cluster/WCKey/User Utilization",
              wckeys.replace("login,proper,wckey", "wckey,login,proper"),
              words,
              use(words).owners(row -> List.of(row.wckey(), row.user()), true));
      default -> utilization(words);
    }
  }

  private String tresField() {
    return settings.namesTres() ? "tresname," : "";
  }

  private String energyField() {
    return settings.namesTres() ? "" : ",energy";
  }

  private UseReport use(ReportWords words) throws CommandException {
    return new UseReport(port, settings, words, jobs(words));
  }

  private void top(ReportWords words) throws CommandException {
    uses(
        "Top " + words.top() + " Users",
        "cluster,login,proper,accounts," + tresField() + "used" + energyField(),
        words,
        use(words).top());
  }

  private void uses(String title, String usual, ReportWords words, List<UseRow> rows) {
    head(title + " " + words.period().withLength(), settings.unitLine());
    print(UseRow.fields(settings.unit(), words.has("tree"), rows), usual, words, rows);
  }

  private void head(String title, String unit) {
    if (settings.header()) {
      port.print(LINE + title + "\n" + unit + "\n" + LINE);
    }
  }

  private <R> void print(
      List<AccountingField<R>> all, String usual, ReportWords words, List<R> rows) {
    List<String> unknown = new ArrayList<>();
    String format = Objects.requireNonNullElse(words.format(), usual);
    List<AccountingField<R>> fields = AccountingField.parse(all, format, unknown);
    if (fields == null) {
      words.complain(CommandException.plain(" Unknown field '" + unknown.getFirst() + "'"));
      exitCode = 1;
      return;
    }
    port.print(settings.table().text(fields, rows));
  }

  private void reservations(ReportWords words) throws CommandException {
    ReportPeriod period = words.period();
    UsageReport report = ask(UsageQuery.Part.RESERVATIONS, words);
    head("Reservation Utilization " + period.text(), settings.tresUnitLine());
    ReservationReport reservations = new ReservationReport(settings.unit(), period::moment);
    print(
        reservations.fields(),
        ReservationReport.USUAL,
        words,
        ReservationReport.rows(report, settings.everyTres() ? List.of() : settings.asked(), words));
  }

  private void utilization(ReportWords words) throws CommandException {
    ReportPeriod period = words.period();
    UsageReport report = ask(UsageQuery.Part.CLUSTER, words);
    head("Cluster Utilization " + period.text(), settings.unitLine());
    long seconds = Duration.between(period.from(), period.until()).toSeconds();
    List<UtilizationRow> rows =
        utilizationTres(report).stream()
            .map(tres -> new UtilizationRow(report.clusterName(), use(report, tres), seconds))
            .toList();
    print(
        UtilizationRow.fields(settings.unit(), rows),
        "cluster," + tresField() + "allocated,down,planneddown,idle,planned,reported",
        words,
        report.cluster().isEmpty() ? List.of() : rows);
  }

  /** The resources that have a row; nodes only where they are named. */
  private List<String> utilizationTres(UsageReport report) {
    if (!settings.everyTres()) {
      return settings.asked();
    }
    List<String> all = new ArrayList<>(TresAmounts.USUAL);
    all.remove(TresAmounts.NODE);
    all.addAll(report.trackedTres());
    return all;
  }

  private static UsageReport.ClusterUse use(UsageReport report, String tres) {
    return report.cluster().stream()
        .filter(one -> one.tres().equals(tres))
        .findFirst()
        .orElseGet(() -> new UsageReport.ClusterUse(tres, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  private UsageReport ask(UsageQuery.Part part, ReportWords words) throws CommandException {
    ReportPeriod period = words.period();
    return port.usage(
        new UsageQuery(period.from(), period.until(), part, settings.asked(), jobs(words)));
  }

  private static JobHistoryQuery jobs(ReportWords words) throws CommandException {
    List<JobSelector> jobs = new ArrayList<>();
    for (String word : words.jobs()) {
      JobReference job = JobReference.parse(word);
      if (job == null) {
        throw CommandException.error("Bad job/step specified: " + word);
      }
      jobs.add(job.selector());
    }
    List<String> nodes = new ArrayList<>();
    words.list("nodes").forEach(list -> nodes.addAll(HostList.expand(list)));
    return new JobHistoryQuery(
        jobs,
        words.list("users"),
        words.list("gid"),
        List.of(),
        words.list("partitions"),
        List.of(),
        List.of(),
        words.list("wckeys"),
        List.of(),
        nodes,
        null,
        null,
        null,
        null,
        null,
        false,
        true,
        null,
        null,
        null);
  }

  private void job(String report, ReportWords words) throws CommandException {
    if (settings.asked().size() != 1) {
      throw CommandException.plain(
          " Job report only supports a single --tres type.\n"
              + " Generate a separate report for each TRES type.");
    }
    UsageReport used = ask(UsageQuery.Part.JOB_SIZES, words);
    SizeReport sizes = new SizeReport(settings.unit(), words, used);
    AccountingTree tree = AccountingTree.of(port.accounts().accounts());
    Function<UsageReport.JobSize, @Nullable String> account = sizes.accounts(tree);
    String title = "Job Sizes ";
    List<AccountingField<SizeReport.Row>> fields = sizes.fields("Account", 9);
    List<SizeReport.Row> rows;
    switch (report) {
      case "SizesByAccount" -> rows = sizes.rows(account);
      case "SizesByAccountAndWckey" -> {
        fields = sizes.fields("Account", -20);
        rows = sizes.rows(size -> withWckey(account.apply(size), size.wckey()));
      }
      default -> {
        title = "Job Sizes by Wckey ";
        fields = sizes.fields("Wckey", 9);
        rows = sizes.rows(size -> size.wckey().isEmpty() ? null : size.wckey());
      }
    }
    head(
        title + words.period().withLength(),
        words.has("printjobcount")
            ? "Units are in number of jobs ran"
            : "Time reported in " + settings.unit().words());
    print(fields, sizes, words, rows);
  }

  private void print(
      List<AccountingField<SizeReport.Row>> named,
      SizeReport sizes,
      ReportWords words,
      List<SizeReport.Row> rows) {
    List<String> unknown = new ArrayList<>();
    String format = Objects.requireNonNullElse(words.format(), "cluster,account");
    List<AccountingField<SizeReport.Row>> chosen = AccountingField.parse(named, format, unknown);
    if (chosen == null) {
      words.complain(CommandException.plain(" Unknown field '" + unknown.getFirst() + "'"));
      exitCode = 1;
      return;
    }
    List<AccountingField<SizeReport.Row>> fields = new ArrayList<>(chosen);
    fields.addAll(sizes.groupFields());
    port.print(settings.table().text(fields, rows));
  }

  private static @Nullable String withWckey(@Nullable String account, String wckey) {
    return account == null || wckey.isEmpty() ? null : account + ":" + wckey;
  }
}
