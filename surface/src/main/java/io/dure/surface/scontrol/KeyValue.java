package io.dure.surface.scontrol;

import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.surface.message.CommandException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One setting as typed.
 *
 * @param word the whole word
 * @param key what stands before the equals sign, lower case
 * @param operator the sign before the equals sign, 0 for none
 * @param value what stands after it without quotes around it, null without an equals sign
 */
record KeyValue(String word, String key, char operator, @Nullable String value) {

  static KeyValue parse(String word) {
    int equals = word.indexOf('=');
    if (equals < 0) {
      return new KeyValue(word, lower(word), '\0', null);
    }
    char before = equals > 0 ? word.charAt(equals - 1) : '\0';
    boolean signed = before == '+' || before == '-';
    String key = word.substring(0, signed ? equals - 1 : equals);
    String value = unquoted(word.substring(equals + 1));
    return new KeyValue(word, lower(key), signed ? before : '\0', value);
  }

  /** The value, empty where there is none. */
  String text() {
    return value == null ? "" : value;
  }

  /** Whether the key is the name, cut short to no less than so many letters. */
  boolean is(String name, int least) {
    return key.length() >= least && lower(name).startsWith(key);
  }

  /** The hosts that the value names, one at least. */
  List<String> hosts() throws CommandException {
    try {
      List<String> names = HostList.expand(text());
      if (!names.isEmpty()) {
        return names;
      }
    } catch (HostListException _) {
      // Refused below.
    }
    throw UpdateErrors.input(word);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static String unquoted(String text) {
    char quote = text.length() > 1 ? text.charAt(0) : 'x';
    boolean quoted = (quote == '"' || quote == '\'') && text.charAt(text.length() - 1) == quote;
    return quoted ? text.substring(1, text.length() - 1) : text;
  }
}
