package io.dure.surface.change;

import io.dure.surface.body.DocumentValue;

/** What a member of an object means to {@code scontrol}. */
@FunctionalInterface
interface ChangeMember {

  /**
   * Adds the words that it means.
   *
   * @param name of the member
   */
  void add(ChangeWords words, String name, DocumentValue value);

  /** A key with the value as it is. */
  static ChangeMember key(String key) {
    return (words, _, value) -> words.put(key, value);
  }

  /** The same for a number with a unit. */
  static ChangeMember key(String key, String unit) {
    return (words, _, value) -> words.put(key, ChangeWords.text(value, unit));
  }

  /** A moment in seconds since 1970. */
  static ChangeMember moment(String key) {
    return (words, _, value) -> {
      if (value instanceof DocumentValue.Whole(long seconds) && seconds > 0) {
        words.put(key, "uts" + seconds);
      }
    };
  }

  /** No meaning. */
  static ChangeMember none(String why) {
    return (words, name, value) -> words.ignored(name, why);
  }
}
