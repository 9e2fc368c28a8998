package io.dure.surface.sbatch;

import io.dure.model.request.ResourceRequest.Binding;
import io.dure.model.request.ResourceRequest.CoreLayout;
import io.dure.model.request.ResourceRequest.CoreOrder;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.KeywordParser;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The options that say how a job lies on a node's cores and devices. */
final class LayoutOptions {
  /**
   * Refuses a list of nodes that does not fit the other options.
   *
   * @param named how many nodes the job must get
   * @param most how many it may get, 0 for any number
   */
  static void checkNodes(SbatchSettings settings, int named, int most) throws CommandException {
    if (most > 0 && named > most) {
      throw CommandException.error("invalid number of nodes (-N " + named + "-" + most + ")");
    }
    String layout = settings.valueOr(SbatchOption.DISTRIBUTION, "");
    if (named == 0 && layout.toLowerCase(Locale.ROOT).startsWith("arbitrary")) {
      throw CommandException.error(
          "With Arbitrary distribution you need to specify a nodelist or hostfile with the -w"
              + " option");
    }
  }

  private static final List<String> MEMORY_BINDS =
      List.of("none", "no", "rank", "local", "sort", "nosort", "prefer", "p");
  private static final List<String> MEMORY_BINDS_WITH = List.of("map_mem:", "mask_mem:");
  private static final List<String> VOLUMES = List.of("quiet", "q", "verbose", "v");

  private LayoutOptions() {}

  /** What the options in force say, whose arguments were checked; null if they say nothing. */
  static @Nullable CoreLayout of(SbatchSettings settings) {
    String distribution = settings.value(SbatchOption.DISTRIBUTION);
    String flags = settings.value(SbatchOption.GRES_FLAGS);
    String hint = settings.value(SbatchOption.HINT);
    CoreLayout layout =
        new CoreLayout(
            distribution == null ? null : lower(distribution),
            distribution == null ? null : coreOrder(lower(distribution)),
            flags == null ? null : binding(flags),
            settings.value(SbatchOption.GPU_BIND),
            settings.value(SbatchOption.MEM_BIND),
            hint == null ? null : lower(hint));
    return layout.equals(CoreLayout.USUAL) ? null : layout;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** In which order sockets give cores, null for the cluster's way. */
  private static @Nullable CoreOrder coreOrder(String distribution) {
    int comma = distribution.indexOf(',');
    String levels = comma < 0 ? distribution : distribution.substring(0, comma);
    if (levels.startsWith("plane")) {
      return CoreOrder.FILLED;
    }
    String[] each = levels.split(":", -1);
    return switch (each.length > 1 ? each[1] : "*") {
      case "block" -> CoreOrder.FILLED;
      case "cyclic", "fcyclic" -> CoreOrder.IN_TURNS;
      default -> null;
    };
  }

  /** What {@code --gres-flags} means, null if it knows no such word. */
  static @Nullable Binding binding(String text) {
    return switch (lower(text)) {
      case "enforce-binding" -> Binding.ENFORCED;
      case "disable-binding" -> Binding.FREE;
      default -> null;
    };
  }

  /** Whether {@code --mem-bind} knows the text. */
  static boolean isMemoryBind(String text) {
    return isBind(text, MEMORY_BINDS, MEMORY_BINDS_WITH);
  }

  /** One of the words, behind words of how much is said; numbers after some may have commas. */
  private static boolean isBind(String text, List<String> words, List<String> beginnings) {
    for (String word : KeywordParser.list(lower(text))) {
      if (beginnings.stream().anyMatch(start -> word.startsWith(start) && !word.endsWith(":"))) {
        return true;
      }
      if (!words.contains(word) && !VOLUMES.contains(word)) {
        return false;
      }
    }
    return !text.isBlank();
  }
}
