package io.dure.surface.print;

/** Amounts of memory as listings print them. */
public final class MemorySizeFormat {

  private static final String UNITS = "MGTP";

  private MemorySizeFormat() {}

  /**
   * The amount in the largest unit that keeps it exact to half a unit: {@code 4000M}, {@code 4G},
   * {@code 1.50G}.
   */
  public static String format(long mib) {
    if (mib == 0) {
      return "0";
    }
    long value = mib;
    int unit = 0;
    // A half is kept as two decimals, anything finer stays in the smaller unit.
    while (unit < UNITS.length() - 1 && value >= 1024 && value % 512 == 0) {
      if (value % 1024 != 0) {
        return value / 1024 + ".50" + UNITS.charAt(unit + 1);
      }
      value /= 1024;
      unit++;
    }
    return value + UNITS.substring(unit, unit + 1);
  }

  /** The amount in MiB whatever its size, as {@code --noconvert} asks: {@code 4096M}. */
  public static String plain(long mib) {
    return mib + "M";
  }
}
