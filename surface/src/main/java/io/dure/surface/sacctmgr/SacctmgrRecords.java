package io.dure.surface.sacctmgr;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingTree;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.StatisticsInfo;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.ReservationUse;
import io.dure.protocol.slurmdbd.BookKeeper;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.facts.ListingDateLine;
import io.dure.surface.json.AccountingJson;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.RecordsJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sacctmgr.column.ClusterFields;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists what Slurm's database has beside accounts. */
final class SacctmgrRecords {
  private static final String STARS = "*".repeat(67) + "\n";
  private static final String HEADING = "Configuration data as of";

  private static final List<String> ABOUT_ACCOUNTS =
      List.of(
          "AccountingStorage",
          "AuthType",
          "MessageTimeout",
          "PluginDir",
          "PrivateData",
          "SlurmUser",
          "SLURM_",
          "TCPTimeout",
          "TrackWCKey");

  private static final List<AccountingField<List<String>>> EVENTS =
      columns(
          "Cluster:10 NodeName:-15 TimeStart/Start:19 TimeEnd/End:19 State:6 Reason:30 User:10"
              + " Duration:13 Cluster_Nodes:20 TRES:20 Event:7 EventRaw:8 StateRaw:8");
  private static final String USUAL_EVENTS = "Cluster,NodeName,TimeStart,TimeEnd,State,Reason,User";
  private static final String EVENTS_OF_CLUSTERS = "Cluster,TRES,TimeStart,TimeEnd,ClusterNodes";
  private static final List<AccountingField<List<String>>> TRANSACTIONS =
      columns(
          "Time/TimeStamp:19 Action:20 Actor:10 Where:20 Info:20 User:10 Account:10 Cluster:10 ID:6");
  private static final String USUAL_TRANSACTIONS = "Time,Action,Actor,Where,Info";
  private static final List<AccountingField<List<String>>> PROBLEMS =
      columns("Cluster:10 Account:10 User:10 Problem:40");
  private static final List<AccountingField<List<String>>> RESERVATIONS =
      columns(
          "Cluster:10 Name:15 TRES:30 TimeStart/Start:19 TimeEnd/End:19 UnusedWall:10 Flags:20"
              + " Assocs/Associations:30 NodeName/NodeNames:-15 ID:4");
  private static final String USUAL_RESERVATIONS = "Cluster,Name,TRES,TimeStart,TimeEnd,UnusedWall";

  private final SacctmgrSession session;

  SacctmgrRecords(SacctmgrSession session) {
    this.session = session;
  }

  /**
   * Columns from {@code HEADER:WIDTH}, or {@code HEADER/NAME:WIDTH} with another name, a line for a
   * blank; each has its place in the rows.
   */
  private static List<AccountingField<List<String>>> columns(String text) {
    List<AccountingField<List<String>>> columns = new ArrayList<>();
    for (String word : text.split(" ", -1)) {
      int colon = word.indexOf(':');
      String[] called = word.substring(0, colon).split("/", -1);
      String header = called[0].replace('_', ' ');
      int place = columns.size();
      Function<List<String>, String> value = row -> row.get(place);
      int width = Integer.parseInt(word.substring(colon + 1));
      List<String> names = new ArrayList<>();
      for (String name : called) {
        names.add(name.replace("_", "").toLowerCase(Locale.ROOT));
      }
      columns.add(new AccountingField<>(header, names, width, value));
    }
    return List.copyOf(columns);
  }

  /** What the cluster had, and nodes that took no jobs: since yesterday if nothing is said. */
  void events(List<String> words) throws CommandException {
    HistoryConditions asked = HistoryConditions.of(words, session.port(), false);
    TimestampFormat times = session.port().times(session.port().now());
    List<List<String>> rows = new ArrayList<>();
    for (ClusterHistory found : history(ClusterHistoryQuery.Part.EVENTS, asked)) {
      for (ClusterHistory.ClusterEvent one : found.events()) {
        if (asked.has(one, uid -> session.port().loginName((int) uid))) {
          rows.add(row(found.clusterName(), one, times));
        }
      }
    }
    String usual = asked.isOfClusters() ? EVENTS_OF_CLUSTERS : USUAL_EVENTS;
    print(words, "events", EVENTS, usual, rows);
  }

  private List<String> row(String cluster, ClusterHistory.ClusterEvent one, TimestampFormat times) {
    Instant end = one.end();
    Long uid = one.user();
    Instant until = end == null ? session.port().now() : end;
    return List.of(
        cluster,
        one.node() == null ? "" : one.node(),
        times.format(one.start()),
        end == null ? "Unknown" : times.format(end),
        one.state(),
        one.reason(),
        uid == null ? "" : session.port().loginName(uid.intValue()) + "(" + uid + ")",
        ElapsedTimeFormat.full(Duration.between(one.start(), until).toSeconds()),
        one.node() == null ? one.nodes() : "",
        ClusterFields.byName(one.tres(), one.node() == null),
        one.node() == null ? "Cluster" : "Node",
        one.node() == null ? "1" : "2",
        state(one.state()));
  }

  /** Slurm's number of a state, of a node that was idle before; 0 for what has none. */
  private static String state(String word) {
    if (word.startsWith("DRAIN")) {
      return "514";
    }
    return word.startsWith("DOWN") ? "1" : "0";
  }

  /** Changes of the accounts: all of them if no time is said. */
  void transactions(List<String> words) throws CommandException {
    HistoryConditions asked = HistoryConditions.of(words, session.port(), true);
    TimestampFormat times = session.port().times(session.port().now());
    List<List<String>> rows = new ArrayList<>();
    for (ClusterHistory found : history(ClusterHistoryQuery.Part.TRANSACTIONS, asked)) {
      for (ClusterHistory.Transaction one : found.transactions()) {
        if (asked.has(one)) {
          rows.add(row(found.clusterName(), one, times));
        }
      }
    }
    String usual =
        asked.isWithAssociations()
            ? USUAL_TRANSACTIONS + ",User,Account,Cluster"
            : USUAL_TRANSACTIONS;
    print(words, "transactions", TRANSACTIONS, usual, rows);
  }

  private static List<String> row(
      String cluster, ClusterHistory.Transaction one, TimestampFormat times) {
    return List.of(
        times.format(one.at()),
        one.action(),
        one.actor(),
        one.where(),
        one.info(),
        String.join(",", HistoryConditions.users(one)),
        String.join(",", HistoryConditions.accounts(one)),
        cluster,
        one.number() == null ? "" : one.number().toString());
  }

  private List<ClusterHistory> history(ClusterHistoryQuery.Part part, HistoryConditions asked)
      throws CommandException {
    return history(new ClusterHistoryQuery(part, asked.from(), asked.until()), asked.clusters());
  }

  /** The lines of each cluster that is asked for. */
  private List<ClusterHistory> history(
      ClusterHistoryQuery query, HistoryConditions.ClusterNames clusters) throws CommandException {
    List<ClusterHistory> all = new ArrayList<>();
    for (@Nullable String cluster : clusters.of(session)) {
      all.add(
          session
              .ask(new Request.ShowClusterHistory(query, cluster), Response.RecordedHistory.class)
              .history());
    }
    return all;
  }

  /** Accounts without users below them, users nobody knows, and users without an account. */
  void problems(List<String> words) throws CommandException {
    List<String> accounts = new ArrayList<>();
    List<String> users = new ArrayList<>();
    List<String> clusters = new ArrayList<>();
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (setting.is(1, "Accounts", "Acct")) {
        accounts.addAll(setting.names());
      } else if (setting.is(1, "Users")) {
        users.addAll(setting.names());
      } else if (setting.is(1, "Clusters")) {
        clusters.addAll(setting.names());
      } else if (!setting.is(3, "Format") && !SacctmgrSetting.isKeyword(word, "where")) {
        throw CommandException.plain(" Unknown condition: " + word);
      }
    }
    if (!session.isOperator()) {
      session.error(ErrorCode.ACCESS_DENIED.text());
      session.complain(SacctmgrSession.ERROR + ErrorCode.ACCESS_DENIED.text());
      return;
    }
    AccountingTree tree = session.tree();
    List<List<String>> rows = new ArrayList<>();
    boolean here = clusters.isEmpty() || clusters.contains(session.cluster());
    for (Account account : tree.accounts()) {
      boolean meant =
          here && users.isEmpty() && (accounts.isEmpty() || accounts.contains(account.name()));
      if (meant && isEmpty(tree, account)) {
        rows.add(List.of(session.cluster(), account.name(), "", "Account has no users"));
      }
    }
    for (AccountUser user : tree.users()) {
      String problem =
          !session.port().knowsUser(user.name())
              ? "User does not have a uid"
              : tree.of(user.name()).isEmpty() ? "User has no associations" : null;
      if (problem != null && (users.isEmpty() || users.contains(user.name()))) {
        rows.add(List.of("", "", user.name(), problem));
      }
    }
    print(words, "problems", PROBLEMS, rows);
  }

  private static boolean isEmpty(AccountingTree tree, Account account) {
    return tree.walk().stream()
        .noneMatch(one -> account.name().equals(one.user() == null ? one.parent() : one.account()));
  }

  void reservations(List<String> words) throws CommandException {
    HistoryConditions.OfReservations asked =
        HistoryConditions.OfReservations.of(words, session.port());
    ClusterHistoryQuery query =
        new ClusterHistoryQuery(ClusterHistoryQuery.Part.RESERVATIONS, asked.from(), asked.until());
    TimestampFormat times = session.port().times(session.port().now());
    List<List<String>> rows = new ArrayList<>();
    List<AccountingJson.Reserved> meant = new ArrayList<>();
    for (ClusterHistory found : history(query, asked.clusters())) {
      for (ReservationUse one : found.reservations()) {
        if (asked.has(one)) {
          rows.add(row(found.clusterName(), one, times));
          double unused = HistoryConditions.OfReservations.unused(one, session.port().now());
          meant.add(new AccountingJson.Reserved(found.clusterName(), one, Math.round(unused)));
        }
      }
    }
    AccountingJson document = session.document();
    if (document != null) {
      document.reservations(meant);
      return;
    }
    print(words, "reservations", RESERVATIONS, USUAL_RESERVATIONS, rows);
  }

  private List<String> row(String cluster, ReservationUse one, TimestampFormat times) {
    return List.of(
        cluster,
        one.name(),
        one.amounts().stream()
            .map(amount -> amount.tres() + "=" + amount.count())
            .collect(Collectors.joining(",")),
        times.format(one.start()),
        times.format(one.end()),
        String.format(
            Locale.ROOT,
            "%.6f",
            HistoryConditions.OfReservations.unused(one, session.port().now())),
        one.flags(),
        one.users().isEmpty() ? one.accounts() : one.users(),
        one.nodes(),
        Integer.toString(one.id()));
  }

  private void print(
      List<String> words,
      String list,
      List<AccountingField<List<String>>> columns,
      List<List<String>> rows)
      throws CommandException {
    String all = String.join(",", columns.stream().map(AccountingField::header).toList());
    print(words, list, columns, all, rows);
  }

  private void print(
      List<String> words,
      String list,
      List<AccountingField<List<String>>> columns,
      String usual,
      List<List<String>> rows)
      throws CommandException {
    String format = format(words);
    List<String> unknown = new ArrayList<>();
    List<AccountingField<List<String>>> fields =
        AccountingField.parse(columns, Objects.requireNonNullElse(format, usual), unknown);
    if (fields == null) {
      throw CommandException.plain("Unknown field '" + unknown.getFirst() + "'");
    }
    AccountingJson document = session.document();
    if (document != null) {
      document.rows(list, columns.stream().map(AccountingField::header).toList(), rows);
      return;
    }
    session.print(session.table().text(fields, rows));
  }

  /** Conditions choose among what is recorded; only the columns matter here. */
  private static @Nullable String format(List<String> words) {
    String format = null;
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      format = setting.is(3, "Format") ? setting.value() : format;
    }
    return format;
  }

  /** What {@code scontrol show config} says of the storage of accounts. */
  void config() throws CommandException {
    Response.Text text = session.ask(new Request.ShowConfig(), Response.Text.class);
    List<String> about =
        text.lines().stream()
            .filter(line -> ABOUT_ACCOUNTS.stream().anyMatch(line::startsWith))
            .toList();
    List<String> books = session.ask(new Request.ShowBooksConfig(), Response.Text.class).lines();
    JsonTarget target = session.documentTarget();
    if (target != null) {
      List<String> all = new ArrayList<>(about);
      all.addAll(books);
      RecordsJson.print(target, "config", String.join("\n", all));
      return;
    }
    text.lines().stream()
        .filter(line -> line.startsWith(HEADING))
        .forEach(line -> session.print(line + "\n"));
    about.forEach(line -> session.print(line + "\n"));
    session.print(books.isEmpty() ? "" : "\nSlurmDBD configuration:\n");
    books.forEach(line -> session.print(line + "\n"));
  }

  /** What was asked of the controller, which keeps the accounts. */
  void stats() throws CommandException {
    StatisticsInfo counted =
        session.ask(new Request.ShowStatistics(), Response.Statistics.class).counted();
    AccountingJson document = session.document();
    if (document != null) {
      document.statistics(counted);
      return;
    }
    session.print(STARS + "sacctmgr show stats output at " + moment(counted.now()));
    session.print("Data since                    " + moment(counted.since()));
    session.print("All statistics are in microseconds\n" + STARS);
    session.print("\nRemote Procedure Call statistics by message type\n");
    counted.types().forEach(one -> session.print(calls(one, 25, 5)));
    session.print("\nRemote Procedure Call statistics by user\n");
    counted.users().forEach(one -> session.print(calls(one, 20, 10)));
  }

  private String moment(Instant moment) {
    String text = ListingDateLine.of(moment, session.port().zone());
    return text + " (" + moment.getEpochSecond() + ")\n";
  }

  private static String calls(StatisticsInfo.Calls one, int name, int id) {
    long mean = one.count() == 0 ? 0 : one.micros() / one.count();
    String number = Integer.toUnsignedString(one.id());
    return "\t"
        + one.name()
        + " ".repeat(Math.max(0, name - one.name().length()))
        + "("
        + " ".repeat(Math.max(0, id - number.length()))
        + number
        + ") count:"
        + left(one.count())
        + " ave_time:"
        + left(mean)
        + " total_time:"
        + one.micros()
        + "\n";
  }

  private static String left(long value) {
    String digits = Long.toString(value);
    return digits + " ".repeat(Math.max(0, 6 - digits.length()));
  }

  /** Whether what keeps the accounts answers: slurmdbd, or the controller where it does. */
  void ping() throws CommandException {
    List<BookKeeper> keepers = keepers();
    if (keepers.stream().noneMatch(BookKeeper::responding)) {
      session.exitCode(1);
    }
    AccountingJson document = session.document();
    if (document != null) {
      document.ping(keepers);
      return;
    }
    String place = "primary";
    for (BookKeeper one : keepers) {
      String state = one.responding() ? "UP" : "DOWN";
      session.print("slurmdbd(" + place + ") at " + one.host() + " is " + state + "\n");
      place = "backup";
    }
  }

  private List<BookKeeper> keepers() throws CommandException {
    List<BookKeeper> daemons =
        session.ask(new Request.PingBooks(), Response.BookKeepers.class).daemons();
    if (!daemons.isEmpty()) {
      return daemons;
    }
    long began = session.port().micros();
    String host = session.ask(new Request.Ping(), Response.Pong.class).hostName();
    return List.of(new BookKeeper(host, true, session.port().micros() - began));
  }
}
