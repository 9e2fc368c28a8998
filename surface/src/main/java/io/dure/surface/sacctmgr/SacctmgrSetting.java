package io.dure.surface.sacctmgr;

import io.dure.surface.value.KeywordParser;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One word after an entity.
 *
 * @param key what stands before the equals sign, in lower case; empty for a name alone
 * @param change whether the value replaces, adds or takes away
 * @param value what stands behind it
 * @param word as typed
 */
record SacctmgrSetting(String key, SacctmgrSetting.Change change, String value, String word) {

  /** What a value does to the one before. */
  enum Change {
    SET,
    ADD,
    REMOVE;

    /** What a list becomes by these names, sorted and each once. */
    <T> List<T> of(List<T> before, List<T> named) {
      Stream<T> next =
          switch (this) {
            case SET -> named.stream();
            case ADD -> Stream.concat(before.stream(), named.stream());
            case REMOVE -> before.stream().filter(one -> !named.contains(one));
          };
      return next.sorted().distinct().toList();
    }
  }

  /** A word as a shell or a prompt hands it over: quotes around the value are left out. */
  static SacctmgrSetting of(String word) {
    SacctmgrSetting whole = unquoted(word);
    return new SacctmgrSetting(whole.key, whole.change, withoutQuotes(whole.value), word);
  }

  /** A word whose quotes were taken away already. */
  static SacctmgrSetting unquoted(String word) {
    int equals = word.indexOf('=');
    if (equals < 0) {
      return new SacctmgrSetting("", Change.SET, word, word);
    }
    String key = word.substring(0, equals);
    Change change = Change.SET;
    if (key.endsWith("+")) {
      change = Change.ADD;
    } else if (key.endsWith("-")) {
      change = Change.REMOVE;
    }
    String name = change == Change.SET ? key : key.substring(0, key.length() - 1);
    String value = word.substring(equals + 1);
    return new SacctmgrSetting(name.toLowerCase(Locale.ROOT), change, value, word);
  }

  private static String withoutQuotes(String value) {
    boolean quoted =
        value.length() > 1
            && (value.charAt(0) == '"' || value.charAt(0) == '\'')
            && value.charAt(value.length() - 1) == value.charAt(0);
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  /** Whether it is called so; a name may be cut short to its first letters. */
  boolean is(int shortest, String... names) {
    for (String name : names) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (key.equals(lower) || (key.length() >= shortest && lower.startsWith(key))) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is a name alone, or called so. */
  boolean isNameOr(int shortest, String... names) {
    return key.isEmpty() || is(shortest, names);
  }

  /** The names of its list, in lower case. */
  List<String> names() {
    return KeywordParser.list(value.toLowerCase(Locale.ROOT));
  }

  /** Whether the word is {@code where} or {@code set}. */
  static boolean isKeyword(String word, String keyword) {
    return word.equalsIgnoreCase(keyword);
  }

  @Nullable String valueOrNull() {
    return value.isEmpty() ? null : value;
  }
}
