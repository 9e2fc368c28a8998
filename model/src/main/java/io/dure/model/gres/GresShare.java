package io.dure.model.gres;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job holds of one sort of generic resource on one node.
 *
 * @param name its name
 * @param type its type, null where the node names none
 * @param devices indices of the devices held or, of a resource that shares GPUs, of the GPU that is
 *     shared; rising, empty for what is only counted
 * @param count how many
 */
public record GresShare(String name, @Nullable String type, List<Integer> devices, long count) {
  public GresShare {
    devices = List.copyOf(devices);
  }

  /** Name and type: {@code gpu:a100}. */
  public String kind() {
    return type == null ? name : name + ":" + type;
  }

  /** As records print it: {@code gpu:a100:2(IDX:0-1)}. */
  public String text() {
    String counted = kind() + ":" + count;
    return devices.isEmpty() ? counted : counted + "(IDX:" + ranges(devices) + ")";
  }

  /** Rising numbers as bit maps are printed: {@code 0-3,6}. */
  public static String ranges(List<Integer> numbers) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < numbers.size()) {
      int end = at;
      while (end + 1 < numbers.size() && numbers.get(end + 1) == numbers.get(end) + 1) {
        end++;
      }
      text.append(text.isEmpty() ? "" : ",").append(numbers.get(at));
      if (end > at) {
        text.append('-').append(numbers.get(end));
      }
      at = end + 1;
    }
    return text.toString();
  }
}
