package io.dure.surface.srun;

import io.dure.surface.value.DigitParser;
import org.jspecify.annotations.Nullable;

/**
 * An X server as {@code DISPLAY} names it.
 *
 * @param text the whole name
 * @param host its machine, empty for this one
 * @param number which of the machine's it is
 */
public record DisplayName(String text, String host, int number) {
  private static final int X_PORT = 6000;
  private static final int MOST = 65_535 - X_PORT;
  private static final String UNIX = "unix";

  /** Reads a name; null if it is none. */
  public static @Nullable DisplayName of(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0 || text.startsWith("/")) {
      return null;
    }
    String rest = text.substring(colon + 1);
    int dot = rest.indexOf('.');
    long number = DigitParser.parse(dot < 0 ? rest : rest.substring(0, dot), MOST);
    boolean screen = dot < 0 || DigitParser.parse(rest.substring(dot + 1), MOST) >= 0;
    String host = text.substring(0, colon);
    boolean local = host.equals(UNIX) || host.endsWith("/" + UNIX);
    return number < 0 || !screen
        ? null
        : new DisplayName(text, local ? "" : bare(host), (int) number);
  }

  /** An address of IPv6 may stand in brackets. */
  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /** The port at which it listens if it takes connections from other machines. */
  public int port() {
    return X_PORT + number;
  }

  /** The socket of a server of this machine. */
  public String socket() {
    return "/tmp/.X11-unix/X" + number;
  }
}
