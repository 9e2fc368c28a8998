package io.dure.node.binding;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/**
 * Which of a step's GPUs each of its tasks on a node sees, by {@code --gpu-bind}.
 *
 * @param visible for each task the indices of the GPUs that it sees, rising
 * @param notes for each task lines for its user
 */
public record GpuBinding(List<List<Integer>> visible, List<List<String>> notes) {
  private static final String VERBOSE = "verbose,";

  /**
   * Binds tasks.
   *
   * @param text the argument of the option, empty where all see all
   * @param gpus indices of the step's GPUs on the node, rising
   * @param tasks how many tasks there are
   * @param near the GPUs near to the CPUs of a task
   * @param local whether the step can open no others, and so numbers its own from 0
   */
  public static GpuBinding of(
      String text, List<Integer> gpus, int tasks, IntFunction<List<Integer>> near, boolean local) {
    boolean verbose = text.startsWith(VERBOSE);
    String type = verbose ? text.substring(VERBOSE.length()) : text;
    List<List<Integer>> visible = new ArrayList<>();
    List<List<String>> notes = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      List<String> lines = new ArrayList<>();
      List<Integer> wanted = new ArrayList<>(wanted(type, gpus, task, near));
      if (local && isOfNumbers(type)) {
        wanted.removeIf(number -> number < 0 || number >= gpus.size());
        wanted.replaceAll(gpus::get);
      }
      wanted.retainAll(gpus);
      if (wanted.isEmpty() && !gpus.isEmpty()) {
        wanted.add(gpus.getFirst());
        lines.add(
            "slurmstepd: error: Bind request gpu:"
                + type
                + " does not specify any devices within the allocation for task "
                + task
                + ". Binding to the first device in the allocation instead.");
      }
      if (verbose && !gpus.isEmpty()) {
        lines.add(line(wanted, gpus, local));
      }
      visible.add(List.copyOf(wanted));
      notes.add(List.copyOf(lines));
    }
    return new GpuBinding(List.copyOf(visible), List.copyOf(notes));
  }

  /** Whether the user numbers GPUs. */
  private static boolean isOfNumbers(String type) {
    return type.startsWith("map") || type.startsWith("mask");
  }

  /** As the drivers of a step that has these GPUs number some of them, where it opens no others. */
  public static List<Integer> local(List<Integer> some, List<Integer> gpus) {
    return some.stream().map(gpus::indexOf).toList();
  }

  private static String line(List<Integer> bound, List<Integer> gpus, boolean local) {
    return "gpu-bind: usable_gres="
        + mask(bound)
        + "; bit_alloc="
        + mask(gpus)
        + (local ? "; local_inx=1; global_list=" : "; local_inx=0; global_list=")
        + text(bound)
        + "; local_list="
        + text(local ? local(bound, gpus) : bound);
  }

  private static String mask(List<Integer> indices) {
    BigInteger mask = BigInteger.ZERO;
    for (int index : indices) {
      mask = mask.setBit(index);
    }
    return "0x" + mask.toString(16).toUpperCase(Locale.ROOT);
  }

  /** As the variables list them: {@code 0,1}. */
  public static String text(List<Integer> gpus) {
    return String.join(",", gpus.stream().map(String::valueOf).toList());
  }

  private static List<Integer> wanted(
      String type, List<Integer> gpus, int task, IntFunction<List<Integer>> near) {
    int colon = type.indexOf(':');
    String name = colon < 0 ? type : type.substring(0, colon);
    String rest = type.substring(colon + 1);
    if (gpus.isEmpty()) {
      return gpus;
    }
    return switch (name) {
      case "closest" -> near.apply(task);
      case "single" -> {
        int each = number(rest);
        yield List.of(gpus.get(task / Math.max(1, each) % gpus.size()));
      }
      case "per_task" -> {
        int each = Math.clamp(number(rest), 1, gpus.size());
        List<Integer> own = new ArrayList<>();
        for (int i = 0; i < each; i++) {
          own.add(gpus.get((int) (((long) task * each + i) % gpus.size())));
        }
        yield own.stream().sorted().toList();
      }
      case "map", "map_gpu" -> List.of(number(entry(rest, task)));
      case "mask", "mask_gpu" -> bits(entry(rest, task));
      default -> gpus;
    };
  }

  /** The entry of a task in a list whose entries may be repeated, as in {@code 0x3*4}. */
  static String entry(String list, int task) {
    List<String> all = new ArrayList<>();
    for (String one : list.split(",", -1)) {
      int star = one.indexOf('*');
      int times = star < 0 ? 1 : Math.clamp(number(one.substring(star + 1)), 0, 1 << 16);
      for (int i = 0; i < times; i++) {
        all.add(star < 0 ? one : one.substring(0, star));
      }
    }
    return all.isEmpty() ? "" : all.get(task % all.size());
  }

  /** The numbers of the bits of a mask, rising. */
  static List<Integer> bits(String mask) {
    String digits = mask.startsWith("0x") ? mask.substring(2) : mask;
    List<Integer> bits = new ArrayList<>();
    if (!digits.isEmpty() && digits.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
      BigInteger value = new BigInteger(digits, 16);
      for (int i = 0; i < value.bitLength(); i++) {
        if (value.testBit(i)) {
          bits.add(i);
        }
      }
    }
    return bits;
  }

  /** A number, hexadecimal behind 0x; -1 where there is none. */
  static int number(String text) {
    try {
      return text.startsWith("0x")
          ? Integer.parseInt(text.substring(2), 16)
          : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
