package io.dure.surface.sacctmgr;

import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.ServerResource;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.json.AccountingJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.DigitParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Licences of servers, of which each cluster gets a part: added, changed, deleted and listed. */
final class SacctmgrResources {
  private static final String USUAL = "Name,Server,Type,Count,LastConsumed,Allocated,ServerType";

  private final SacctmgrSession session;
  private final List<String> names = new ArrayList<>();
  private final List<String> servers = new ArrayList<>();
  private final List<String> clusters = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private final List<AccountingChange> changes = new ArrayList<>();
  private @Nullable String serverType;
  private @Nullable String description;
  private @Nullable String format;
  private @Nullable Integer count;
  private @Nullable Integer allowed;
  private @Nullable Boolean absolute;
  private boolean typed;
  private boolean withClusters;

  SacctmgrResources(SacctmgrSession session) {
    this.session = session;
  }

  /** Which ones are meant; false for a word that does not say that. */
  private boolean choose(SacctmgrSetting setting) {
    if (setting.isNameOr(1, "Names", "Resources")) {
      names.addAll(setting.names());
    } else if (setting.is(1, "Servers")) {
      servers.addAll(setting.names());
    } else if (setting.is(2, "Clusters")) {
      clusters.addAll(setting.names());
    } else if (setting.is(1, "IDs")) {
      ids.addAll(setting.names());
    } else {
      return false;
    }
    return true;
  }

  /** What they are to be; false for a word that does not say that. */
  private boolean set(SacctmgrSetting setting) throws CommandException {
    if (setting.is(2, "Count")) {
      count = number("count", setting);
    } else if (setting.is(1, "Allowed", "PercentAllowed")) {
      allowed = number("PercentAllowed", setting);
    } else if (setting.is(7, "ServerType") || setting.is(1, "Manager")) {
      serverType = setting.value();
    } else if (setting.is(1, "Description")) {
      description = setting.value();
    } else if (setting.is(1, "Flags")) {
      absolute = flag(setting.value());
    } else if (setting.is(1, "Type")) {
      typed = "license".startsWith(setting.value().toLowerCase(Locale.ROOT));
      if (!typed) {
        throw CommandException.plain(
            " Unknown resource type: '" + setting.value() + "'  Valid resources is License.");
      }
    } else {
      return false;
    }
    return true;
  }

  private @Nullable Integer number(String what, SacctmgrSetting setting) {
    long value = DigitParser.parse(setting.value(), Integer.MAX_VALUE);
    if (value < 0) {
      session.error("Invalid value for " + what + " (" + setting.value() + ")");
    }
    return value < 0 ? null : Integer.valueOf((int) value);
  }

  private static boolean flag(String text) throws CommandException {
    if (!text.isEmpty() && !text.equalsIgnoreCase("absolute")) {
      throw CommandException.plain(
          " Unknown Server Resource flag used in:",
          "  '" + text + "'",
          " Valid Server Resource flags are",
          " 'Absolute'");
    }
    return !text.isEmpty();
  }

  private static CommandException unknown(String word) {
    return CommandException.plain(
        " Unknown option: " + word, " Use keyword 'where' to modify condition");
  }

  private List<ClusterAccounts> all() throws CommandException {
    return session.clusters().isEmpty()
        ? List.of(new ClusterAccounts(session.cluster(), "", 0, session.known().accounts()))
        : session.clusters();
  }

  /** What each cluster gets of one. */
  private Map<String, Integer> parts(String place) throws CommandException {
    Map<String, Integer> parts = new TreeMap<>();
    for (ClusterAccounts cluster : all()) {
      for (ServerResource one : cluster.accounts().resources()) {
        Integer part = one.allowed();
        if (part != null && one.place().equals(place)) {
          parts.put(cluster.cluster(), part);
        }
      }
    }
    return parts;
  }

  void add(List<String> words) throws CommandException {
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (!SacctmgrSetting.isKeyword(word, "set") && !choose(setting) && !set(setting)) {
        throw unknown(word);
      }
    }
    if (names.isEmpty()) {
      throw CommandException.plain(" Need name of resource to add.");
    }
    checkClusters();
    AccountingTree tree = session.tree();
    int id = tree.nextResource();
    StringBuilder added = new StringBuilder();
    boolean fresh = false;
    for (String name : names) {
      String server = servers.isEmpty() ? null : servers.getFirst();
      ServerResource known = tree.resource(name + "@" + server);
      ServerResource next = known == null ? made(id++, name, server) : known;
      Map<String, Integer> parts = parts(next.place());
      boolean more = clusters.stream().anyMatch(one -> !parts.containsKey(one));
      if (known != null && !more) {
        continue;
      }
      fresh |= known == null;
      String own = session.cluster();
      if (clusters.contains(own) && !parts.containsKey(own)) {
        next = next.withAllowed(allowed == null ? 0 : allowed);
      }
      added.append("  ").append(next.place()).append('\n');
      for (String cluster : clusters) {
        parts.putIfAbsent(cluster, allowed == null ? 0 : allowed);
        added.append("   Cluster - ").append(cluster).append('\t');
        added.append(parts.get(cluster)).append(next.absolute() ? "" : "%").append('\n');
      }
      checkSum(next, parts);
      if (!next.equals(known)) {
        changes.add(new AccountingChange.ResourceSet(next));
      }
    }
    if (added.isEmpty()) {
      session.print(" Nothing new added.\n");
      session.exitCode(1);
      return;
    }
    session.print(" Adding Resource(s)\n" + added + " Settings\n" + settings(fresh));
    if (!changes.isEmpty()) {
      session.commit(" Problem adding system resource: ", changes);
    }
  }

  private void checkClusters() throws CommandException {
    List<String> known = all().stream().map(ClusterAccounts::cluster).toList();
    for (String cluster : clusters) {
      if (!known.contains(cluster)) {
        throw CommandException.plain(
            " This cluster '" + cluster + "' doesn't exist.",
            "        Contact your admin to add it to accounting.",
            " Need a valid cluster name to add a cluster resource.");
      }
    }
  }

  private ServerResource made(int id, String name, @Nullable String server)
      throws CommandException {
    String lacks =
        !typed ? "resource type" : server == null ? "server" : count == null ? "count" : null;
    if (lacks != null) {
      throw CommandException.plain(
          " Need to designate a " + lacks + " to initially add '" + name + "'.");
    }
    return new ServerResource(
        id,
        name,
        Objects.requireNonNull(server),
        Objects.requireNonNullElse(serverType, ""),
        Objects.requireNonNull(count),
        Objects.requireNonNullElse(description, name),
        Boolean.TRUE.equals(absolute),
        null);
  }

  private String settings(boolean fresh) {
    StringBuilder out = new StringBuilder();
    if (fresh) {
      out.append("  Name           = ").append(String.join(",", names)).append('\n');
    }
    out.append("  Server         = ").append(servers.getFirst()).append('\n');
    if (fresh) {
      out.append("  Description    = ");
      out.append(Objects.requireNonNullElse(description, names.getFirst())).append('\n');
      out.append("  ServerType     = ").append(Objects.requireNonNullElse(serverType, ""));
      out.append("\n  Count          = ").append(count).append('\n');
    }
    return out.append("  Type           = License\n").toString();
  }

  /** Refuses parts that are more than the whole together. */
  private void checkSum(ServerResource one, Map<String, Integer> parts) throws CommandException {
    long sum = parts.values().stream().mapToLong(Integer::longValue).sum();
    if (sum <= (one.absolute() ? one.count() : 100)) {
      return;
    }
    String unit = one.absolute() ? "" : "%";
    session.error("You can not allocate more than 100% of a resource");
    StringBuilder out = new StringBuilder(" If change was accepted it would look like this...\n");
    out.append("  ").append(one.place()).append('\n');
    parts.forEach((cluster, part) ->
        out.append("   Cluster - ")
            .append(cluster)
            .append("\t ")
            .append(part)
            .append(unit)
            .append('\n'));
    out.append("   total\t\t").append(sum).append(unit);
    throw CommandException.plain(out.toString());
  }

  private List<ServerResource> chosen() throws CommandException {
    List<ServerResource> found = new ArrayList<>();
    for (ServerResource one : session.tree().resources()) {
      if ((names.isEmpty() || names.contains(one.name()))
          && (servers.isEmpty() || servers.contains(one.server()))
          && (ids.isEmpty() || ids.contains(Integer.toString(one.id())))) {
        found.add(one);
      }
    }
    found.sort(Comparator.comparingInt(ServerResource::id));
    return found;
  }

  private boolean isMeant(String cluster) {
    return clusters.isEmpty() || clusters.contains(cluster);
  }

  void modify(List<String> words) throws CommandException {
    boolean setting = false;
    boolean some = false;
    for (String word : words) {
      if (SacctmgrSetting.isKeyword(word, "set")) {
        setting = true;
      } else if (SacctmgrSetting.isKeyword(word, "where")) {
        setting = false;
      } else if (setting ? !set(SacctmgrSetting.of(word)) : !choose(SacctmgrSetting.of(word))) {
        throw unknown(word);
      } else {
        some |= setting;
      }
    }
    if (!some) {
      throw CommandException.plain(" You didn't give me anything to set");
    }
    StringBuilder report = new StringBuilder();
    for (ServerResource one : chosen()) {
      report.append(modified(one));
    }
    if (report.isEmpty()) {
      session.print(" Nothing modified\n");
      session.exitCode(1);
    } else if (!changes.isEmpty()) {
      session.commitAllowed(" Modified server resource ...\n" + report, changes);
    }
  }

  private String modified(ServerResource one) throws CommandException {
    Map<String, Integer> parts = parts(one.place());
    ServerResource next =
        one.with()
            .count(Objects.requireNonNullElse(count, one.count()))
            .serverType(Objects.requireNonNullElse(serverType, one.serverType()))
            .description(Objects.requireNonNullElse(description, one.description()))
            .absolute(Objects.requireNonNullElse(absolute, one.absolute()))
            .build();
    boolean whole = count != null || serverType != null || description != null || absolute != null;
    StringBuilder report = new StringBuilder(whole ? "  " + one.place() + "\n" : "");
    for (String cluster : List.copyOf(parts.keySet())) {
      if (whole || allowed != null && isMeant(cluster)) {
        report.append("  Cluster - ").append(cluster).append("\t- ").append(one.place());
        report.append('\n');
      }
      if (allowed != null && isMeant(cluster)) {
        parts.put(cluster, allowed);
      }
    }
    checkSum(next, parts);
    if (next.allowed() != null) {
      next = next.withAllowed(parts.get(session.cluster()));
    }
    if (!next.equals(one) || !report.isEmpty() && next.allowed() != null) {
      changes.add(new AccountingChange.ResourceSet(next));
    }
    return report.toString();
  }

  void delete(List<String> words) throws CommandException {
    for (String word : words) {
      if (!SacctmgrSetting.isKeyword(word, "where") && !choose(SacctmgrSetting.of(word))) {
        throw CommandException.plain(
            " Unknown condition: " + word, " Use keyword 'set' to modify value");
      }
    }
    if (names.isEmpty() && servers.isEmpty() && clusters.isEmpty() && ids.isEmpty()) {
      throw CommandException.plain(" No conditions given to remove, not executing.");
    }
    StringBuilder report = new StringBuilder();
    for (ServerResource one : chosen()) {
      Map<String, Integer> parts = parts(one.place());
      report.append(clusters.isEmpty() ? "  " + one.place() + "\n" : "");
      for (String cluster : parts.keySet()) {
        if (isMeant(cluster)) {
          report.append("  Cluster - ").append(cluster).append("\t- ").append(one.place());
          report.append('\n');
        }
      }
      if (clusters.isEmpty()) {
        changes.add(new AccountingChange.ResourceRemoved(one.place()));
      } else if (isMeant(session.cluster()) && one.allowed() != null) {
        changes.add(new AccountingChange.ResourceSet(one.withAllowed(null)));
      }
    }
    if (report.isEmpty()) {
      session.print(" Nothing deleted\n");
      session.exitCode(1);
    } else if (!changes.isEmpty()) {
      session.commitAllowed(" Deleting resource(s)...\n" + report, changes);
    }
  }

  /** A line; the cluster is empty where clusters are not listed. */
  private record Row(ServerResource one, long allocated, String cluster, String allowed) {}

  void show(List<String> words) throws CommandException {
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.startsWith("withc")) {
        withClusters = true;
      } else if (setting.is(3, "Format")) {
        format = setting.value();
      } else if (!lower.equals("where") && !lower.startsWith("withd") && !choose(setting)) {
        throw CommandException.plain(
            " Unknown condition: " + word, " Use keyword 'set' to modify value");
      }
    }
    List<Row> rows = new ArrayList<>();
    for (ServerResource one : chosen()) {
      Map<String, Integer> parts = parts(one.place());
      long sum = parts.values().stream().mapToLong(Integer::longValue).sum();
      boolean meant = clusters.isEmpty() || parts.keySet().stream().anyMatch(this::isMeant);
      if (meant && !withClusters) {
        rows.add(new Row(one, sum, "", ""));
      }
      if (withClusters) {
        parts.forEach((cluster, part) -> {
          if (isMeant(cluster)) {
            rows.add(new Row(one, sum, cluster, part.toString()));
          }
        });
      }
    }
    print(rows);
  }

  private void print(List<Row> rows) throws CommandException {
    List<AccountingField<Row>> all =
        List.of(
            new AccountingField<>("Name", List.of("name"), 10, row -> row.one().name()),
            new AccountingField<>("Server", List.of("server"), 10, row -> row.one().server()),
            new AccountingField<>("Type", List.of("type"), 8, _ -> "License"),
            new AccountingField<>(
                "Count", List.of("count"), 6, row -> Integer.toString(row.one().count())),
            new AccountingField<>("LastConsumed", List.of("lastconsumed"), 12, _ -> "0"),
            new AccountingField<>(
                "Allocated", List.of("allocated"), 9, row -> Long.toString(row.allocated())),
            new AccountingField<>(
                "ServerType", List.of("servertype", "manager"), 10, row -> row.one().serverType()),
            new AccountingField<>("Cluster", List.of("cluster"), 10, Row::cluster),
            new AccountingField<>(
                "Allowed", List.of("allowed", "percentallowed"), 10, Row::allowed),
            new AccountingField<>(
                "Flags", List.of("flags"), 16, row -> row.one().absolute() ? "Absolute" : ""),
            new AccountingField<>(
                "Description", List.of("description"), 20, row -> row.one().description()),
            new AccountingField<>("ID", List.of("id"), 6, row -> Integer.toString(row.one().id())));
    AccountingJson document = session.document();
    if (document != null) {
      document.rows(
          "resources",
          all.stream().map(AccountingField::header).toList(),
          rows.stream()
              .map(row -> all.stream().map(field -> field.value().apply(row)).toList())
              .toList());
      return;
    }
    String usual = withClusters ? USUAL + ",Cluster,Allowed,Flags" : USUAL + ",Flags";
    List<String> unknown = new ArrayList<>();
    List<AccountingField<Row>> fields =
        AccountingField.parse(all, Objects.requireNonNullElse(format, usual), unknown);
    if (fields == null) {
      throw CommandException.plain("Unknown field '" + unknown.getFirst() + "'");
    }
    session.print(session.table().text(fields, rows));
  }
}
