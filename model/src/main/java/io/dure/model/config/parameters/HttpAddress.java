package io.dure.model.config.parameters;

import org.jspecify.annotations.Nullable;

/**
 * Where the controller listens for HTTP, as {@code dure_http} of {@code SlurmctldParameters} says.
 *
 * @param host name or address, empty for all addresses of the machine
 * @param port from 0 to 65,535; 0 for any that is free
 */
public record HttpAddress(String host, int port) {
  /** The word of {@code SlurmctldParameters}. */
  public static final String PARAMETER = "dure_http";

  private static final int PORTS = 65_535;

  /**
   * Reads {@code HOST:PORT}, {@code [ADDRESS]:PORT} or {@code :PORT}; an address of IPv6 stands in
   * brackets. Null if the text is none of them.
   */
  public static @Nullable HttpAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return null;
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    }
    boolean strange = host.chars().anyMatch(c -> c <= ' ' || c == '[' || c == ']' || c == '/');
    if (strange || (!bracketed && host.indexOf(':') >= 0)) {
      return null;
    }
    String number = text.substring(colon + 1);
    boolean digits = !number.isEmpty() && number.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits || number.length() > 5 || Integer.parseInt(number) > PORTS) {
      return null;
    }
    return new HttpAddress(host, Integer.parseInt(number));
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
