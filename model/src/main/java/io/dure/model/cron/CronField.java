package io.dure.model.cron;

import java.util.List;
import java.util.Locale;

/** One of the five fields of a time in a crontab: which values it takes, and how it is read. */
enum CronField {
  MINUTE("minute", 0, 59, ""),
  HOUR("hour", 0, 23, ""),
  DAY_OF_MONTH("day of month", 1, 31, ""),
  MONTH(
      "month",
      1,
      12,
      "january february march april may june july august september october november december"),
  /** 0 and 7 are Sunday. */
  DAY_OF_WEEK("day of week", 0, 7, "sunday monday tuesday wednesday thursday friday saturday");

  private static final int LEAST_OF_NAME = 3;

  private final String title;
  private final int first;
  private final int last;
  private final String names;

  CronField(String title, int first, int last, String names) {
    this.title = title;
    this.first = first;
    this.last = last;
    this.names = names;
  }

  /**
   * The values that a list of values and ranges, each with a step or without, means: a bit each.
   */
  long read(String list) throws CronSyntaxException {
    long values = 0;
    for (String part : list.split(",", -1)) {
      values |= range(part, list);
    }
    return values;
  }

  /** Whether it takes any value. */
  boolean isAny(long values) {
    return values == bits(first, last, 1);
  }

  private long range(String part, String list) throws CronSyntaxException {
    int slash = part.indexOf('/');
    String range = slash < 0 ? part : part.substring(0, slash);
    int dash = range.indexOf('-');
    boolean any = range.equals("*");
    if (slash >= 0 && !any && dash < 0) {
      throw wrong(list, "a step needs * or a range before it");
    }
    int step = slash < 0 ? 1 : number(part.substring(slash + 1), list);
    if (step < 1) {
      throw wrong(list, "a step is at least 1");
    }
    if (any) {
      return bits(first, last, step);
    }
    int from = value(dash < 0 ? range : range.substring(0, dash), list);
    if (dash < 0) {
      return 1L << from;
    }
    int to = value(range.substring(dash + 1), list);
    if (to == 0 && from > 0 && this == DAY_OF_WEEK) {
      to = last;
    }
    if (to <= from) {
      throw wrong(list, "the second number of a range must be greater than the first");
    }
    return bits(from, to, step);
  }

  private static long bits(int from, int to, int step) {
    long values = 0;
    for (int value = from; value <= to; value += step) {
      values |= 1L << value;
    }
    return values;
  }

  private int value(String word, String list) throws CronSyntaxException {
    String lower = word.toLowerCase(Locale.ROOT);
    List<String> known = List.of(names.split(" ", -1));
    for (int i = 0; i < known.size(); i++) {
      if (lower.length() >= LEAST_OF_NAME && known.get(i).startsWith(lower)) {
        return first + i;
      }
    }
    int number = number(word, list);
    if (number < first || number > last) {
      throw wrong(list, "it is from " + first + " to " + last);
    }
    return number;
  }

  /** Up to two digits; nothing that is meant is longer. */
  private int number(String word, String list) throws CronSyntaxException {
    boolean digits = word.chars().allMatch(c -> c >= '0' && c <= '9');
    if (word.isEmpty() || word.length() > 2 || !digits) {
      throw wrong(list, "'" + shown(word) + "' is not a value of it");
    }
    return Integer.parseInt(word);
  }

  private CronSyntaxException wrong(String list, String why) {
    return new CronSyntaxException("bad " + title + " '" + shown(list) + "': " + why);
  }

  private static String shown(String text) {
    int most = 40;
    return text.length() <= most ? text : text.substring(0, most) + "...";
  }
}
