package io.dure.surface.sacctmgr;

import io.dure.protocol.DureVersion;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.LineTokenizer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Carries out one line of words. */
public final class SacctmgrInterpreter {
  private static final String LISTED =
      """
      No valid entity in list command
      Input line must include "Account", "Association", "Cluster", "Configuration",
      "Event", "Federation", "Problem", "QOS", "Resource", "Reservation",
      "RunAwayJobs", "Stats", "Transaction", "TRES", "User", or "WCKey\"\
      """;

  private final SacctmgrSession session;
  private final ClusterFanOut clusters;
  private boolean ended;
  private List<String> last = List.of();

  /** Acts in that run. */
  public SacctmgrInterpreter(SacctmgrSession session) {
    this.session = session;
    clusters = new ClusterFanOut(session);
  }

  /** Reads lines until one says that it is enough. */
  public void prompt() throws CommandException {
    try {
      while (!ended) {
        session.print("sacctmgr: ");
        String line = session.nextLine();
        if (line == null) {
          session.print("\n");
          return;
        }
        List<String> words = LineTokenizer.of(line);
        run(words.equals(List.of("!!")) ? last : words);
      }
    } catch (IOException e) {
      throw CommandException.error("Could not read standard input: " + e.getMessage());
    }
  }

  /** The text of {@code --help}. */
  public static String help() {
    return HelpText.of(SacctmgrInterpreter.class, "help.txt");
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
        session.report(message);
      }
      session.exitCode(e.exitCode());
    }
  }

  private static boolean is(String typed, String word, int shortest) {
    String lower = typed.toLowerCase(Locale.ROOT);
    return lower.length() >= shortest && word.startsWith(lower);
  }

  private void verb(String typed, List<String> words) throws CommandException {
    String entity = words.isEmpty() ? "" : words.getFirst();
    List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
    if (is(typed, "add", 1) || is(typed, "create", 2)) {
      session.refuseIfReadOnly();
      if (is(entity, "clusters", 2)) {
        new SacctmgrCluster(session).add(rest);
      } else if (is(entity, "resources", 3)) {
        clusters.change(List.of(), () -> new SacctmgrResources(session).add(rest));
      } else if (is(entity, "federations", 1)) {
        new SacctmgrFederations(session).add(rest);
      } else {
        clusters.change(rest, () -> add(entity, rest));
      }
    } else if (is(typed, "show", 3) || is(typed, "list", 3)) {
      show(entity, rest);
    } else if (is(typed, "modify", 1) || is(typed, "update", 1)) {
      session.refuseIfReadOnly();
      if (is(entity, "clusters", 2)) {
        new SacctmgrCluster(session).modify(rest, clusters);
      } else if (is(entity, "resources", 3)) {
        clusters.change(List.of(), () -> new SacctmgrResources(session).modify(rest));
      } else if (is(entity, "federations", 1)) {
        new SacctmgrFederations(session).modify(rest);
      } else if (is(entity, "jobs", 1)) {
        new SacctmgrJobs(session).modify(rest);
      } else {
        clusters.change(rest, () -> modify(entity, rest));
      }
    } else if (is(typed, "delete", 3) || is(typed, "remove", 3)) {
      session.refuseIfReadOnly();
      if (is(entity, "clusters", 2)) {
        new SacctmgrCluster(session).delete(rest);
      } else if (is(entity, "resources", 3)) {
        clusters.change(List.of(), () -> new SacctmgrResources(session).delete(rest));
      } else if (is(entity, "federations", 1)) {
        new SacctmgrFederations(session).delete(rest);
      } else {
        clusters.change(rest, () -> delete(entity, rest));
      }
    } else if (is(typed, "archive", 2)) {
      session.refuseIfReadOnly();
      new SacctmgrArchive(session).run(words);
    } else if (is(typed, "dump", 3)) {
      new SacctmgrDump(session).run(words);
    } else if (is(typed, "load", 2)) {
      session.refuseIfReadOnly();
      new SacctmgrLoad(session).run(words);
    } else if (is(typed, "clear", 2)) {
      clear(entity);
    } else {
      mode(typed);
    }
  }

  /** {@code clear stats}: the controller counts from 0 again. */
  private void clear(String entity) throws CommandException {
    if (!is(entity, "stats", 2)) {
      throw CommandException.plain(
          "No valid entity in clear command\nInput line must include \"stats\"");
    }
    session.ask(new Request.ResetStatistics(), Response.Decided.class);
  }

  private void mode(String typed) throws CommandException {
    switch (typed.toLowerCase(Locale.ROOT)) {
      case "exit", "quit", "e", "q" -> ended = true;
      case "help" -> session.print(help());
      case "version" -> session.print(DureVersion.LINE + "\n");
      case "associations", "assoc" -> session.withAssociations();
      case "parsable" -> session.style(AccountingTable.Style.BARS_AND_END);
      case "parsable2" -> session.style(AccountingTable.Style.BARS);
      case "quiet" -> session.quiet();
      case "readonly" -> session.readOnly();
      case "oneliner", "verbose" -> {}
      case "ping" -> new SacctmgrRecords(session).ping();
      case "reconfigure", "shutdown" ->
          throw CommandException.error(
              typed
                  + (session.clusters().isEmpty()
                      ? ": the controller keeps the accounts, and there is no other daemon"
                      : ": slurmdbd takes no orders from here; stop it or start it anew on its"
                          + " machine"));
      default -> throw CommandException.plain("invalid keyword: " + typed);
    }
  }

  private void add(String entity, List<String> words) throws CommandException {
    SacctmgrAdd add = new SacctmgrAdd(session);
    if (is(entity, "accounts", 1) || is(entity, "acct", 4)) {
      add.account(words);
    } else if (is(entity, "coordinators", 2)) {
      add.coordinator(words, true);
    } else if (is(entity, "qos", 1)) {
      add.qos(words);
    } else if (is(entity, "users", 1)) {
      add.user(words);
    } else {
      throw unknown(
          "add",
          "\"Account\", \"Cluster\", \"Coordinator\", \"Federation\", \"QOS\","
              + " \"Resource\", or \"User\"");
    }
  }

  private static CommandException unknown(String verb, String entities) {
    return CommandException.plain(
        "No valid entity in " + verb + " command\nInput line must include " + entities);
  }

  private void show(String entity, List<String> words) throws CommandException {
    SacctmgrShow show = new SacctmgrShow(session);
    if (is(entity, "accounts", 2) || is(entity, "acct", 4)) {
      clusters.list(words, true, () -> show.accounts(words));
    } else if (is(entity, "associations", 2)) {
      clusters.list(words, false, () -> show.associations(words));
    } else if (is(entity, "clusters", 2)) {
      clusters.list(List.of(), false, () -> show.cluster(words));
    } else if (is(entity, "qos", 1)) {
      clusters.list(words, true, () -> show.qos(words));
    } else if (is(entity, "tres", 2)) {
      show.tres(words);
    } else if (is(entity, "users", 1)) {
      clusters.list(words, true, () -> show.users(words));
    } else {
      showRecords(entity, words);
    }
  }

  private void showRecords(String entity, List<String> words) throws CommandException {
    SacctmgrRecords records = new SacctmgrRecords(session);
    if (is(entity, "configuration", 2)) {
      records.config();
    } else if (is(entity, "events", 1)) {
      records.events(words);
    } else if (is(entity, "federations", 1)) {
      new SacctmgrFederations(session).show(words);
    } else if (is(entity, "problems", 1)) {
      records.problems(words);
    } else if (is(entity, "resources", 3) && !is(entity, "reservations", 4)) {
      new SacctmgrResources(session).show(words);
    } else if (is(entity, "reservations", 4) || is(entity, "resv", 4)) {
      records.reservations(words);
    } else if (is(entity, "runawayjobs", 2) || is(entity, "orphanjobs", 1)) {
      new SacctmgrRunaways(session).show(words);
    } else if (is(entity, "stats", 1)) {
      records.stats();
    } else if (is(entity, "transactions", 2) || is(entity, "txn", 2)) {
      records.transactions(words);
    } else if (is(entity, "wckeys", 1)) {
      clusters.list(words, false, () -> new SacctmgrShow.Wckeys(session).show(words));
    } else {
      throw CommandException.plain(LISTED);
    }
  }

  private void modify(String entity, List<String> words) throws CommandException {
    SacctmgrModify modify = new SacctmgrModify(session);
    if (is(entity, "accounts", 1) || is(entity, "acct", 4)) {
      modify.account(words);
    } else if (is(entity, "qos", 1)) {
      modify.qos(words);
    } else if (is(entity, "users", 1)) {
      modify.user(words);
    } else {
      throw unknown(
          "modify",
          "\"Account\", \"Cluster\", \"Federation\", \"Job\", \"QOS\","
              + " \"Resource\" or \"User\"");
    }
  }

  private void delete(String entity, List<String> words) throws CommandException {
    SacctmgrDelete delete = new SacctmgrDelete(session);
    if (is(entity, "accounts", 1) || is(entity, "acct", 4)) {
      delete.account(words);
    } else if (is(entity, "coordinators", 2)) {
      new SacctmgrAdd(session).coordinator(words, false);
    } else if (is(entity, "qos", 2)) {
      delete.qos(words);
    } else if (is(entity, "users", 1)) {
      delete.user(words);
    } else {
      throw unknown(
          "delete",
          "\"Account\", \"Cluster\", \"Coordinator\", \"Federation\", \"QOS\","
              + " \"Resource\", or \"User\"");
    }
  }
}
