package io.dure.model.config.power;

import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.config.power.PowerSettings.KeptUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the lists of what is not switched off. */
public final class PowerSettingsReader {
  /** The states that SuspendExcStates may name and that a node of Dure can be in. */
  private static final List<String> STATES =
      List.of(
          "CLOUD",
          "DOWN",
          "DRAIN",
          "DYNAMIC_NORM",
          "FAIL",
          "MAINTENANCE",
          "NOT_RESPONDING",
          "RESERVED");

  /** Those that no node of Dure is in while it is idle. */
  private static final List<String> NEVER_SEEN =
      List.of("DYNAMIC_FUTURE", "INVALID_REG", "PERFCTRS", "PLANNED");

  private PowerSettingsReader() {}

  /**
   * The nodes of {@code SuspendExcNodes}: {@code n[1-4]:2,n7}.
   *
   * @param errors takes a message and a remedy
   */
  public static List<KeptUp> keptUp(List<String> values, BiConsumer<String, String> errors) {
    List<KeptUp> kept = new ArrayList<>();
    for (String value : values) {
      for (String part : parts(value)) {
        int colon = part.lastIndexOf(':');
        Integer count = colon < 0 ? Integer.valueOf(Integer.MAX_VALUE) : count(part, colon);
        try {
          List<String> nodes = HostList.expand(colon < 0 ? part : part.substring(0, colon));
          if (count != null) {
            kept.add(new KeptUp(nodes, count));
            continue;
          }
        } catch (HostListException e) {
          errors.accept("value (" + part + ") is no list of nodes", "Write such as n[1-4]:2,n7");
          continue;
        }
        errors.accept("value (" + part + ") ends in no number", "Write such as n[1-4]:2,n7");
      }
    }
    return kept;
  }

  private static @Nullable Integer count(String part, int colon) {
    String digits = part.substring(colon + 1);
    return digits.matches("[0-9]{1,9}") ? Integer.valueOf(digits) : null;
  }

  /** The pieces between commas that are in no brackets. */
  private static List<String> parts(String value) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(value.substring(from, i).strip());
        from = i + 1;
      }
    }
    parts.add(value.substring(from).strip());
    parts.removeIf(String::isEmpty);
    return parts;
  }

  /**
   * The states of {@code SuspendExcStates}.
   *
   * @param errors takes a message and a remedy, which is null for what has no effect
   */
  public static List<String> keptStates(
      List<String> words, BiConsumer<String, @Nullable String> errors) {
    List<String> states = new ArrayList<>();
    for (String word : words) {
      String state = word.toUpperCase(Locale.ROOT);
      if (STATES.contains(state)) {
        states.add(state);
      } else if (NEVER_SEEN.contains(state)) {
        errors.accept(word + ": no idle node is in that state", null);
      } else {
        errors.accept(
            "value (" + word + ") is no state that keeps nodes up", "Write some of " + STATES);
      }
    }
    return states;
  }
}
