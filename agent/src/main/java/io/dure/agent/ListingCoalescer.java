package io.dure.agent;

import io.dure.host.net.PeerCredentials;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings together calls for the same listing while it waits for its turn: it is made once, and is
 * as new as the moment in which each of them asked. Any thread.
 */
final class ListingCoalescer {
  private static final Set<String> VARIABLES = Set.of("TZ", "USER", "LANG", "COLUMNS");

  private static final int LEAST_CROWD = 4;
  private static final long NANOS_A_READER = 10_000_000;
  private static final int MOST_KNOWN = 256;

  private final Map<Listing, SharedListingOutput> waiting = new HashMap<>();
  private final Map<Listing, Integer> crowds = new HashMap<>();
  private final Map<Listing, Edition> latest = new HashMap<>();

  /** When the listing was last made, and for how many. */
  private record Edition(long at, int readers) {}

  /** All that a listing depends on but the jobs. */
  record Listing(
      ConnectionUser user,
      List<String> arguments,
      Map<String, String> environment,
      boolean terminal) {}

  /** A call's listing, null if it is none that others could ask for. */
  static @Nullable Listing of(ClientCall call, PeerCredentials peer) {
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
        new ConnectionUser(peer.uid(), peer.gid()),
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

  /**
   * The output of a call for the same that has not begun to make it, held for this call, which lets
   * it go; null if own is it.
   */
  synchronized @Nullable SharedListingOutput join(Listing listing, SharedListingOutput own) {
    SharedListingOutput other = waiting.putIfAbsent(listing, own);
    if (other != null) {
      other.hold();
      crowds.merge(listing, 1, Integer::sum);
    }
    return other;
  }

  /**
   * How long to wait before the listing is made again, in nanoseconds: the more had it the last
   * time, the longer, since each client that reads it costs the machine some milliseconds, and a
   * crowd that polls must not take all of them. A single call never waits.
   */
  synchronized long patience(Listing listing) {
    Edition before = latest.get(listing);
    if (before == null || before.readers() < LEAST_CROWD) {
      return 0;
    }
    return Math.max(0, before.at() + before.readers() * NANOS_A_READER - System.nanoTime());
  }

  /** From now on the output may be older than a request. */
  synchronized void begin(Listing listing, SharedListingOutput own) {
    if (!waiting.remove(listing, own)) {
      return;
    }
    Integer others = crowds.remove(listing);
    if (latest.size() >= MOST_KNOWN) {
      latest.clear();
    }
    latest.put(listing, new Edition(System.nanoTime(), 1 + (others == null ? 0 : others)));
  }
}
