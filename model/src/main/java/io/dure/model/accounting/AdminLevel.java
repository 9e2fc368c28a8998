package io.dure.model.accounting;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a user may change of the accounts. */
public enum AdminLevel {
  /** Nothing but what its accounts' coordination gives. */
  NONE("None"),
  /** Accounts, users and associations; neither levels nor QOS. */
  OPERATOR("Operator"),
  /** Everything. */
  ADMINISTRATOR("Administrator");

  private final String word;

  AdminLevel(String word) {
    this.word = word;
  }

  /** As it is printed. */
  public String word() {
    return word;
  }

  /** The level that a word begins with as Slurm reads it, null for none. */
  public static @Nullable AdminLevel of(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.isEmpty()) {
      return null;
    }
    for (AdminLevel level : values()) {
      if (level.word.toLowerCase(Locale.ROOT).startsWith(lower)) {
        return level;
      }
    }
    return null;
  }
}
