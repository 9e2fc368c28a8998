package io.dure.model.config.slurmconf;

import io.dure.model.config.programpath.ProgramPattern;
import io.dure.model.config.slurmconf.SettingDefinition.Kind;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How values are written in slurm.conf. All methods return null for text that says nothing. */
public final class ValueSyntax {
  private static final List<String> LEVELS =
      List.of(
          "quiet", "fatal", "error", "info", "verbose", "debug", "debug2", "debug3", "debug4",
          "debug5");

  private ValueSyntax() {}

  /** A number that may be without bound. */
  record Amount(long value, boolean unlimited) {
    private static final Amount UNLIMITED = new Amount(Long.MAX_VALUE, true);

    static Amount of(long value) {
      return new Amount(value, false);
    }
  }

  /** Whether a value of that kind may be written so. */
  public static boolean accepts(Kind kind, String text) {
    return switch (kind) {
      case TEXT, UPPER, REPEATED, USER, RUNTIME -> true;
      case PROGRAM, PROGRAMS -> ProgramPattern.parse(text) != null;
      case FLAG, BIT -> flag(text) != null;
      case NUMBER, SECONDS, PLAIN_SECONDS, MICROSECONDS, MINUTES, PERCENT, RATE ->
          number(text) != null;
      case TIME -> minutes(text) != null;
      case MEMORY -> memoryMib(text) != null;
      case PORT -> ports(text) != null;
      case LEVEL -> level(text) != null;
    };
  }

  /** What a value of that kind should look like. */
  static String expected(Kind kind) {
    return switch (kind) {
      case TEXT, UPPER, REPEATED, USER, RUNTIME -> "text";
      case PROGRAM, PROGRAMS -> "the path of a program, or a pattern in which each [ has its ]";
      case FLAG -> "yes or no";
      case BIT -> "1 or 0";
      case NUMBER, RATE -> "a number";
      case SECONDS, PLAIN_SECONDS -> "a number of seconds";
      case MICROSECONDS -> "a number of microseconds";
      case MINUTES -> "a number of minutes";
      case PERCENT -> "a per cent number";
      case TIME -> "a time: MINUTES, [D-]HH:MM:SS or UNLIMITED";
      case MEMORY -> "an amount of memory in megabytes";
      case PORT -> "a port from 1 to 65535";
      case LEVEL -> "a level of logging: quiet to debug5";
    };
  }

  static @Nullable Boolean flag(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "yes", "up", "true", "1" -> Boolean.TRUE;
      case "no", "down", "false", "0" -> Boolean.FALSE;
      default -> null;
    };
  }

  static @Nullable Amount number(String text) {
    if (isUnlimited(text)) {
      return Amount.UNLIMITED;
    }
    if (text.isEmpty()) {
      return null;
    }
    int shift =
        switch (text.charAt(text.length() - 1)) {
          case 'k', 'K' -> 10;
          case 'm', 'M' -> 20;
          case 'g', 'G' -> 30;
          default -> 0;
        };
    Long value = digits(shift == 0 ? text : text.substring(0, text.length() - 1));
    return value == null || value > Long.MAX_VALUE >> 31 ? null : Amount.of(value << shift);
  }

  /** MiB; a unit other than M scales, K rounding up. */
  static @Nullable Amount memoryMib(String text) {
    if (isUnlimited(text)) {
      return Amount.UNLIMITED;
    }
    String number = text;
    if (number.length() > 1 && (number.endsWith("B") || number.endsWith("b"))) {
      number = number.substring(0, number.length() - 1);
    }
    if (number.isEmpty()) {
      return null;
    }
    char unit = Character.toUpperCase(number.charAt(number.length() - 1));
    Long value = digits("KMGT".indexOf(unit) < 0 ? text : number.substring(0, number.length() - 1));
    if (value == null || value > Long.MAX_VALUE >> 24) {
      return null;
    }
    long mib =
        switch (unit) {
          case 'K' -> (value + 1023) / 1024;
          case 'G' -> value * 1024;
          case 'T' -> value * 1024 * 1024;
          default -> value;
        };
    return Amount.of(mib);
  }

  /** Whether memory is written with a unit, which Slurm would not read as one. */
  static boolean hasUnit(String text) {
    return !isUnlimited(text)
        && !text.isEmpty()
        && !Character.isDigit(text.charAt(text.length() - 1));
  }

  /** Minutes from one of Slurm's forms of time, seconds rounded up. */
  static @Nullable Amount minutes(String text) {
    Amount exact = seconds(text);
    return exact == null || exact.unlimited() ? exact : Amount.of((exact.value() + 59) / 60);
  }

  /** Seconds from one of Slurm's forms of time. */
  static @Nullable Amount seconds(String text) {
    if (isUnlimited(text)) {
      return Amount.UNLIMITED;
    }
    int dash = text.indexOf('-');
    Long days = dash < 0 ? Long.valueOf(0) : digits(text.substring(0, dash));
    String[] clock = text.substring(dash + 1).split(":", -1);
    if (days == null || days > 1_000_000 || clock.length > 3) {
      return null;
    }
    long[] parts = new long[3];
    for (int i = 0; i < clock.length; i++) {
      Long part = digits(clock[i]);
      if (part == null || part > 1_000_000_000L) {
        return null;
      }
      parts[i] = part;
    }
    boolean hoursFirst = dash >= 0 || clock.length == 3;
    long seconds =
        hoursFirst
            ? days * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2]
            : parts[0] * 60 + parts[1];
    return Amount.of(seconds);
  }

  /** The first port and how many. */
  static @Nullable Ports ports(String text) {
    int dash = text.indexOf('-');
    Long first = digits(dash < 0 ? text : text.substring(0, dash));
    Long last = dash < 0 ? first : digits(text.substring(dash + 1));
    if (first == null || last == null || first < 1 || last < first || last > 65_535) {
      return null;
    }
    return new Ports(first.intValue(), (int) (last - first + 1));
  }

  /** Ports in a row. */
  record Ports(int first, int count) {}

  /** The name of a level of logging. */
  static @Nullable String level(String text) {
    String name = text.toLowerCase(Locale.ROOT);
    Long number = digits(name);
    if (number != null) {
      return number < LEVELS.size() ? LEVELS.get(number.intValue()) : null;
    }
    return LEVELS.contains(name) ? name : null;
  }

  /** The pieces between commas, without blanks around them. */
  static List<String> list(String text) {
    return List.of(text.split(",")).stream().map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  private static boolean isUnlimited(String text) {
    return text.equalsIgnoreCase("UNLIMITED")
        || text.equalsIgnoreCase("INFINITE")
        || text.equals("-1");
  }

  private static @Nullable Long digits(String text) {
    if (text.isEmpty() || text.length() > 18) {
      return null;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return null;
      }
    }
    return Long.valueOf(text);
  }

  /** A weight of a resource, with a unit of memory (1.0G is by gigabyte); null if it is none. */
  static @Nullable Double weight(String text) {
    double unit = 1;
    String digits = text;
    if (!text.isEmpty()) {
      char last = Character.toUpperCase(text.charAt(text.length() - 1));
      int power = "KMGTP".indexOf(last);
      if (power >= 0) {
        unit = StrictMath.pow(1024, power - 1);
        digits = text.substring(0, text.length() - 1);
      }
    }
    if (!digits.matches("[0-9]{1,15}([.][0-9]{0,15})?|[.][0-9]{1,15}")) {
      return null;
    }
    return Double.parseDouble(digits) / unit;
  }
}
