package io.dure.surface.value;

import io.dure.model.request.SignalRequest;
import org.jspecify.annotations.Nullable;

/** Signals by name and number as Linux counts them. */
public final class SignalParser {

  private static final int HIGHEST = 64;
  private static final int DEFAULT_SECONDS = 60;
  private static final int MAX_SECONDS = 0xffff;

  /** The names without {@code SIG}; a signal's number is its index. */
  private static final String[] NAMES = {
    "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU",
    "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS"
  };

  private SignalParser() {}

  /** The number of {@code TERM}, {@code SIGTERM} or {@code 15}, or 0 if there is no such signal. */
  public static int number(String text) {
    if (DigitParser.only(text)) {
      long value = DigitParser.parse(text, HIGHEST);
      return value < 1 ? 0 : (int) value;
    }
    boolean prefixed = text.regionMatches(true, 0, "SIG", 0, 3);
    String name = prefixed ? text.substring(3) : text;
    for (int i = 1; i < NAMES.length; i++) {
      if (NAMES[i].equalsIgnoreCase(name)) {
        return i;
      }
    }
    return 0;
  }

  /** The name without {@code SIG}, or the number where there is none. */
  public static String name(int signal) {
    return signal > 0 && signal < NAMES.length ? NAMES[signal] : Integer.toString(signal);
  }

  /**
   * Reads {@code [{R|B}:]SIGNAL[@SECONDS]}: the signal is sent 60 seconds before the limit if no
   * time is named.
   *
   * @return null if the text is not of this form
   */
  public static @Nullable SignalRequest parseRequest(String text) {
    int colon = text.indexOf(':');
    boolean batch = false;
    for (int i = 0; i < colon; i++) {
      char flag = text.charAt(i);
      if (flag == 'B' || flag == 'b') {
        batch = true;
      } else if (flag != 'R' && flag != 'r') {
        return null;
      }
    }
    int at = text.indexOf('@', colon + 1);
    int signal = number(at < 0 ? text.substring(colon + 1) : text.substring(colon + 1, at));
    long seconds =
        at < 0 ? DEFAULT_SECONDS : DigitParser.parse(text.substring(at + 1), MAX_SECONDS);
    if (signal == 0 || seconds < 0) {
      return null;
    }
    return new SignalRequest(signal, (int) seconds, batch);
  }

  /** Whether the request of {@code --signal} asks for a signal at reservation overlap too. */
  public static boolean asksForReservation(String text) {
    int colon = text.indexOf(':');
    for (int i = 0; i < colon; i++) {
      if (text.charAt(i) == 'R' || text.charAt(i) == 'r') {
        return true;
      }
    }
    return false;
  }
}
