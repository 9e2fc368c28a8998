package io.dure.cli.efficiency;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Attempts of jobs by job name or, of an account, by user. For one thread. */
final class ManyReport {
  private final @Nullable String account;
  private final @Nullable String user;
  private final Instant from;
  private final @Nullable Instant until;
  private final Map<String, UseTotals> groups = new TreeMap<>();
  private final Map<Work, UseTotals> works = new TreeMap<>();
  private final Map<Work, JobReport.Trial> trials = new TreeMap<>();
  private final UseTotals all = new UseTotals();

  /** Jobs of one name of a user. */
  record Work(String user, String name) implements Comparable<Work> {
    @Override
    public int compareTo(Work other) {
      int order = user.compareTo(other.user);
      return order == 0 ? name.compareTo(other.name) : order;
    }
  }

  /**
   * Nothing yet.
   *
   * @param account the account that was named, null for none
   * @param user the user that was named, null for none
   * @param until the end of the time, null for now
   */
  ManyReport(
      @Nullable String account, @Nullable String user, Instant from, @Nullable Instant until) {
    this.account = account;
    this.user = user;
    this.from = from;
    this.until = until;
  }

  /** With an attempt more. */
  void add(RunUse run) {
    Work work = new Work(run.job().owner().userName(), run.job().spec().name());
    works.computeIfAbsent(work, _ -> new UseTotals()).add(run);
    String group = byUser() ? work.user() : work.name();
    groups.computeIfAbsent(group, _ -> new UseTotals()).add(run);
    all.add(run);
  }

  /** Whether its groups are users, not names of jobs. */
  boolean byUser() {
    return account != null && user == null;
  }

  /** Whose jobs they are. */
  String subject() {
    if (account != null) {
      return "account " + account + (user == null ? "" : ", user " + user);
    }
    return user == null ? "your jobs" : "user " + user;
  }

  Instant from() {
    return from;
  }

  @Nullable Instant until() {
    return until;
  }

  /** All together. */
  UseTotals all() {
    return all;
  }

  /** With what the controller says of the last job of a work. */
  void add(Work work, JobReport.Trial trial) {
    trials.put(work, trial);
  }

  /** What the controller says of the last job of a work, null where it was not asked. */
  JobReport.@Nullable Trial trial(Work work) {
    return trials.get(work);
  }

  /** The groups, those with most idle CPUs first. */
  List<Map.Entry<String, UseTotals>> groups() {
    return sorted(groups);
  }

  /** What had better ask for something else the next time, what has most idle CPUs first. */
  List<Map.Entry<Work, UseTotals>> advised() {
    List<Map.Entry<Work, UseTotals>> advised = sorted(works);
    advised.removeIf(one -> one.getValue().text().isEmpty());
    return advised;
  }

  private static <K extends Comparable<K>> List<Map.Entry<K, UseTotals>> sorted(
      Map<K, UseTotals> totals) {
    List<Map.Entry<K, UseTotals>> sorted = new ArrayList<>(totals.entrySet());
    sorted.sort(
        Comparator.comparingLong((Map.Entry<K, UseTotals> one) -> -one.getValue().idleCpuSeconds())
            .thenComparing(Map.Entry::getKey));
    return sorted;
  }
}
