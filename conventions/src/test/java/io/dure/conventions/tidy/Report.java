package io.dure.conventions.tidy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the rules found, and the figures that show what they looked at. */
final class Report {
  private record Largest(int amount, String subject) {}

  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final Map<String, Largest> largest = new LinkedHashMap<>();

  /** Holds an amount against its budget; the largest of each kind is kept as a figure. */
  void budget(Budget budget, SourceFile file, String subject, int line, int amount) {
    largest.merge(
        budget.title(),
        new Largest(amount, subject),
        (old, now) -> now.amount() > old.amount() ? now : old);
    if (amount > budget.most()) {
      String message = "%d %s, at most %d".formatted(amount, budget.unit(), budget.most());
      findings.add(new Finding(budget.rule(), subject, amount, place(file, line), message));
    }
  }

  void broken(String rule, SourceFile file, int line, String message) {
    findings.add(new Finding(rule, file.path(), 1, place(file, line), message));
  }

  void counted(String what, int amount) {
    counts.merge(what, amount, Integer::sum);
  }

  List<Finding> findings() {
    return List.copyOf(findings);
  }

  String figures() {
    StringBuilder text = new StringBuilder("checked:");
    counts.forEach(
        (what, amount) -> text.append(' ').append(amount).append(' ').append(what).append(','));
    text.setCharAt(text.length() - 1, ';');
    largest.forEach((title, top) ->
        text.append("\n  largest %s: %d (%s)".formatted(title, top.amount(), top.subject())));
    return text.toString();
  }

  private static String place(SourceFile file, int line) {
    return line > 0 ? file.path() + ":" + line : file.path();
  }
}
