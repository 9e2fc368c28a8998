package io.dure.host.process;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Names and numbers of Linux' signals as kill(1) knows them, see signal(7). Any thread may call.
 */
public final class LinuxSignals {
  /** The highest signal number. */
  public static final int HIGHEST = 64;

  private static final int FIRST_REALTIME = 34;
  private static final int MIDDLE_REALTIME = 49;

  /** In the order of their numbers, from 1. */
  private static final String[] NAMES = {
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU",
    "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS"
  };

  private static final Map<String, Integer> NUMBERS = numbers();

  private LinuxSignals() {}

  private static Map<String, Integer> numbers() {
    Map<String, Integer> numbers = new TreeMap<>();
    for (int number = 1; number <= HIGHEST; number++) {
      String name = name(number);
      if (name != null) {
        numbers.put(name, number);
      }
    }
    for (int distance = 1; distance <= HIGHEST - FIRST_REALTIME; distance++) {
      numbers.put("RTMIN+" + distance, FIRST_REALTIME + distance);
      numbers.put("RTMAX-" + distance, HIGHEST - distance);
    }
    numbers.put("IOT", 6);
    numbers.put("CLD", 17);
    numbers.put("POLL", 29);
    return numbers;
  }

  /**
   * The number of a signal given as a name with or without SIG, in letters of either case, or as a
   * number from 1 to 64.
   *
   * @return null if it is none
   */
  public static @Nullable Integer parse(String text) {
    String name = text.strip().toUpperCase(Locale.ROOT);
    if (name.startsWith("SIG")) {
      name = name.substring("SIG".length());
    } else if (!name.isEmpty() && name.charAt(0) >= '0' && name.charAt(0) <= '9') {
      try {
        int number = Integer.parseInt(name);
        return number >= 1 && number <= HIGHEST ? (Integer) number : null;
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return NUMBERS.get(name);
  }

  /** The name without SIG, such as TERM or RTMIN+2; null if no signal has that number. */
  public static @Nullable String name(int number) {
    if (number >= 1 && number <= NAMES.length) {
      return NAMES[number - 1];
    }
    if (number < FIRST_REALTIME || number > HIGHEST) {
      return null;
    }
    boolean nearFirst = number <= MIDDLE_REALTIME;
    int distance = nearFirst ? number - FIRST_REALTIME : HIGHEST - number;
    String end = nearFirst ? "RTMIN" : "RTMAX";
    return distance == 0 ? end : end + (nearFirst ? "+" : "-") + distance;
  }
}
