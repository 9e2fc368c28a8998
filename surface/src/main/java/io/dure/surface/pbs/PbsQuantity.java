package io.dure.surface.pbs;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.DigitParser;
import java.util.List;
import java.util.Locale;

/** Amounts as PBS writes them. All functions are pure. */
public final class PbsQuantity {
  private static final long MOST = Long.MAX_VALUE >> 24;
  private static final long WORD_BYTES = 8;
  private static final long MIB = 1L << 20;
  private static final int HOURS_A_DAY = 24;

  private PbsQuantity() {}

  /**
   * A time limit in the form of {@code sbatch}, from seconds or {@code [[[D:]H:]M:]S}.
   *
   * @param name of the resource, for the refusal
   */
  public static String time(String name, String text) throws CommandException {
    int point = text.indexOf('.');
    String whole = point < 0 ? text : text.substring(0, point);
    String[] parts = whole.split(":", -1);
    if (parts.length > 4) {
      throw illegal(name, text);
    }
    long seconds = 0;
    for (int i = 0; i < parts.length; i++) {
      long factor = parts.length == 4 && i == 1 ? HOURS_A_DAY : 60;
      seconds = seconds * factor + number(name, text, parts[i]);
    }
    return clock(seconds);
  }

  /** Seconds as {@code D-HH:MM:SS}. */
  public static String clock(long seconds) {
    return String.format(
        Locale.ROOT,
        "%d-%02d:%02d:%02d",
        seconds / 86_400,
        seconds / 3600 % HOURS_A_DAY,
        seconds / 60 % 60,
        seconds % 60);
  }

  /** A size in MiB, rounded up, from bytes or from a number with a unit ({@code 4gb, 100mw}). */
  public static long mib(String name, String text) throws CommandException {
    String lower = text.toLowerCase(Locale.ROOT);
    int end = 0;
    while (end < lower.length() && Character.isDigit(lower.charAt(end))) {
      end++;
    }
    long amount = number(name, text, lower.substring(0, end));
    String unit = lower.substring(end);
    long factor = unit.endsWith("w") ? WORD_BYTES : 1;
    String prefix =
        unit.endsWith("w") || unit.endsWith("b") ? unit.substring(0, unit.length() - 1) : unit;
    int shift =
        switch (prefix) {
          case "" -> 0;
          case "k" -> 10;
          case "m" -> 20;
          case "g" -> 30;
          case "t" -> 40;
          case "p" -> 50;
          default -> throw illegal(name, text);
        };
    long bytes = amount * factor;
    if (bytes > Long.MAX_VALUE >> shift + 1) {
      throw illegal(name, text);
    }
    return -Math.floorDiv(-(bytes << shift), MIB);
  }

  /** A count. */
  public static int count(String name, String text) throws CommandException {
    long value = DigitParser.parse(text, Integer.MAX_VALUE);
    if (value < 0) {
      throw illegal(name, text);
    }
    return (int) value;
  }

  private static long number(String name, String all, String part) throws CommandException {
    long value = DigitParser.parse(part, MOST);
    if (value < 0) {
      throw illegal(name, all);
    }
    return value;
  }

  static CommandException illegal(String name, String text) {
    return refusal("Illegal attribute or resource value: " + name + "=" + text);
  }

  /** A failure that says the program's name and the text. */
  static CommandException refusal(String text) {
    return new CommandException(1, List.of(StderrMessage.info(text)));
  }
}
