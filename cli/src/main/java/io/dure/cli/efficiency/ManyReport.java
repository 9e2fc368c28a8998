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
  private final UseTotals all = new UseTotals();

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
    String group = byUser() ? run.job().owner().userName() : run.job().spec().name();
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

  /** The groups, those with most idle CPUs first. */
  List<Map.Entry<String, UseTotals>> groups() {
    List<Map.Entry<String, UseTotals>> sorted = new ArrayList<>(groups.entrySet());
    sorted.sort(
        Comparator.comparingLong(
                (Map.Entry<String, UseTotals> one) -> -one.getValue().idleCpuSeconds())
            .thenComparing(Map.Entry::getKey));
    return sorted;
  }
}
