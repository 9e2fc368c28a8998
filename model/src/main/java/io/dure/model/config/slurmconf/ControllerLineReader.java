package io.dure.model.config.slurmconf;

import static io.dure.model.config.AccountingStorage.MARIADB;
import static io.dure.model.config.AccountingStorage.POSTGRESQL;

import io.dure.model.accounting.AccountingEnforcement;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterSettings.Host;
import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;
import java.util.ArrayList;
import java.util.List;

/** Reads where controllers are, and what they show to whom. */
final class ControllerLineReader {
  private static final List<String> ENFORCED =
      List.of(
          "all", "associations", "limits", "none", "no", "0", "1", "qos", "safe", "wckeys", "yes");

  private static final List<String> PRIVATE =
      List.of(
          "accounts",
          "cloud",
          "events",
          "jobs",
          "nodes",
          "partitions",
          "reservations",
          "usage",
          "users");

  private static final List<String> TIME_FORMATS =
      List.of(
          "iso8601",
          "iso8601_ms",
          "rfc5424",
          "rfc5424_ms",
          "rfc3339",
          "clock",
          "short",
          "thread_id",
          "format_stderr");

  private static final List<String> STORED =
      List.of("job_comment", "job_env", "job_extra", "job_script", "no_stdio");

  private final SectionValues values;
  private final DiagnosticCollector diagnostics;
  private final SourceLocation start;

  ControllerLineReader(SectionValues values, SourceLocation start) {
    this.values = values;
    diagnostics = values.diagnostics();
    this.start = start;
  }

  private SourceLocation at(String name) {
    return values.place(name, start);
  }

  List<String> privateData() {
    List<String> words = new ArrayList<>(ValueSyntax.list(values.lower("PrivateData")));
    words.remove("none");
    for (String word : words) {
      if (!PRIVATE.contains(word)) {
        String message = "value (" + word + ") is nothing that can be private";
        String remedy = "Write some of " + String.join(", ", PRIVATE);
        diagnostics.error(at("PrivateData"), "PrivateData", message, remedy);
      }
    }
    return words;
  }

  List<String> logTimeFormat() {
    String key = "LogTimeFormat";
    List<String> words = ValueSyntax.list(values.lower(key));
    for (String word : words) {
      if (!TIME_FORMATS.contains(word)) {
        String remedy = "Write one of " + String.join(", ", TIME_FORMATS);
        diagnostics.error(at(key), key, "value (" + word + ") is no format of a time", remedy);
      }
    }
    return words;
  }

  AccountingStorage accountingStorage() {
    String key = "AccountingStorageType";
    AccountingStorage storage = AccountingStorage.of(values.text(key));
    if (storage == null) {
      String plugin = values.text(key);
      diagnostics.noEffect(at(key), key, plugin + " is not there: the records are embedded");
      return AccountingStorage.EMBEDDED;
    }
    boolean server = storage == MARIADB || storage == POSTGRESQL;
    if (server && values.isSet("AccountingStoragePass")) {
      String message = "every user reads this file, and each node may be sent it";
      String remedy =
          "Write StoragePass=... into slurmdbd.conf beside it, readable for SlurmUser only";
      diagnostics.warning(at("AccountingStoragePass"), "AccountingStoragePass", message, remedy);
    }
    return storage;
  }

  List<String> storeFlags() {
    String key = "AccountingStoreFlags";
    List<String> words = ValueSyntax.list(values.lower(key));
    for (String word : words) {
      if (!STORED.contains(word)) {
        String message = "value (" + word + ") is nothing that can be stored";
        diagnostics.error(at(key), key, message, "Write some of " + String.join(", ", STORED));
      }
    }
    return words;
  }

  AccountingEnforcement enforcement() {
    String key = "AccountingStorageEnforce";
    for (String word : ValueSyntax.list(values.lower(key))) {
      if (List.of("nojobs", "nosteps").contains(word)) {
        diagnostics.noEffect(at(key), key, word + ": read, and not acted on");
      } else if (!ENFORCED.contains(word)) {
        String message = "value (" + word + ") is nothing that can be enforced";
        String remedy = "Write some of associations, limits, qos, safe, wckeys, or all, or none";
        diagnostics.error(at(key), key, message, remedy);
      }
    }
    return AccountingEnforcement.of(values.text(key), values.flag("TrackWCKey"));
  }

  List<Host> hosts() {
    List<Host> hosts = new ArrayList<>();
    for (String text : values.repeated("SlurmctldHost")) {
      hosts.add(host(text));
    }
    if (hosts.isEmpty()) {
      addObsoleteHost(hosts, "ControlMachine", "ControlAddr");
      addObsoleteHost(hosts, "BackupController", "BackupAddr");
    }
    if (hosts.isEmpty()) {
      String remedy = "Write SlurmctldHost=NAME, the host name of the controller's machine";
      diagnostics.error(start, "SlurmctldHost", "not set", remedy);
      hosts.add(new Host("localhost", "localhost"));
    }
    return hosts;
  }

  private void addObsoleteHost(List<Host> hosts, String machine, String address) {
    String name = values.text(machine);
    if (!name.isEmpty()) {
      String at = values.text(address);
      hosts.add(new Host(name, at.isEmpty() ? name : at));
    }
  }

  private Host host(String text) {
    int open = text.indexOf('(');
    if (open < 0) {
      return new Host(text, text);
    }
    int close = text.indexOf(')', open);
    if (open == 0 || close != text.length() - 1 || close == open + 1) {
      String message = "value (" + text + ") is not NAME or NAME(ADDRESS)";
      diagnostics.error(at("SlurmctldHost"), "SlurmctldHost", message, "Write NAME(ADDRESS)");
      return new Host("localhost", "localhost");
    }
    return new Host(text.substring(0, open), text.substring(open + 1, close));
  }
}
