package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How the kernel knows a device, whatever its files are called.
 *
 * @param block a block device, else a character device
 * @param major the number of its driver
 * @param minor its number with that driver
 */
public record DeviceNumber(boolean block, int major, int minor)
    implements Comparable<DeviceNumber> {
  private static final int TYPE_BITS = 0170000;
  private static final int CHARACTER_FILE = 0020000;
  private static final int BLOCK_FILE = 0060000;

  private static final Comparator<DeviceNumber> ORDER =
      Comparator.comparing(DeviceNumber::block)
          .thenComparingInt(DeviceNumber::major)
          .thenComparingInt(DeviceNumber::minor);

  /**
   * The device of a file; null where the file is not there, or not one of a device.
   *
   * @throws IOException if that cannot be told
   */
  public static @Nullable DeviceNumber of(Path file) throws IOException {
    try {
      int type = (Integer) Files.getAttribute(file, "unix:mode") & TYPE_BITS;
      long number = (Long) Files.getAttribute(file, "unix:rdev");
      return type == CHARACTER_FILE || type == BLOCK_FILE
          ? new DeviceNumber(type == BLOCK_FILE, major(number), minor(number))
          : null;
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  /** Of all files that are there. */
  public static TreeSet<DeviceNumber> ofAll(Iterable<Path> files) throws IOException {
    TreeSet<DeviceNumber> all = new TreeSet<>();
    for (Path file : files) {
      DeviceNumber number = of(file);
      if (number != null) {
        all.add(number);
      }
    }
    return all;
  }

  /** See makedev(3). */
  static int major(long number) {
    return (int) (number >>> 8 & 0xfff | number >>> 32 & 0xfffff000L);
  }

  static int minor(long number) {
    return (int) (number & 0xff | number >>> 12 & 0xffffff00L);
  }

  /** All access to it, as control groups of version 1 have it written. */
  String rule() {
    return (block ? "b " : "c ") + major + ":" + minor + " rwm";
  }

  @Override
  public int compareTo(DeviceNumber other) {
    return ORDER.compare(this, other);
  }
}
