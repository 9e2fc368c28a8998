package io.dure.agent;

import io.dure.host.config.LocalConfigSource;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the agent is started with.
 *
 * @param configuration the cluster's configuration file
 * @param socket where clients of that configuration look for the agent
 * @param log the log file, null for standard error
 * @param once whether it serves a single call, whose socket is standard input
 */
record AgentOptions(Path configuration, Path socket, @Nullable Path log, boolean once) {
  private static final String ONCE = "--single-call";

  private static final Path DEFAULT_SOCKET = Path.of("/run/dure/agent.sock");

  /**
   * Reads the words {@code [-D] [-f FILE] [-L FILE] [--single-call]}.
   *
   * @throws IllegalArgumentException if they are others; the message says what is wrong
   */
  static AgentOptions parse(String[] words, Map<String, String> environment) {
    String file = environment.get("SLURM_CONF");
    Path log = null;
    boolean once = false;
    for (int i = 0; i < words.length; i++) {
      switch (words[i]) {
        case "-D" -> {}
        case ONCE -> once = true;
        case "-f" -> file = argument(words, ++i);
        case "-L" -> log = Path.of(argument(words, ++i)).toAbsolutePath();
        default -> throw new IllegalArgumentException("unknown option " + words[i]);
      }
    }
    Path usual = LocalConfigSource.usual();
    Path configuration =
        file == null || file.isEmpty() ? usual : Path.of(file).toAbsolutePath().normalize();
    if (configuration.equals(usual)) {
      return new AgentOptions(usual, DEFAULT_SOCKET, log, once);
    }
    return new AgentOptions(
        configuration, configuration.resolveSibling("run/agent.sock"), log, once);
  }

  private static String argument(String[] words, int at) {
    if (at == words.length) {
      throw new IllegalArgumentException("option " + words[at - 1] + " requires an argument");
    }
    return words[at];
  }
}
