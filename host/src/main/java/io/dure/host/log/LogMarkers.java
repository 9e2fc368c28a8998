package io.dure.host.log;

import io.dure.model.config.parameters.DebugFlag;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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

  private static final Map<DebugFlag, Marker> FLAGS = new EnumMap<>(DebugFlag.class);

  static {
    for (DebugFlag flag : DebugFlag.values()) {
      FLAGS.put(flag, MARKERS.getMarker(flag.word()));
    }
  }

  private LogMarkers() {}

  /** Messages that are told only while that flag is set, at the level {@code verbose}. */
  public static Marker flag(DebugFlag flag) {
    return Objects.requireNonNull(FLAGS.get(flag));
  }

  /** The flag on which a message depends, null for none. */
  static @Nullable DebugFlag flagOf(@Nullable Marker marker) {
    if (marker == null || marker.equals(VERBOSE) || marker.equals(FATAL)) {
      return null;
    }
    DebugFlag flag = DebugFlag.of(marker.getName());
    return flag != null && flag(flag).equals(marker) ? flag : null;
  }

  /**
   * Messages of one kind, of which only so many are written in a second.
   *
   * @param key names the kind in the line that tells how many were left out
   */
  public static Marker kind(String key) {
    return MARKERS.getDetachedMarker(key);
  }
}
