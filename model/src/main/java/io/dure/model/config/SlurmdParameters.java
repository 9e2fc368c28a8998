package io.dure.model.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a node's daemon is told by {@code SlurmdParameters} of the cluster, {@code Parameters} of a
 * node or its option {@code --parameters}.
 *
 * @param text as written, empty when nothing is said
 * @param configOverrides whether the file is believed where a node has less than it says
 * @param jobProcesses how many processes and threads a job may have there, {@link
 *     Integer#MAX_VALUE} for no bound; null for its part of what the kernel allows
 * @param sockets what counts as a socket, null where nothing is said
 */
public record SlurmdParameters(
    String text,
    boolean configOverrides,
    @Nullable Integer jobProcesses,
    @Nullable SocketKind sockets) {
  /** Nothing said. */
  public static final SlurmdParameters NONE = new SlurmdParameters("", false, null, null);

  private static final String JOB_PROCESSES = "dure_job_processes=";

  /** What a node's daemon takes for a socket. */
  public enum SocketKind {
    /** What the processor's maker calls one. */
    PACKAGE,
    /** The CPUs near the same memory. */
    NUMA_NODE,
    /** The CPUs that share a cache of the third level. */
    L3_CACHE
  }

  /**
   * Reads a text of words between commas or blanks.
   *
   * @param findings is told of words that cannot be followed: what is wrong, and the remedy; none
   *     where nothing comes of a word
   */
  public static SlurmdParameters of(String text, BiConsumer<String, @Nullable String> findings) {
    boolean overrides = false;
    Integer processes = null;
    SocketKind sockets = null;
    List<String> ignored = new ArrayList<>();
    for (String word : text.strip().split("[,\\s]+", -1)) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.startsWith(JOB_PROCESSES)) {
        processes = processes(word.substring(JOB_PROCESSES.length()), findings);
        continue;
      }
      switch (lower) {
        case "" -> {}
        case "config_overrides" -> overrides = true;
        // a cache is the smaller one of the two
        case "l3cache_as_socket" -> sockets = SocketKind.L3_CACHE;
        case "numa_node_as_socket" ->
            sockets = sockets == SocketKind.L3_CACHE ? sockets : SocketKind.NUMA_NODE;
        default -> ignored.add(word);
      }
    }
    if (!ignored.isEmpty()) {
      findings.accept(String.join(", ", ignored) + ": read, and not acted on", null);
    }
    return new SlurmdParameters(text.strip(), overrides, processes, sockets);
  }

  private static @Nullable Integer processes(
      String value, BiConsumer<String, @Nullable String> findings) {
    if (value.equalsIgnoreCase("UNLIMITED") || value.equalsIgnoreCase("INFINITE")) {
      return Integer.MAX_VALUE;
    }
    String form = "Write " + JOB_PROCESSES + "NUMBER or " + JOB_PROCESSES + "UNLIMITED";
    boolean isNumber = !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!isNumber || value.length() > 9) {
      String message = "dure_job_processes: value (" + value + ") is not a number";
      findings.accept(message, form);
      return null;
    }
    int most = Integer.parseInt(value);
    if (most < 1) {
      String message = "dure_job_processes: value (" + value + ") lets no job run";
      findings.accept(message, form);
    }
    return Math.max(1, most);
  }
}
