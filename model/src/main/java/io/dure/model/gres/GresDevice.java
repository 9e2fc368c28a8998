package io.dure.model.gres;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device of a node, given to one job at a time.
 *
 * @param name the resource it is one of, {@code gpu}
 * @param type its type, null where none is named
 * @param index its place among the node's devices of that name, from 0
 * @param cores the cores near it, empty where all are alike
 * @param file its device file, empty where none is named
 * @param uuid what a driver calls it that has no number for it, a part of a GPU; else empty
 */
public record GresDevice(
    String name, @Nullable String type, int index, List<Integer> cores, String file, String uuid) {
  /** One that a driver knows by its number. */
  public GresDevice(
      String name, @Nullable String type, int index, List<Integer> cores, String file) {
    this(name, type, index, cores, file, "");
  }

  public GresDevice {
    cores = List.copyOf(cores);
  }

  /** The same with others near it. */
  GresDevice withCores(List<Integer> near) {
    return new GresDevice(name, type, index, near, file, uuid);
  }

  /** What a node calls it that does not find it: its file, or {@code gpu:3} without one. */
  public String nameInReports() {
    return file.isEmpty() ? name + ":" + index : file;
  }
}
