package io.dure.surface.srun;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * An argument of {@code --cpu-bind} or {@code --mem-bind}.
 *
 * @param verbose whether nodes are to say what they bound
 * @param type what tasks are bound to; a type that has a list ends with a colon; empty where that
 *     is not said
 * @param list numbers or masks, empty for none
 * @param prefers whether other memory does where what tasks are bound to is full
 */
public record BindOption(boolean verbose, String type, String list, boolean prefers) {
  private static final List<String> CPU_TYPES =
      List.of("none", "rank", "rank_ldom", "sockets", "cores", "threads", "ldoms", "boards");
  private static final List<String> MEMORY_TYPES = List.of("none", "rank", "local");
  private static final List<String> MEMORY_FLAGS = List.of("prefer", "sort", "nosort");
  private static final String HEX = "0123456789abcdef";

  /**
   * Reads that of {@code --cpu-bind}.
   *
   * @throws CommandException if it names something else
   */
  public static BindOption cpu(String text) throws CommandException {
    try {
      return read(text, "cpu", CPU_TYPES, List.of("map_cpu", "mask_cpu", "map_ldom", "mask_ldom"));
    } catch (CommandException e) {
      throw e.and(StderrMessage.fatal("Failed to parse --cpu-bind= values."));
    }
  }

  /**
   * Reads that of {@code --mem-bind}.
   *
   * @throws CommandException if it names something else
   */
  public static BindOption memory(String text) throws CommandException {
    return read(text, "mem", MEMORY_TYPES, List.of("map_mem", "mask_mem"));
  }

  private static BindOption read(
      String text, String what, List<String> types, List<String> withLists)
      throws CommandException {
    boolean verbose = false;
    boolean prefers = false;
    String type = "";
    String rest = text;
    while (!rest.isEmpty()) {
      int comma = rest.indexOf(',');
      String word = (comma < 0 ? rest : rest.substring(0, comma)).toLowerCase(Locale.ROOT);
      int colon = word.indexOf(':');
      String name = full(colon < 0 ? word : word.substring(0, colon));
      if (withLists.contains(name)) {
        // All that follows belongs to it.
        String list = colon < 0 ? "" : rest.substring(colon + 1);
        if (list.isEmpty()) {
          throw CommandException.error(
              "missing list for \"--" + what + "-bind=" + name + ":<list>\"");
        }
        return new BindOption(verbose, name + ":", numbers(name, list), prefers);
      }
      if (name.equals("verbose") || name.equals("quiet")) {
        verbose = name.equals("verbose");
      } else if (what.equals("mem") && MEMORY_FLAGS.contains(name)) {
        prefers |= name.equals("prefer");
      } else if (types.contains(name) && colon < 0) {
        type = name;
      } else {
        throw CommandException.error("unrecognized --" + what + "-bind argument \"" + word + "\"");
      }
      rest = comma < 0 ? "" : rest.substring(comma + 1);
    }
    return new BindOption(verbose, type, "", prefers);
  }

  private static String full(String word) {
    return switch (word) {
      case "q" -> "quiet";
      case "v" -> "verbose";
      case "no" -> "none";
      case "p" -> "prefer";
      default -> word;
    };
  }

  /** The list with masks written one way; a number may be repeated, as in {@code 0x3*4}. */
  private static String numbers(String type, String list) throws CommandException {
    StringBuilder all = new StringBuilder();
    for (String one : list.split(",", -1)) {
      String number = one.toLowerCase(Locale.ROOT);
      boolean hex = number.startsWith("0x");
      String digits = hex ? number.substring(2) : number;
      String allowed = hex || type.startsWith("mask") ? HEX : HEX.substring(0, 10);
      int star = digits.indexOf('*');
      check(one, star < 0 ? digits : digits.substring(0, star), allowed);
      if (star >= 0) {
        check(one, digits.substring(star + 1), HEX.substring(0, 10));
      }
      all.append(all.isEmpty() ? "" : ",");
      all.append(type.startsWith("mask") || !hex ? digits : number);
    }
    return all.toString();
  }

  private static void check(String one, String digits, String allowed) throws CommandException {
    for (int i = 0; i < Math.max(1, digits.length()); i++) {
      String letter = digits.isEmpty() ? "" : digits.substring(i, i + 1);
      if (letter.isEmpty() || !allowed.contains(letter)) {
        throw CommandException.error(
            "Failed to validate number: " + one + ", the offending character is " + letter);
      }
    }
  }

  /** What tasks and inner calls of {@code srun} are told, with names that begin with this. */
  public SequencedMap<String, String> variables(String prefix) {
    String volume = verbose ? "verbose" : "quiet";
    SequencedMap<String, String> all = new LinkedHashMap<>();
    String begun = prefers ? volume + ",prefer" : volume;
    all.put(prefix, type.isEmpty() ? begun : begun + "," + type + list);
    all.put(prefix + "_LIST", list);
    if (prefers) {
      all.put(prefix + "_PREFER", "prefer");
    }
    all.put(prefix + "_TYPE", type);
    all.put(prefix + "_VERBOSE", volume);
    return all;
  }
}
