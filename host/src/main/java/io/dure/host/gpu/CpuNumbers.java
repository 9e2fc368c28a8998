package io.dure.host.gpu;

import java.util.ArrayList;
import java.util.List;

/** Lists of CPUs as the kernel writes them. */
final class CpuNumbers {
  private CpuNumbers() {}

  /** The numbers of {@code 0-3,8}; none of what is no such list. */
  static List<Integer> of(String text) {
    List<Integer> numbers = new ArrayList<>();
    try {
      for (String word : text.strip().split(",", -1)) {
        if (!word.isEmpty()) {
          String[] ends = word.split("-", 2);
          int last = Integer.parseInt(ends[ends.length - 1]);
          for (int i = Integer.parseInt(ends[0]); i <= last; i++) {
            numbers.add(i);
          }
        }
      }
      return numbers;
    } catch (NumberFormatException _) {
      return List.of();
    }
  }
}
