package io.dure.surface.sacctmgr;

import io.dure.model.HostList;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.ReservationUse;
import io.dure.surface.message.CommandException;
import io.dure.surface.sacctmgr.column.ClusterFields;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which lines of a cluster's history are listed. */
final class HistoryConditions {
  private static final Pattern NAME = Pattern.compile("\\(name='(.*)'\\)");
  private static final Pattern ACCOUNT = Pattern.compile("(?:^|, )acct='([^']*)'");
  private static final Pattern USER = Pattern.compile("(?:^|, )user='([^']*)'");

  private static final List<String> NO_NAMES = List.of();

  private final List<String> nodes = new ArrayList<>();
  private final List<String> states = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();
  private final List<String> users = new ArrayList<>();
  private final List<String> actions = new ArrayList<>();
  private final List<String> actors = new ArrayList<>();
  private final List<String> accounts = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private final ClusterNames clusters = new ClusterNames();
  private long leastCpus;
  private long mostCpus = Long.MAX_VALUE;
  private boolean withAssociations;
  private Instant from;
  private @Nullable Instant until;
  private @Nullable String kind;
  private boolean open;

  private HistoryConditions(Instant from) {
    this.from = from;
  }

  /**
   * Reads the words of a listing.
   *
   * @param always whether all times are listed if none is said, instead of those since yesterday
   * @throws CommandException if a word is none
   */
  static HistoryConditions of(List<String> words, AccountingPort port, boolean always)
      throws CommandException {
    WallClock clock = new WallClock.Fixed(port.now(), port.zone());
    Instant yesterday =
        LocalDate.ofInstant(clock.now(), clock.zone())
            .minusDays(1)
            .atStartOfDay(clock.zone())
            .toInstant();
    HistoryConditions asked = new HistoryConditions(always ? Instant.EPOCH : yesterday);
    for (String word : words) {
      asked.read(SacctmgrSetting.of(word), clock);
    }
    return asked;
  }

  private void read(SacctmgrSetting setting, WallClock clock) throws CommandException {
    List<String> list = KeywordParser.list(setting.value());
    if (setting.key().isEmpty()) {
      String word = setting.word().toLowerCase(Locale.ROOT);
      if (word.startsWith("all_t")) {
        from = Instant.EPOCH;
      } else if (word.startsWith("all_c")) {
        clusters.all();
      } else if (word.startsWith("witha")) {
        withAssociations = true;
      } else if (!word.equals("where")) {
        throw unknown(setting);
      }
    } else if (setting.is(1, "Start") || setting.is(5, "TimeStart")) {
      from = time(setting.value(), clock);
    } else if (setting.is(3, "End") || setting.is(5, "TimeEnd")) {
      until = time(setting.value(), clock);
    } else if (setting.is(1, "Nodes")) {
      list.forEach(one -> nodes.addAll(HostList.expand(one)));
    } else if (setting.is(4, "States")) {
      list.forEach(one -> states.add(one.toUpperCase(Locale.ROOT)));
    } else if (setting.is(1, "Reason")) {
      reasons.addAll(list);
    } else if (setting.is(1, "Users")) {
      users.addAll(list);
    } else if (setting.is(2, "Event")) {
      kind = setting.value().toLowerCase(Locale.ROOT);
    } else if (setting.is(4, "CondFlags")) {
      open = setting.value().equalsIgnoreCase("open");
    } else if (setting.is(4, "Actor")) {
      actors.addAll(list);
    } else if (setting.is(4, "Action")) {
      list.forEach(one -> actions.add(one.toLowerCase(Locale.ROOT)));
    } else if (setting.is(3, "Accounts", "Acct")) {
      accounts.addAll(setting.names());
    } else if (setting.is(1, "IDs")) {
      ids.addAll(list);
    } else if (setting.is(4, "MinCPUs")) {
      leastCpus = count("MinCpus", setting);
    } else if (setting.is(4, "MaxCPUs")) {
      mostCpus = count("MaxCpus", setting);
    } else if (setting.is(1, "Clusters")) {
      clusters.add(setting.names());
    } else if (!setting.is(3, "Format")) {
      throw unknown(setting);
    }
  }

  private static long count(String name, SacctmgrSetting setting) throws CommandException {
    long count = DigitParser.parse(setting.value(), Long.MAX_VALUE);
    if (count < 0) {
      throw CommandException.error("Invalid value for " + name + " (" + setting.value() + ")");
    }
    return count;
  }

  private static CommandException unknown(SacctmgrSetting setting) {
    return CommandException.plain(" Unknown condition: " + setting.word());
  }

  private static Instant time(String text, WallClock clock) throws CommandException {
    return DateTimeParser.parse(text, clock, DateTimeParser.PastOrFuture.PAST);
  }

  Instant from() {
    return from;
  }

  @Nullable Instant until() {
    return until;
  }

  /** Whether what clusters had is asked for alone. */
  boolean isOfClusters() {
    return kind != null && kind.startsWith("c");
  }

  /** The clusters whose lines are asked for. */
  ClusterNames clusters() {
    return clusters;
  }

  /** Whether the accounts and users are shown that changes were about. */
  boolean isWithAssociations() {
    return withAssociations;
  }

  /**
   * Whether an event is meant.
   *
   * @param loginName the name of a user by its number
   */
  boolean has(ClusterHistory.ClusterEvent one, LongFunction<String> loginName) {
    long cpus = ClusterFields.amounts(one.tres()).of(TresAmounts.CPU);
    boolean node = one.node() != null;
    boolean ofKind = kind == null || kind.startsWith("n") == node;
    return ofKind
        && (!open || one.end() == null)
        && (nodes.isEmpty() || node && nodes.contains(one.node()))
        && (states.isEmpty() || states.stream().anyMatch(one.state()::startsWith))
        && (reasons.isEmpty() || reasons.stream().anyMatch(one.reason()::contains))
        && cpus >= leastCpus
        && cpus <= mostCpus
        && (users.isEmpty() || one.user() != null && isUser(one.user(), loginName));
  }

  private boolean isUser(long uid, LongFunction<String> loginName) {
    return users.contains(Long.toString(uid)) || users.contains(loginName.apply(uid));
  }

  boolean has(ClusterHistory.Transaction one) {
    String action = one.action().toLowerCase(Locale.ROOT);
    return (actors.isEmpty() || actors.contains(one.actor()))
        && (actions.isEmpty() || actions.stream().anyMatch(action::contains))
        && (ids.isEmpty() || one.number() != null && ids.contains(one.number().toString()))
        && (accounts.isEmpty() || accounts(one).stream().anyMatch(accounts::contains))
        && (users.isEmpty() || users(one).stream().anyMatch(users::contains));
  }

  /** The accounts that a change was about. */
  static List<String> accounts(ClusterHistory.Transaction one) {
    return switch (one.action()) {
      case "Add Accounts", "Modify Accounts", "Remove Accounts" -> names(one.where());
      case "Add Account Coordinators", "Remove Account Coordinators" -> names(one.info());
      default -> found(ACCOUNT, one.info());
    };
  }

  /** The users that a change was about. */
  static List<String> users(ClusterHistory.Transaction one) {
    return switch (one.action()) {
      case "Add Users", "Modify Users", "Remove Users" -> names(one.where());
      case "Add Account Coordinators", "Remove Account Coordinators" -> names(one.where());
      default -> found(USER, one.info());
    };
  }

  private static List<String> names(String text) {
    Matcher named = NAME.matcher(text);
    return KeywordParser.list(named.matches() ? named.group(1) : text);
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(one -> one.group(1)).toList();
  }

  /** Names of clusters that share their books; none for the controller's own. For one thread. */
  static final class ClusterNames {
    private final List<String> names = new ArrayList<>();
    private boolean all;

    void add(List<String> more) {
      names.addAll(more);
    }

    void all() {
      all = true;
    }

    /** The clusters to be asked for, null for the own one. */
    List<@Nullable String> of(SacctmgrSession session) throws CommandException {
      List<@Nullable String> meant = new ArrayList<>();
      if (all) {
        session.clusters().forEach(one -> meant.add(one.cluster()));
      } else {
        names.stream().distinct().forEach(meant::add);
      }
      if (meant.isEmpty()) {
        meant.add(null);
      }
      return meant;
    }
  }

  /** Which reservations are listed: those of now if no time is said. */
  static final class OfReservations {
    private final List<String> names = new ArrayList<>();
    private final List<String> nodes = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final List<String> flags = new ArrayList<>();
    private final ClusterNames clusters = new ClusterNames();
    private Instant from;
    private Instant until;

    private OfReservations(Instant now) {
      from = now;
      until = now.plusSeconds(1);
    }

    static OfReservations of(List<String> words, AccountingPort port) throws CommandException {
      WallClock clock = new WallClock.Fixed(port.now(), port.zone());
      OfReservations asked = new OfReservations(port.now());
      for (String word : words) {
        asked.read(SacctmgrSetting.of(word), clock);
      }
      return asked;
    }

    private void read(SacctmgrSetting setting, WallClock clock) throws CommandException {
      List<String> list = KeywordParser.list(setting.value());
      if (setting.is(1, "Start") || setting.is(5, "TimeStart")) {
        from = DateTimeParser.parse(setting.value(), clock, DateTimeParser.PastOrFuture.PAST);
      } else if (setting.is(1, "End") || setting.is(5, "TimeEnd")) {
        until = DateTimeParser.parse(setting.value(), clock, DateTimeParser.PastOrFuture.FUTURE);
      } else if (setting.is(2, "Names")) {
        names.addAll(list);
      } else if (setting.is(2, "Nodes")) {
        list.forEach(one -> nodes.addAll(HostList.expand(one)));
      } else if (setting.is(2, "IDs")) {
        ids.addAll(list);
      } else if (setting.is(2, "Flags")) {
        list.forEach(one -> flags.add(one.toUpperCase(Locale.ROOT)));
      } else if (setting.is(1, "Clusters")) {
        clusters.add(setting.names());
      } else if (!setting.is(2, "Format") && !SacctmgrSetting.isKeyword(setting.word(), "where")) {
        throw CommandException.plain(
            " Unknown condition: " + setting.word() + "\n Use keyword 'set' to modify value");
      }
    }

    /** The clusters whose reservations are asked for. */
    ClusterNames clusters() {
      return clusters;
    }

    Instant from() {
      return from;
    }

    Instant until() {
      return until;
    }

    boolean has(ReservationUse one) {
      return (names.isEmpty() || names.contains(one.name()))
          && (ids.isEmpty() || ids.contains(Integer.toString(one.id())))
          && (nodes.isEmpty() || HostList.expand(one.nodes()).stream().anyMatch(nodes::contains))
          && (flags.isEmpty() || KeywordParser.list(one.flags()).containsAll(flags));
    }

    /** How long it would have lasted had it not been used, in seconds. */
    static double unused(ReservationUse one, Instant now) {
      Instant end = one.end().isBefore(now) ? one.end() : now;
      double seconds = Math.max(0, Duration.between(one.start(), end).toSeconds());
      if (!one.amounts().isEmpty() && one.amounts().getFirst().count() > 0) {
        ReservationUse.Amount first = one.amounts().getFirst();
        seconds -= (double) first.used() / first.count();
      }
      return Math.max(0, seconds);
    }
  }

  /**
   * What was deleted of a cluster's accounts, as far as the log of changes tells it: names and
   * places, and what accounts were described by.
   */
  static final class Deleted {
    private static final Pattern DESCRIPTION = Pattern.compile("description='([^']*)'");
    private static final Pattern ORGANIZATION = Pattern.compile("organization='([^']*)'");
    private static final Pattern PARENT = Pattern.compile("parent_acct='([^']*)'");
    private static final Pattern PARTITION = Pattern.compile("partition='([^']*)'");
    private static final String ID = "id_assoc=";

    private Deleted() {}

    private static List<ClusterHistory.Transaction> changes(
        SacctmgrSession session, EntityFilter choice) throws CommandException {
      if (!choice.withDeleted) {
        return List.of();
      }
      ClusterHistoryQuery query =
          new ClusterHistoryQuery(ClusterHistoryQuery.Part.TRANSACTIONS, Instant.EPOCH, null);
      return session
          .ask(
              new Request.ShowClusterHistory(query, session.cluster()),
              Response.RecordedHistory.class)
          .history()
          .transactions();
    }

    /** The accounts that there are, and those of before if they are asked for; by name. */
    static Collection<Account> accounts(SacctmgrSession session, EntityFilter choice)
        throws CommandException {
      SortedMap<String, Account> known = new TreeMap<>();
      SortedMap<String, Account> all = new TreeMap<>();
      for (ClusterHistory.Transaction one : changes(session, choice)) {
        for (String name : one.action().endsWith(" Accounts") ? names(one.where()) : NO_NAMES) {
          Account before = known.getOrDefault(name, new Account(name, "", "", List.of()));
          String about = first(DESCRIPTION, one.info(), before.description());
          String of = first(ORGANIZATION, one.info(), before.organization());
          known.put(name, new Account(name, about, of, List.of()));
          if (one.action().startsWith("Remove")) {
            all.put(name, before);
          }
        }
      }
      session.tree().accounts().forEach(one -> all.put(one.name(), one));
      return all.values();
    }

    /** The users likewise. */
    static Collection<AccountUser> users(SacctmgrSession session, EntityFilter choice)
        throws CommandException {
      SortedMap<String, AccountUser> all = new TreeMap<>();
      for (ClusterHistory.Transaction one : changes(session, choice)) {
        for (String name : one.action().equals("Remove Users") ? names(one.where()) : NO_NAMES) {
          all.put(name, new AccountUser(name, AdminLevel.NONE, ""));
        }
      }
      session.tree().users().forEach(one -> all.put(one.name(), one));
      return all.values();
    }

    /** The associations that there are, and behind them those of before. */
    static List<Association> associations(
        SacctmgrSession session, EntityFilter choice, List<Association> present)
        throws CommandException {
      List<Association> all = new ArrayList<>(present);
      for (ClusterHistory.Transaction one : changes(session, choice)) {
        String account = first(ACCOUNT, one.info(), "");
        if (!one.action().equals("Remove Associations") || account.isEmpty()) {
          continue;
        }
        int id = (int) DigitParser.parse(one.where().replace(ID, ""), Integer.MAX_VALUE);
        String user = first(USER, one.info(), "");
        String partition = first(PARTITION, one.info(), "");
        all.add(
            user.isEmpty()
                ? Association.ofAccount(id, account, first(PARENT, one.info(), ""))
                : Association.ofUser(id, account, user, partition.isEmpty() ? null : partition));
      }
      return all;
    }

    /** The QOS that there are, and behind them those of before. */
    static List<Qos> qos(SacctmgrSession session, EntityFilter choice) throws CommandException {
      AccountingTree tree = session.tree();
      List<Qos> all = new ArrayList<>(tree.qosByNumber());
      for (ClusterHistory.Transaction one : changes(session, choice)) {
        for (String name : one.action().equals("Remove QOS") ? names(one.where()) : NO_NAMES) {
          if (tree.qos(name) == null) {
            all.add(Qos.plain(0, name, ""));
          }
        }
      }
      return all;
    }

    private static String first(Pattern pattern, String text, String otherwise) {
      Matcher found = pattern.matcher(text);
      return found.find() ? found.group(1) : otherwise;
    }
  }
}
