package io.dure.host.log;

import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.helpers.BasicMarkerFactory;

/** What SLF4J's levels lack: Slurm's other levels, and what messages have in common. Any thread. */
public final class LogMarkers {
  private static final IMarkerFactory MARKERS = new BasicMarkerFactory();

  /** An error that ends the daemon: Slurm's level {@code fatal}. */
  public static final Marker FATAL = MARKERS.getMarker("fatal");

  /** More detailed information: Slurm's level {@code verbose}. */
  public static final Marker VERBOSE = MARKERS.getMarker("verbose");

  private LogMarkers() {}

  /**
   * Messages of one kind, of which only so many are written in a second.
   *
   * @param key names the kind in the line that tells how many were left out
   */
  public static Marker kind(String key) {
    return MARKERS.getDetachedMarker(key);
  }
}
