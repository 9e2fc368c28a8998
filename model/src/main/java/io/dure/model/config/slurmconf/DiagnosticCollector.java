package io.dure.model.config.slurmconf;

import io.dure.model.config.gres.GresConfFindings;
import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the findings of one reading; the same is not said twice, and a hopeless file does not
 * fill the memory.
 */
final class DiagnosticCollector implements GresConfFindings {
  static final int MOST = 1000;
  private static final int MOST_PROPOSALS = 100;

  private final Set<ConfigDiagnostic> found = new LinkedHashSet<>();
  private int proposals;
  private final Map<Severity, Integer> counts = new EnumMap<>(Severity.class);

  /** A place in a file. */
  record SourceLocation(String file, int line) {}

  void error(SourceLocation place, String key, String message, String remedy) {
    add(Severity.ERROR, place, key, message, remedy);
  }

  void warning(SourceLocation place, String key, String message, String remedy) {
    add(Severity.WARNING, place, key, message, remedy);
  }

  /** An error with its remedy, or without one something that has no effect. */
  void found(SourceLocation place, String key, String message, @Nullable String remedy) {
    if (remedy == null) {
      noEffect(place, key, message);
    } else {
      error(place, key, message, remedy);
    }
  }

  @Override
  public void error(String file, int line, String key, String message, String remedy) {
    error(new SourceLocation(file, line), key, message, remedy);
  }

  @Override
  public void warning(String file, int line, String key, String message, String remedy) {
    warning(new SourceLocation(file, line), key, message, remedy);
  }

  @Override
  public void noEffect(String file, int line, String key, String message) {
    noEffect(new SourceLocation(file, line), key, message);
  }

  void noEffect(SourceLocation place, String key, String message) {
    add(Severity.NO_EFFECT, place, key, message, "");
  }

  void info(SourceLocation place, String key, String message) {
    add(Severity.INFO, place, key, message, "");
  }

  private void add(
      Severity severity, SourceLocation place, String key, String message, String remedy) {
    ConfigDiagnostic finding =
        new ConfigDiagnostic(
            severity, place.file(), place.line(), shown(key), shown(message), remedy);
    int count = counts.getOrDefault(severity, 0);
    if (count < MOST && found.add(finding)) {
      counts.put(severity, count + 1);
    } else if (count == MOST) {
      counts.put(severity, count + 1);
      String text = "more than " + MOST + " findings of this kind; the rest are not listed";
      found.add(new ConfigDiagnostic(severity, place.file(), place.line(), "", text, ""));
    }
  }

  /** Whether to look for the key that was meant: not for every line of a hopeless file. */
  boolean mayPropose() {
    return proposals++ < MOST_PROPOSALS;
  }

  List<ConfigDiagnostic> inOrder(List<String> files) {
    List<ConfigDiagnostic> sorted = new ArrayList<>(found);
    sorted.sort(
        Comparator.comparingInt((ConfigDiagnostic d) -> files.indexOf(d.file()))
            .thenComparingInt(ConfigDiagnostic::line));
    return sorted;
  }

  /** Text of the file as it may be printed: of bounded length and without control characters. */
  static String shown(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length() && i < 200; i++) {
      char c = text.charAt(i);
      out.append(Character.isISOControl(c) ? '?' : c);
    }
    return text.length() <= 200 ? out.toString() : out.append("...").toString();
  }
}
