package io.dure.faults.corruption;

import io.dure.faults.corruption.RecoveryVerdict.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Plants damage, one piece at a time, each into fresh copies of the files of a controller that is
 * alone and of three that are a group, and starts on them.
 */
final class CorruptionBench {
  private static final int DECISIONS = 330;
  private static final int GROUP_SHARE = 3;

  private final PrintStream out;
  private final Map<String, Map<Outcome, Integer>> table = new TreeMap<>();
  private final Map<Outcome, Integer> lone = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Integer> group = new EnumMap<>(Outcome.class);

  CorruptionBench(PrintStream out) {
    this.out = out;
  }

  /**
   * Plants that much, every third in a group.
   *
   * @return how much of it was met otherwise than promised
   */
  int run(long seed, int count)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    out.println("corruption: " + count + " pieces of damage, seed " + seed);
    Path root = Files.createTempDirectory("dure-corruption-");
    try {
      Random random = new Random(seed);
      GeneratedHistory history = GeneratedHistory.of(seed, DECISIONS);
      List<StandaloneFixture> alone = StandaloneFixture.make(root.resolve("lone"), history);
      List<ReplicatedFixture> groups = ReplicatedFixture.make(root.resolve("group"), history);
      Path place = root.resolve("case");
      for (int i = 0; i < count; i++) {
        boolean shared = i % GROUP_SHARE == GROUP_SHARE - 1;
        FileDamage damage;
        RecoveryVerdict verdict;
        if (shared) {
          ReplicatedFixture files = groups.get(random.nextInt(groups.size()));
          damage = planted(files.whole(), place, random);
          verdict = files.start(place, damage);
        } else {
          StandaloneFixture files = alone.get(random.nextInt(alone.size()));
          damage = planted(files.whole(), place, random);
          verdict = files.start(place, damage);
        }
        count(shared, damage, verdict);
        TestDirectories.delete(place);
      }
    } finally {
      TestDirectories.delete(root);
    }
    return report(count);
  }

  private static FileDamage planted(Path whole, Path place, Random random) throws IOException {
    TestDirectories.copy(whole, place);
    FileDamage damage = FileDamage.of(place, random);
    damage.plant(place);
    return damage;
  }

  private void count(boolean shared, FileDamage damage, RecoveryVerdict verdict) {
    String row =
        "%-7s %-10s %-32s".formatted(shared ? "group" : "alone", damage.sort(), damage.kind().text);
    table
        .computeIfAbsent(row, _ -> new EnumMap<>(Outcome.class))
        .merge(verdict.outcome(), 1, Integer::sum);
    (shared ? group : lone).merge(verdict.outcome(), 1, Integer::sum);
    if (verdict.outcome() == Outcome.MISSED || verdict.outcome() == Outcome.UNTOLD) {
      out.println(
          verdict.outcome().text
              + ": "
              + (shared ? "group, " : "alone, ")
              + damage
              + "\n  "
              + verdict.words());
    }
  }

  private int report(int count) {
    StringBuilder head = new StringBuilder(" ".repeat(51));
    for (Outcome outcome : Outcome.values()) {
      head.append("%12s".formatted(outcome.text));
    }
    out.println(head);
    table.forEach((row, outcomes) -> out.println(row + cells(outcomes)));
    out.println("%-51s".formatted("all") + cells(sum()));
    int missed = sum().getOrDefault(Outcome.MISSED, 0);
    int untold = sum().getOrDefault(Outcome.UNTOLD, 0);
    int ofGroup = group.values().stream().mapToInt(n -> n).sum();
    out.println(
        "corruption: detected "
            + (count - missed - untold)
            + " of "
            + count
            + (untold == 0 ? "" : ", without any effect " + untold)
            + "; recovered "
            + (ofGroup - group.getOrDefault(Outcome.MISSED, 0))
            + " of "
            + ofGroup
            + " with a quorum; a wrong state taken for the true one, or no end: "
            + missed);
    return missed + untold;
  }

  private Map<Outcome, Integer> sum() {
    Map<Outcome, Integer> sum = new EnumMap<>(lone);
    group.forEach((outcome, n) -> sum.merge(outcome, n, Integer::sum));
    return sum;
  }

  private static String cells(Map<Outcome, Integer> outcomes) {
    StringBuilder cells = new StringBuilder();
    for (Outcome outcome : Outcome.values()) {
      int n = outcomes.getOrDefault(outcome, 0);
      cells.append("%12s".formatted(n == 0 ? "-" : n));
    }
    return cells.toString();
  }
}
