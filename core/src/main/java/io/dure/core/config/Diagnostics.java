package io.dure.core.config;

import io.dure.core.config.Diagnostic.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the findings of one reading; a hopeless file does not fill the memory with them. */
final class Diagnostics {
  static final int MOST = 1000;
  private static final int MOST_PROPOSALS = 100;

  private final List<Diagnostic> found = new ArrayList<>();
  private int proposals;
  private boolean overflowed;

  /** A place in a file. */
  record Place(String file, int line) {}

  void error(Place place, String key, String message, String remedy) {
    add(Severity.ERROR, place, key, message, remedy);
  }

  void warning(Place place, String key, String message, String remedy) {
    add(Severity.WARNING, place, key, message, remedy);
  }

  void noEffect(Place place, String key, String message) {
    add(Severity.NO_EFFECT, place, key, message, "");
  }

  void info(Place place, String key, String message) {
    add(Severity.INFO, place, key, message, "");
  }

  private void add(Severity severity, Place place, String key, String message, String remedy) {
    if (found.size() < MOST) {
      found.add(
          new Diagnostic(severity, place.file(), place.line(), shown(key), shown(message), remedy));
    } else if (!overflowed && severity == Severity.ERROR) {
      overflowed = true;
      String text = "more than " + MOST + " findings; the rest are not listed";
      found.add(
          new Diagnostic(severity, place.file(), place.line(), "", text, "Correct the first"));
    }
  }

  /** Whether to look for the key that was meant: not for every line of a hopeless file. */
  boolean mayPropose() {
    return proposals++ < MOST_PROPOSALS;
  }

  List<Diagnostic> inOrder(List<String> files) {
    List<Diagnostic> sorted = new ArrayList<>(found);
    sorted.sort(
        Comparator.comparingInt((Diagnostic d) -> files.indexOf(d.file()))
            .thenComparingInt(Diagnostic::line));
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
