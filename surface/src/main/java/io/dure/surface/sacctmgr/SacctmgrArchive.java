package io.dure.surface.sacctmgr;

import io.dure.model.command.Reply;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionAge;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ArchiveOrder;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Has old records taken out of the database, and archives put back. */
final class SacctmgrArchive {
  private static final Map<String, RecordKind> WORDS =
      Map.of(
          "Events", RecordKind.EVENTS,
          "Jobs", RecordKind.JOBS,
          "Resvs", RecordKind.RESERVATIONS,
          "Steps", RecordKind.STEPS,
          "Suspend", RecordKind.SUSPENSIONS,
          "TXN", RecordKind.TRANSACTIONS,
          "Usage", RecordKind.USAGE);

  private static final String QUESTION =
      "This may result in loss of accounting database records (if Purge* options enabled).\n"
          + "Are you sure you want to continue? (You have 30 seconds to decide)\n(N/y): ";

  private final SacctmgrSession session;

  SacctmgrArchive(SacctmgrSession session) {
    this.session = session;
  }

  void run(List<String> words) throws CommandException {
    String what = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
    List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
    if (!what.isEmpty() && "dump".startsWith(what)) {
      dump(rest);
    } else if (!what.isEmpty() && "load".startsWith(what)) {
      load(rest);
    } else {
      throw CommandException.plain(
          "No valid entity in archive command\nInput line must include, \"Dump\", or \"load\"");
    }
  }

  private void dump(List<String> words) throws CommandException {
    Set<RecordKind> archived = EnumSet.noneOf(RecordKind.class);
    Map<RecordKind, RetentionAge> ages = new EnumMap<>(RecordKind.class);
    String directory = null;
    String script = null;
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      RecordKind purged = purged(setting);
      if (setting.is(1, "Directory")) {
        directory = setting.value();
      } else if (setting.is(2, "Script")) {
        script = setting.value();
      } else if (purged != null) {
        RetentionAge age = RetentionAge.of(setting.value());
        if (age == null) {
          throw CommandException.error("Invalid purge string '" + setting.value() + "'");
        }
        ages.put(purged, age);
      } else {
        archived.add(kind(setting, word));
      }
    }
    Set<RecordKind> all = EnumSet.noneOf(RecordKind.class);
    all.addAll(archived);
    all.addAll(ages.keySet());
    List<ArchiveOrder.Kind> kinds = new ArrayList<>();
    for (RecordKind kind : all) {
      kinds.add(new ArchiveOrder.Kind(kind, ages.get(kind), archived.contains(kind)));
    }
    if (!session.agrees(QUESTION)) {
      return;
    }
    String problem = " Problem dumping archive: ";
    Response answer =
        moved(new Request.ArchiveRecords(new ArchiveOrder(kinds, directory, script)), problem);
    if (answer instanceof Response.Partly(var lines, var failures)) {
      session.print(lines.isEmpty() ? "" : text(lines));
      failures.forEach(one -> session.complain(problem + one));
      return;
    }
    List<String> lines = lines(answer);
    session.print(lines.isEmpty() ? " Nothing was old enough\n" : text(lines));
  }

  private static @Nullable RecordKind purged(SacctmgrSetting setting) {
    for (RecordKind kind : RecordKind.values()) {
      if (setting.is(kind.purgeKey().length() - "After".length(), kind.purgeKey())) {
        return kind;
      }
    }
    return null;
  }

  private static RecordKind kind(SacctmgrSetting setting, String word) throws CommandException {
    for (Map.Entry<String, RecordKind> one : WORDS.entrySet()) {
      if (setting.key().isEmpty() && one.getKey().equalsIgnoreCase(setting.value())) {
        return one.getValue();
      }
    }
    throw CommandException.plain(" Unknown condition: " + word);
  }

  private void load(List<String> words) throws CommandException {
    String file = null;
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (setting.isNameOr(1, "File")) {
        file = setting.value();
      } else if (setting.is(2, "Insert")) {
        throw CommandException.plain(" Insert= is not taken here: load a file that dump wrote");
      } else {
        throw CommandException.plain(" Unknown condition: " + word);
      }
    }
    if (file == null || !file.startsWith("/")) {
      throw CommandException.plain(
          " No file given, specify one with file=, by its whole path on the host of slurmctld,"
              + " or of slurmdbd if it keeps the records");
    }
    Response answer = moved(new Request.LoadRecords(file), " Problem loading archive file: ");
    session.print(text(lines(answer)));
  }

  private static String text(List<String> lines) {
    return " " + String.join("\n ", lines) + "\n";
  }

  private static List<String> lines(Response answer) {
    return answer instanceof Response.Text moved ? moved.lines() : List.of();
  }

  private Response moved(Request request, String problem) throws CommandException {
    Response answer = session.port().ask(request);
    Reply.Refused refused = ResponseCheck.refusal(answer);
    if (refused != null) {
      String why = refused.detail().isEmpty() ? refused.code().text() : refused.detail();
      throw CommandException.plain(problem + why);
    }
    return answer;
  }
}
