package io.dure.surface.value;

import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Options whose values are words of a fixed set. */
public final class KeywordParser {

  private static final List<String> MAIL_TYPES =
      List.of(
          "NONE",
          "BEGIN",
          "END",
          "FAIL",
          "REQUEUE",
          "ALL",
          "INVALID_DEPEND",
          "STAGE_OUT",
          "TIME_LIMIT",
          "TIME_LIMIT_90",
          "TIME_LIMIT_80",
          "TIME_LIMIT_50",
          "ARRAY_TASKS");

  private static final List<String> HINTS =
      List.of("compute_bound", "memory_bound", "multithread", "nomultithread");

  private static final List<String> FREQUENCIES = List.of("low", "medium", "high", "highm1");

  private static final List<String> GOVERNORS =
      List.of("Conservative", "OnDemand", "Performance", "PowerSave", "SchedUtil", "UserSpace");

  private static final List<String> LIMITS =
      List.of("AS", "CORE", "CPU", "DATA", "FSIZE", "MEMLOCK", "NOFILE", "NPROC", "RSS", "STACK");

  private static final List<String> PLACEMENTS = List.of("block", "cyclic", "fcyclic", "*");

  private KeywordParser() {}

  /**
   * The nodes that a list of hosts names, in order, each once.
   *
   * @throws CommandException if it is none
   */
  public static List<String> nodes(String text) throws CommandException {
    try {
      return List.copyOf(new TreeSet<>(HostList.expand(text)));
    } catch (HostListException e) {
      throw CommandException.error("Invalid node name " + text);
    }
  }

  /** The words between commas, without blanks around them and without empty ones. */
  public static List<String> list(String text) {
    List<String> words = new ArrayList<>();
    int start = 0;
    while (start <= text.length()) {
      int comma = text.indexOf(',', start);
      int end = comma < 0 ? text.length() : comma;
      String word = text.substring(start, end).strip();
      if (!word.isEmpty()) {
        words.add(word);
      }
      start = end + 1;
    }
    return words;
  }

  /** The word of the set that the text is, without regard to case, or null. */
  private static @Nullable String find(List<String> set, String text) {
    for (String word : set) {
      if (word.equalsIgnoreCase(text)) {
        return word;
      }
    }
    return null;
  }

  /** The events of {@code --mail-type} in their usual spelling, or null if one is no event. */
  public static @Nullable String mailTypes(String text) {
    StringBuilder known = new StringBuilder();
    List<String> words = list(text);
    for (String word : words) {
      String type = find(MAIL_TYPES, word);
      if (type == null) {
        return null;
      }
      if (!known.isEmpty()) {
        known.append(',');
      }
      known.append(type);
    }
    return words.isEmpty() ? null : known.toString();
  }

  /** Whether {@code --hint} knows the text. */
  public static boolean isHint(String text) {
    return find(HINTS, text) != null;
  }

  /**
   * Whether {@code --distribution} knows the text: {@code block}, {@code cyclic}, {@code
   * plane=SIZE}, {@code arbitrary} or {@code *}, then up to two levels after colons, then {@code
   * Pack} or {@code NoPack} after a comma.
   */
  public static boolean isDistribution(String text) {
    List<String> parts = list(text);
    if (parts.isEmpty() || parts.size() > 2) {
      return false;
    }
    if (parts.size() == 2
        && !parts.get(1).equalsIgnoreCase("pack")
        && !parts.get(1).equalsIgnoreCase("nopack")) {
      return false;
    }
    String levels = parts.get(0);
    if (levels.regionMatches(true, 0, "plane=", 0, 6)) {
      return DigitParser.parse(levels.substring(6), Integer.MAX_VALUE) > 0;
    }
    if (levels.equalsIgnoreCase("arbitrary") || levels.equalsIgnoreCase("plane")) {
      return true;
    }
    int count = 0;
    int start = 0;
    while (start <= levels.length()) {
      int colon = levels.indexOf(':', start);
      int end = colon < 0 ? levels.length() : colon;
      String level = levels.substring(start, end);
      boolean placement = find(PLACEMENTS, level) != null;
      if (!placement || (count == 0 && level.equalsIgnoreCase("fcyclic")) || ++count > 3) {
        return false;
      }
      start = end + 1;
    }
    return true;
  }

  /** Whether {@code --cpu-freq} knows the text: {@code p1[-p2[:p3]]} or a governor. */
  public static boolean isCpuFrequency(String text) {
    if (find(GOVERNORS, text) != null) {
      return true;
    }
    int colon = text.indexOf(':');
    if (colon >= 0 && find(GOVERNORS, text.substring(colon + 1)) == null) {
      return false;
    }
    String range = colon < 0 ? text : text.substring(0, colon);
    int dash = range.indexOf('-');
    if (dash < 0) {
      return isFrequency(range);
    }
    return isFrequency(range.substring(0, dash)) && isFrequency(range.substring(dash + 1));
  }

  private static boolean isFrequency(String text) {
    return DigitParser.only(text) || find(FREQUENCIES, text) != null;
  }

  /**
   * The limits that {@code --propagate} names: every one for {@code ALL} and for no text at all,
   * none for {@code NONE}, null if a word is no limit.
   */
  public static @Nullable List<String> limits(@Nullable String text) {
    if (text == null || text.equalsIgnoreCase("ALL")) {
      return LIMITS;
    }
    if (text.equalsIgnoreCase("NONE")) {
      return List.of();
    }
    List<String> named = new ArrayList<>();
    for (String word : list(text)) {
      String limit = limit(word);
      if (limit == null) {
        return null;
      }
      named.add(limit);
    }
    return named;
  }

  private static @Nullable String limit(String word) {
    boolean prefixed = word.regionMatches(true, 0, "RLIMIT_", 0, 7);
    return find(LIMITS, prefixed ? word.substring(7) : word);
  }

  /** The first word of such a list that names no limit, null if each does. */
  public static @Nullable String unknownLimit(String text) {
    return limits(text) != null
        ? null
        : list(text).stream().filter(word -> limit(word) == null).findFirst().orElse(null);
  }
}
