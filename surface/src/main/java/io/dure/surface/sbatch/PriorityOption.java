package io.dure.surface.sbatch;

import io.dure.surface.message.CommandException;
import org.jspecify.annotations.Nullable;

/** Priorities as {@code --priority} takes them. */
final class PriorityOption {

  /** The highest priority that a job can have. */
  private static final long TOP = 0xffff_fffdL;

  private PriorityOption() {}

  /** Refuses what is no priority. */
  static void check(String text) throws CommandException {
    if (parse(text) != null) {
      return;
    }
    boolean number = text.matches("-?[0-9]+");
    throw CommandException.error(
        !number
            ? "Invalid --priority specification"
            : text.startsWith("-") ? "Priority must be >= 0" : "Priority must be < " + (TOP + 1));
  }

  /** The priority, or null if the text is neither {@code TOP} nor a number up to it. */
  static @Nullable Long parse(String text) {
    if (text.equalsIgnoreCase("TOP")) {
      return TOP;
    }
    try {
      long value = Long.parseLong(text);
      return value < 0 || value > TOP ? null : Long.valueOf(value);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
