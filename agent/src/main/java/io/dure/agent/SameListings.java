package io.dure.agent;

import io.dure.host.net.PeerCredentials;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings together those who ask for the same listing while it waits for its turn: it is made once,
 * and is as new as the moment in which each of them asked. Any thread.
 */
final class SameListings {
  private static final Set<String> VARIABLES = Set.of("TZ", "USER", "LANG", "COLUMNS");

  private final Map<Listing, SharedOutput> waiting = new HashMap<>();

  /** All that a listing depends on but the jobs. */
  record Listing(
      WarmConnections.User user,
      List<String> arguments,
      Map<String, String> environment,
      boolean terminal) {}

  /** A call's listing, null if it is none that others could ask for. */
  static @Nullable Listing of(Call call, PeerCredentials peer) {
    if (!call.program().equals("squeue") || repeats(call.arguments())) {
      return null;
    }
    Map<String, String> environment = new TreeMap<>();
    call.environment()
        .forEach((name, value) -> {
          if (name.startsWith("SQUEUE_")
              || name.startsWith("SLURM_")
              || name.startsWith("LC_")
              || VARIABLES.contains(name)) {
            environment.put(name, value);
          }
        });
    return new Listing(
        new WarmConnections.User(peer.uid(), peer.gid()),
        call.arguments(),
        environment,
        (call.terminals() & 2) != 0);
  }

  /** Whether a word may be {@code -i} or {@code --iterate}, in whatever form. */
  private static boolean repeats(List<String> words) {
    for (String word : words) {
      boolean letters = word.startsWith("-") && !word.startsWith("--");
      if (word.startsWith("--i") || (letters && word.indexOf('i') > 0)) {
        return true;
      }
    }
    return false;
  }

  /** The output that somebody who asked for the same has not begun to make; null if own is it. */
  synchronized @Nullable SharedOutput join(Listing listing, SharedOutput own) {
    return waiting.putIfAbsent(listing, own);
  }

  /** From now on the output may be older than what somebody asks for. */
  synchronized void begin(Listing listing, SharedOutput own) {
    waiting.remove(listing, own);
  }
}
