package io.dure.surface.language;

import io.dure.surface.print.PlainText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The phrases of a command, in English or Korean: lines {@code NAME = TEXT} of {@code phrases.txt}
 * and {@code phrases-ko.txt} beside its class, with {@code {0}}, {@code {1}} for what is put in. Of
 * {@code [을/를]} that stays which follows what stands before it.
 */
public final class LocalizedPhrases {
  private static final List<String> VARIABLES = List.of("LC_ALL", "LC_MESSAGES", "LANG");

  private static final String[] NONE = {};

  private final Map<String, String> phrases = new TreeMap<>();

  private LocalizedPhrases(String text) {
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
  public static LocalizedPhrases of(Class<?> command, Map<String, String> environment) {
    return new LocalizedPhrases(HelpText.of(command, "phrases" + suffix(environment) + ".txt"));
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

  /** A phrase with what is put in; {@link #plain} where a user may have chosen it. */
  public String text(String name, Object... values) {
    String text = phrases.get(name);
    if (text == null) {
      throw new IllegalArgumentException("there is no phrase " + name);
    }
    StringBuilder put = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int digit = at + 1 < text.length() && text.charAt(at) == '{' ? text.charAt(at + 1) - '0' : -1;
      if (digit >= 0 && digit < values.length && text.startsWith("}", at + 2)) {
        put.append(plain(String.valueOf(values[digit])));
        at += 3;
      } else {
        int choice = text.charAt(at) == '[' ? text.indexOf(']', at) : -1;
        String[] two = choice < 0 ? NONE : text.substring(at + 1, choice).split("/", -1);
        if (two.length == 2) {
          put.append(KoreanParticles.after(put, two[0], two[1]));
          at = choice + 1;
        } else {
          put.append(text.charAt(at++));
        }
      }
    }
    return put.toString();
  }

  /**
   * A text without what would move a terminal's cursor or change its state: "?" is in its place.
   */
  public static String plain(String text) {
    return PlainText.of(text);
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
        || point >= 0xff00 && point <= 0xff60
        || point >= 0x1f300 && point <= 0x1faff
        || point >= 0x20000 && point <= 0x3fffd;
  }
}
