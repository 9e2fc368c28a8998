package io.dure.surface.sreport;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** In what a report gives amounts of time. */
public enum ReportUnit {
  SECONDS("Seconds", 1, false),
  MINUTES("Minutes", 60, false),
  HOURS("Hours", 3600, false),
  PERCENT("Percentage of Total", 0, true),
  SECONDS_PERCENT("Seconds/Percentage of Total", 1, true),
  MINUTES_PERCENT("Minutes/Percentage of Total", 60, true),
  HOURS_PERCENT("Hours/Percentage of Total", 3600, true);

  private final String words;
  private final int seconds;
  private final boolean percent;

  ReportUnit(String words, int seconds, boolean percent) {
    this.words = words;
    this.seconds = seconds;
    this.percent = percent;
  }

  /** The unit that a word names, null for none. */
  public static @Nullable ReportUnit find(String word) {
    String typed = word.toLowerCase(Locale.ROOT);
    if (typed.startsWith("secp")) {
      return SECONDS_PERCENT;
    } else if (typed.startsWith("minp")) {
      return MINUTES_PERCENT;
    } else if (typed.startsWith("hourp")) {
      return HOURS_PERCENT;
    } else if (typed.startsWith("s")) {
      return SECONDS;
    } else if (typed.startsWith("m")) {
      return MINUTES;
    } else if (typed.startsWith("h")) {
      return HOURS;
    }
    return typed.startsWith("p") ? PERCENT : null;
  }

  /** As the head of a report says it. */
  String words() {
    return words;
  }

  /** Whether a part of the whole is shown beside the time. */
  boolean isBoth() {
    return percent && seconds > 0;
  }

  /** Whether it needs the whole. */
  boolean hasPercent() {
    return percent;
  }

  /** How wide a column of amounts is, of which the greatest is this many seconds. */
  int width(double greatest) {
    return isBoth() ? 17 : Math.max(8, rounded(greatest, 0).length());
  }

  /** The text of an amount of a whole. */
  String text(double amount, double whole) {
    String part = percent(amount, whole);
    if (seconds == 0) {
      return part;
    }
    String time = rounded(amount / seconds, 0);
    return percent ? time + "(" + part + ")" : time;
  }

  /** A part of a whole. */
  static String percent(double part, double whole) {
    return rounded(whole == 0 ? 0 : part / whole * 100, 2) + "%";
  }

  /** As C rounds: what lies in the middle goes to the even digit. */
  static String rounded(double number, int digits) {
    return new BigDecimal(number).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
  }
}
