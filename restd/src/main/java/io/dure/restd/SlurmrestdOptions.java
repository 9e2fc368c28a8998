package io.dure.restd;

import io.dure.host.log.LogLevel;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code slurmrestd}.
 *
 * @param addresses to listen at
 * @param sockets files of unix sockets to listen at
 * @param configuration the file of {@code -f}, null for the usual one
 * @param user name or number of the user to become, null to stay
 * @param connections that are open at a time at most
 * @param level of the log
 * @param say what is only to be printed
 */
record SlurmrestdOptions(
    List<InetSocketAddress> addresses,
    List<Path> sockets,
    @Nullable Path configuration,
    @Nullable String user,
    int connections,
    LogLevel level,
    Say say) {
  private static final String UNIX = "unix:";
  private static final int USUAL_CONNECTIONS = 124;
  private static final int HIGHEST_PORT = 65_535;

  /** What is only printed. */
  enum Say {
    NOTHING,
    HELP,
    VERSION,
    DESCRIPTION
  }

  /** What {@code --help} says. */
  static final String USAGE =
      """
      Usage: slurmrestd [OPTIONS...] [HOST]:PORT | unix:/PATH ...
        -a, --auth-types=LIST  rest_auth/local, rest_auth/jwt: both are always there
        -d, --data-parser=LIST versions of documents; all four are always there
        -f, --conf=FILE        use this slurm.conf
        -g, --group=GROUP      group to run with: that of -u
        -h, --help             print this
            --generate-openapi-spec
                               print the description of what is there
            --max-connections=N
                               connections that are open at a time at most (124)
        -s, --openapi-plugins=LIST
                               parts that answer; all are always there
        -t, --threads=N        has no effect: each request has a thread of its own
        -u, --user=USER        user to run as, when root starts it
        -v, --verbose          say more in the log
        -V, --version          print the version

      SLURMRESTD_LISTEN names addresses where none is given, SLURMRESTD_MAX_CONNECTIONS their number.
      """;

  /** Reads a command line one word after the other. */
  private static final class Reader {
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final List<Path> sockets = new ArrayList<>();
    private @Nullable Path configuration;
    private @Nullable String user;
    private int connections = USUAL_CONNECTIONS;
    private LogLevel level = LogLevel.INFO;
    private Say say = Say.NOTHING;

    void listen(String text) {
      if (text.startsWith(UNIX)) {
        sockets.add(Path.of(text.substring(UNIX.length())));
        return;
      }
      int colon = text.lastIndexOf(':');
      int port = colon < 0 ? 0 : number(text.substring(colon + 1));
      if (port < 1 || port > HIGHEST_PORT) {
        throw new IllegalArgumentException(
            "cannot listen at " + text + ": write [HOST]:PORT or unix:/PATH");
      }
      String host = text.substring(0, colon);
      boolean brackets = host.startsWith("[") && host.endsWith("]");
      String bare = brackets ? host.substring(1, host.length() - 1) : host;
      InetSocketAddress address =
          bare.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(bare, port);
      if (address.isUnresolved()) {
        throw new IllegalArgumentException(
            "cannot listen at " + text + ": there is no host " + bare);
      }
      addresses.add(address);
    }

    private static int number(String digits) {
      try {
        return Integer.parseInt(digits);
      } catch (NumberFormatException e) {
        return -1;
      }
    }

    void bound(String text) {
      connections = number(text);
      if (connections < 1) {
        throw new IllegalArgumentException(
            "--max-connections=" + text + ": write a number from 1 up");
      }
    }

    /** Whether an option takes what stands behind it. */
    static boolean wantsValue(String name) {
      return switch (name) {
        case "a", "d", "f", "g", "s", "t", "u" -> true;
        case "auth-types", "data-parser", "conf", "group", "max-connections" -> true;
        case "openapi-plugins", "threads", "user" -> true;
        default -> false;
      };
    }

    void set(String name, String value) {
      switch (name) {
        case "a", "auth-types", "d", "data-parser", "s", "openapi-plugins" -> {}
        case "g", "group", "t", "threads" -> {}
        case "f", "conf" -> configuration = Path.of(value);
        case "u", "user" -> user = value;
        case "max-connections" -> bound(value);
        case "v", "verbose" -> level = level == LogLevel.INFO ? LogLevel.VERBOSE : LogLevel.DEBUG;
        case "h", "help" -> say = Say.HELP;
        case "V", "version" -> say = Say.VERSION;
        case "generate-openapi-spec" -> say = Say.DESCRIPTION;
        default -> throw new IllegalArgumentException("unknown option: " + name);
      }
    }
  }

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if something is wrong; the message names it and the remedy
   */
  static SlurmrestdOptions parse(List<String> words, Map<String, String> environment) {
    Reader reader = new Reader();
    String most = environment.get("SLURMRESTD_MAX_CONNECTIONS");
    if (most != null) {
      reader.bound(most);
    }
    List<String> places = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith("-") || word.equals("-")) {
        places.add(word);
        continue;
      }
      boolean full = word.startsWith("--");
      int equals = word.indexOf('=');
      String name =
          full ? word.substring(2, equals < 0 ? word.length() : equals) : word.substring(1, 2);
      String value = full ? (equals < 0 ? "" : word.substring(equals + 1)) : word.substring(2);
      if (Reader.wantsValue(name) && value.isEmpty() && !(full && equals >= 0)) {
        if (++i == words.size()) {
          throw new IllegalArgumentException("option " + word + " requires an argument");
        }
        value = words.get(i);
      } else if (!full && !Reader.wantsValue(name)) {
        for (int at = 0; at < value.length(); at++) {
          reader.set(value.substring(at, at + 1), "");
        }
      }
      reader.set(name, value);
    }
    String named = environment.get("SLURMRESTD_LISTEN");
    if (places.isEmpty() && named != null) {
      places.addAll(List.of(named.split(",", -1)));
    }
    places.forEach(reader::listen);
    if (places.isEmpty() && reader.say == Say.NOTHING) {
      throw new IllegalArgumentException(
          "no address to listen at: write [HOST]:PORT or unix:/PATH, or set SLURMRESTD_LISTEN");
    }
    return new SlurmrestdOptions(
        List.copyOf(reader.addresses),
        List.copyOf(reader.sockets),
        reader.configuration,
        reader.user,
        reader.connections,
        reader.level,
        reader.say);
  }
}
