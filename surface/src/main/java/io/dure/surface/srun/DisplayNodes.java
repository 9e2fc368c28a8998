package io.dure.surface.srun;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** From which nodes of a job X clients reach the X server of its user: the argument of --x11. */
public enum DisplayNodes {
  ALL,
  BATCH,
  FIRST,
  LAST;

  /** What an argument says, which may be empty; null for one that says nothing. */
  public static @Nullable DisplayNodes of(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "", "all" -> ALL;
      case "batch" -> BATCH;
      case "first" -> FIRST;
      case "last" -> LAST;
      default -> null;
    };
  }

  /** Those of a job's nodes that are meant. */
  public <T> List<T> among(List<T> nodes) {
    return switch (this) {
      case ALL -> nodes;
      case BATCH, FIRST -> nodes.isEmpty() ? nodes : List.of(nodes.getFirst());
      case LAST -> nodes.isEmpty() ? nodes : List.of(nodes.getLast());
    };
  }
}
