package io.dure.cli.language;

import io.dure.cli.command.HelpText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The phrases of a command, in English or Korean: lines {@code NAME = TEXT} of {@code phrases.txt}
 * and {@code phrases-ko.txt} beside its class, with {@code {0}}, {@code {1}} for what is put in.
 */
public final class Phrases {
  private static final List<String> VARIABLES = List.of("LC_ALL", "LC_MESSAGES", "LANG");

  private final Map<String, String> phrases = new TreeMap<>();

  private Phrases(String text) {
    for (String line : text.lines().toList()) {
      int equals = line.indexOf(" = ");
      if (equals > 0 && !line.startsWith("#")) {
        phrases.put(line.substring(0, equals), line.substring(equals + 3));
      }
    }
  }

  /**
   * The phrases beside a class.
   *
   * @param environment the caller's, of which LC_ALL, LC_MESSAGES and LANG say the language
   */
  public static Phrases of(Class<?> command, Map<String, String> environment) {
    return new Phrases(HelpText.of(command, "phrases" + suffix(environment) + ".txt"));
  }

  private static String suffix(Map<String, String> environment) {
    for (String variable : VARIABLES) {
      String language = environment.getOrDefault(variable, "");
      if (!language.isEmpty()) {
        return language.equals("ko") || language.startsWith("ko_") ? "-ko" : "";
      }
    }
    return "";
  }

  /** A phrase with what is put in. */
  public String text(String name, Object... values) {
    String text = phrases.get(name);
    if (text == null) {
      throw new IllegalArgumentException("there is no phrase " + name);
    }
    for (int i = 0; i < values.length; i++) {
      text = text.replace("{" + i + "}", String.valueOf(values[i]));
    }
    return text;
  }

  /** The names of all phrases, in order. */
  public List<String> names() {
    return List.copyOf(phrases.keySet());
  }

  /** How many columns of a terminal a text takes: letters of East Asia take two. */
  public static int columns(String text) {
    return text.codePoints().map(point -> isWide(point) ? 2 : 1).sum();
  }

  private static boolean isWide(int point) {
    return point >= 0x1100 && point <= 0x115f
        || point >= 0x2e80 && point <= 0xa4cf
        || point >= 0xac00 && point <= 0xd7a3
        || point >= 0xf900 && point <= 0xfaff
        || point >= 0xff00 && point <= 0xff60;
  }
}
