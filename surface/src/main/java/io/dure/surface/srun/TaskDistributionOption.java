package io.dure.surface.srun;

import io.dure.model.step.StepSpec.Distribution;
import io.dure.model.step.StepSpec.Level;
import io.dure.surface.value.NumberParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An argument of {@code --distribution}.
 *
 * @param nodes how tasks are given to nodes
 * @param plane tasks of a block, for {@link Distribution#PLANE}
 * @param levels how they are given to sockets, and then to cores, as far as that is said
 * @param flag {@code pack} or {@code nopack}, empty for neither
 */
public record TaskDistributionOption(
    Distribution nodes, int plane, List<Level> levels, String flag) {
  private static final String PLANE = "plane";

  /** Reads what {@link io.dure.surface.value.KeywordParser} knows. */
  public static TaskDistributionOption parse(String text) {
    String[] parts = text.toLowerCase(Locale.ROOT).split(",", 2);
    String flag = parts.length > 1 ? parts[1] : "";
    String[] words = parts[0].split(":", -1);
    if (words[0].startsWith(PLANE)) {
      int equals = words[0].indexOf('=');
      int size = equals < 0 ? 1 : (int) NumberParser.leading(words[0].substring(equals + 1));
      return new TaskDistributionOption(Distribution.PLANE, size, List.of(), "");
    }
    List<Level> levels = new ArrayList<>();
    for (int i = 1; i < words.length; i++) {
      levels.add(
          switch (words[i]) {
            case "block" -> Level.BLOCK;
            case "cyclic" -> Level.CYCLIC;
            case "fcyclic" -> Level.FCYCLIC;
            // Sockets are used in turns where nothing is said, and cores as sockets are.
            default -> levels.isEmpty() ? Level.CYCLIC : levels.getFirst();
          });
    }
    Distribution nodes =
        switch (words[0]) {
          case "cyclic" -> Distribution.CYCLIC;
          case "arbitrary" -> Distribution.ARBITRARY;
          default ->
              switch (flag) {
                case "pack" -> Distribution.PACKED;
                case "nopack" -> Distribution.EVEN;
                default -> Distribution.BLOCK;
              };
        };
    return new TaskDistributionOption(nodes, 0, List.copyOf(levels), flag);
  }

  /** As {@code SLURM_DISTRIBUTION} tells it. */
  public String text() {
    StringBuilder text =
        new StringBuilder(
            switch (nodes) {
              case BLOCK, EVEN, PACKED -> "block";
              case CYCLIC -> "cyclic";
              case PLANE -> PLANE;
              case ARBITRARY -> "arbitrary";
            });
    for (Level level : levels) {
      text.append(':').append(level.name().toLowerCase(Locale.ROOT));
    }
    return flag.isEmpty() ? text.toString() : text + "," + flag;
  }
}
