package io.dure.surface.srun;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.NumberParser;
import io.dure.surface.value.SignalParser;
import java.util.List;
import java.util.Locale;

/** Refuses what an option that {@code srun} alone has cannot take. */
final class SrunOptionCheck {
  private static final String REFUSED = "Unable to allocate resources: ";

  private SrunOptionCheck() {}

  /**
   * Looks at an argument.
   *
   * @param text it, empty where there is none
   * @throws CommandException if it is wrong
   */
  static void check(SrunOption option, String text) throws CommandException {
    switch (option) {
      case JOBID, MSG_TIMEOUT, THREADS -> NumberParser.positive(name(option), text);
      case WAIT, RELATIVE, TREEWIDTH -> NumberParser.notNegative(name(option), text);
      case KILL_ON_BAD_EXIT -> optional(name(option), text);
      case IMMEDIATE -> optional("immediate", text);
      case ASYNC -> throw CommandException.absent(name(option), REFUSED);
      case IGNORE_SIGNALS -> {
        for (String word : text.split(",", -1)) {
          if (SignalParser.number(word) == 0) {
            throw invalid(option);
          }
        }
      }
      case NODES -> {
        if (text.equals("0")) {
          throw CommandException.error(REFUSED + "Node count specification invalid");
        }
      }
      case DISTRIBUTION -> plane(text.toLowerCase(Locale.ROOT));
      case ACCEL_BIND -> {
        if (!text.toLowerCase(Locale.ROOT)
            .chars()
            .allMatch(letter -> "gmnv".indexOf(letter) >= 0)) {
          throw invalid(option);
        }
      }
      case EXCLUSIVE -> {
        List<String> ways = List.of("", "user", "mcs", "topo", "exclusive");
        if (!ways.contains(text.toLowerCase(Locale.ROOT))) {
          throw invalid(option);
        }
      }
      default -> {}
    }
  }

  private static void plane(String text) throws CommandException {
    String size = text.startsWith("plane=") ? text.substring("plane=".length()) : text;
    if (text.startsWith("plane") && NumberParser.leading(size) < 1) {
      throw CommandException.error("Invalid plane size or size not specified")
          .and(StderrMessage.error("Invalid --distribution specification"));
    }
  }

  private static void optional(String name, String text) throws CommandException {
    if (!text.isEmpty()) {
      NumberParser.notNegative(name, text);
    }
  }

  private static CommandException invalid(SrunOption option) {
    return CommandException.error("Invalid " + name(option) + " specification");
  }

  private static String name(SrunOption option) {
    return option.longName();
  }
}
