package io.dure.surface.sacctmgr;

import io.dure.model.accounting.AccountingChange;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.ClusterChange;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Does a command for each of the clusters that share a slurmdbd, as if it were one: what it says is
 * put together, it asks once, and all is changed or nothing. For one thread.
 */
final class ClusterFanOut {
  private static final String PLACE = "C = ";

  private final SacctmgrSession session;

  ClusterFanOut(SacctmgrSession session) {
    this.session = session;
  }

  private record Planned(ClusterAccounts cluster, ClusterPlan plan) {
    ClusterPlan.Wish wish() {
      return Objects.requireNonNull(plan.wish());
    }
  }

  /** Makes a change for the clusters that the words name, for all if they name none. */
  void change(List<String> words, ClusterPlan.Action action) throws CommandException {
    if (session.clusters().isEmpty()) {
      action.run();
      return;
    }
    List<Planned> all = planned(words, action);
    List<Planned> wishing = all.stream().filter(one -> one.plan().wish() != null).toList();
    if (wishing.isEmpty()) {
      retell(all);
      return;
    }
    Set<StderrMessage> told = new LinkedHashSet<>();
    wishing.forEach(one -> told.addAll(one.plan().told()));
    told.forEach(session::report);
    wishing.forEach(one -> session.exitCode(Math.max(session.exitCode(), one.plan().exitCode())));
    session.print(merged(wishing.stream().map(one -> one.plan().printed()).toList()));
    ClusterPlan.Wish first = wishing.getFirst().wish();
    List<String> reports =
        wishing.stream().map(one -> Objects.requireNonNullElse(one.wish().report(), "")).toList();
    session.commit(
        new ClusterPlan.Wish(
            first.prefix(),
            first.report() == null ? null : merged(reports),
            List.of(),
            wishing.stream().allMatch(one -> one.wish().allowed())),
        changes(wishing));
  }

  /** What each wishes; federations are the same in the accounts of all clusters. */
  private List<ClusterChange> changes(List<Planned> wishing) throws CommandException {
    List<ClusterChange> all = new ArrayList<>(wishing.stream().map(ClusterFanOut::change).toList());
    List<AccountingChange> everywhere =
        wishing.stream()
            .flatMap(one -> one.wish().changes().stream())
            .filter(AccountingChange.FederationsSet.class::isInstance)
            .distinct()
            .toList();
    for (ClusterAccounts other :
        everywhere.isEmpty() ? List.<ClusterAccounts>of() : session.clusters()) {
      if (all.stream().noneMatch(one -> one.cluster().equals(other.cluster()))) {
        all.add(new ClusterChange(other.cluster(), other.accounts().version(), everywhere));
      }
    }
    return all;
  }

  private static ClusterChange change(Planned one) {
    List<AccountingChange> changes = one.wish().changes();
    return new ClusterChange(one.cluster().cluster(), one.cluster().accounts().version(), changes);
  }

  /** Says what was said for the first cluster, and what else is told of others. */
  private void retell(List<Planned> all) throws CommandException {
    if (all.isEmpty()) {
      return;
    }
    session.print(all.getFirst().plan().printed());
    Set<StderrMessage> told = new LinkedHashSet<>();
    all.forEach(one -> told.addAll(one.plan().told()));
    told.forEach(session::report);
    all.forEach(one -> session.exitCode(Math.max(session.exitCode(), one.plan().exitCode())));
  }

  private List<Planned> planned(List<String> words, ClusterPlan.Action action)
      throws CommandException {
    List<Planned> all = new ArrayList<>();
    for (ClusterAccounts cluster : chosen(words)) {
      ClusterPlan plan = new ClusterPlan();
      try {
        session.at(cluster, plan, action);
      } catch (CommandException e) {
        e.messages().forEach(plan::tell);
        plan.exitCode(e.exitCode());
      }
      all.add(new Planned(cluster, plan));
    }
    return all;
  }

  /** The clusters that are named; one that is not there is complained of. */
  private List<ClusterAccounts> chosen(List<String> words) throws CommandException {
    List<String> names = new ArrayList<>();
    for (String word : words) {
      SacctmgrSetting setting = SacctmgrSetting.of(word);
      if (setting.is(4, "Clusters")) {
        names.addAll(setting.names());
      }
    }
    List<ClusterAccounts> all = session.clusters();
    for (String name : names) {
      if (all.stream().noneMatch(one -> one.cluster().equals(name))) {
        throw CommandException.plain(
            " This cluster '"
                + name
                + "' doesn't exist.\n"
                + "        Contact your admin to add it to accounting.");
      }
    }
    return all.stream().filter(one -> names.isEmpty() || names.contains(one.cluster())).toList();
  }

  /**
   * Lists what the chosen clusters have, under one header.
   *
   * @param distinct whether lines of which there is one already are left out
   */
  void list(List<String> words, boolean distinct, ClusterPlan.Action action)
      throws CommandException {
    if (session.clusters().isEmpty() || session.isDocument()) {
      action.run();
      return;
    }
    int head = session.table().headerLines();
    List<Planned> all = planned(words, action);
    List<String> lines = new ArrayList<>();
    for (Planned one : all) {
      List<String> own = one.plan().printed().lines().toList();
      lines.addAll(lines.isEmpty() ? own : own.subList(Math.min(head, own.size()), own.size()));
    }
    if (distinct) {
      lines = new ArrayList<>(new LinkedHashSet<>(lines));
    }
    Set<StderrMessage> told = new LinkedHashSet<>();
    all.forEach(one -> told.addAll(one.plan().told()));
    told.forEach(session::report);
    all.forEach(one -> session.exitCode(Math.max(session.exitCode(), one.plan().exitCode())));
    lines.forEach(line -> session.print(line + "\n"));
  }

  /**
   * What was said for several clusters as one text: lines that name a place in a cluster stand
   * together, others once.
   */
  static String merged(List<String> texts) {
    List<List<List<String>>> parts = texts.stream().map(ClusterFanOut::runs).toList();
    List<List<String>> first = parts.getFirst();
    if (parts.stream().anyMatch(one -> one.size() != first.size())) {
      return String.join("", new LinkedHashSet<>(texts));
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < first.size(); i++) {
      int at = i;
      List<List<String>> runs = parts.stream().map(one -> one.get(at)).toList();
      (isPlaced(first.get(i)) ? woven(runs) : once(runs))
          .forEach(line -> out.append(line).append('\n'));
    }
    return out.toString();
  }

  private static boolean isPlaced(List<String> run) {
    return !run.isEmpty() && run.getFirst().contains(PLACE);
  }

  /** Runs of lines, by turns without and with a place. */
  private static List<List<String>> runs(String text) {
    List<List<String>> runs = new ArrayList<>();
    for (String line : text.lines().toList()) {
      boolean placed = line.contains(PLACE);
      if (runs.isEmpty() || isPlaced(runs.getLast()) != placed) {
        runs.add(new ArrayList<>());
      }
      runs.getLast().add(line);
    }
    return runs;
  }

  /** The first line of each, then the second of each. */
  private static List<String> woven(List<List<String>> runs) {
    List<String> lines = new ArrayList<>();
    int longest = runs.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (List<String> run : runs) {
        if (i < run.size()) {
          lines.add(run.get(i));
        }
      }
    }
    return lines;
  }

  private static List<String> once(List<List<String>> runs) {
    Set<String> lines = new LinkedHashSet<>();
    runs.forEach(lines::addAll);
    return List.copyOf(lines);
  }
}
