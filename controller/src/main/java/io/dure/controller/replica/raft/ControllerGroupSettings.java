package io.dure.controller.replica.raft;

import java.util.List;

/**
 * How a group works.
 *
 * @param host this member's host
 * @param hosts all that shall keep the log, this one included
 * @param beatMillis time between two signs of life of the leader, 10 to 1000; without ten of them
 *     the others elect another
 * @param entriesASnapshot batches after which a snapshot is taken; they are held in memory
 * @param bytesASnapshot bytes of batches after which one is taken, should they be fewer
 */
public record ControllerGroupSettings(
    String host, List<String> hosts, int beatMillis, int entriesASnapshot, long bytesASnapshot) {
  private static final int BEAT_MILLIS = 200;
  private static final int ENTRIES = 20_000;
  private static final long LEAST_BYTES = 64L << 20;

  /** Checks the ranges. */
  public ControllerGroupSettings {
    if (beatMillis < 10 || beatMillis > 1000) {
      throw new IllegalArgumentException("beatMillis " + beatMillis);
    }
    if (!hosts.contains(host)) {
      throw new IllegalArgumentException(host + " is none of " + hosts);
    }
    hosts = List.copyOf(hosts);
  }

  /**
   * A beat of 200 ms: another leads at once if a leader dies, within three seconds if it is silent.
   */
  public static ControllerGroupSettings of(String host, List<String> hosts) {
    long bytes = Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / 16);
    return new ControllerGroupSettings(host, hosts, BEAT_MILLIS, ENTRIES, bytes);
  }
}
