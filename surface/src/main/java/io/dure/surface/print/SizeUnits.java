package io.dure.surface.print;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * In which units listings of accounting print sizes.
 *
 * @param plain whether they stand as they are counted, unless there is a unit
 * @param unit the letter of the unit in which all stand; null for the largest that is exact
 */
public record SizeUnits(boolean plain, @Nullable Character unit) {
  /** Each in the largest unit that is exact. */
  public static final SizeUnits EXACT = new SizeUnits(false, null);

  /** Each as it is counted. */
  public static final SizeUnits PLAIN = new SizeUnits(true, null);

  /** The letters of units. */
  public static final String LETTERS = "KMGTP";

  private static final String LARGEST = "KMGTPE";
  private static final long STEP = 1024;

  /** Memory that is counted in MiB. */
  public String mib(long mib) {
    if (unit == null) {
      return plain ? MemorySizeFormat.plain(mib) : MemorySizeFormat.format(mib);
    }
    return in(unit, mib, LETTERS.indexOf('M'));
  }

  /** A size that is counted in bytes; shortened only as long as nothing is lost by it. */
  public String bytes(long bytes) {
    if (unit != null) {
      return in(unit, bytes, -1);
    }
    long value = bytes;
    int power = -1;
    while (!plain && value > 0 && value % STEP == 0 && power < LARGEST.length() - 1) {
      value /= STEP;
      power++;
    }
    return power < 0 ? Long.toString(value) : value + LARGEST.substring(power, power + 1);
  }

  /** Whole numbers as they are, others with two decimals. */
  private static String in(char unit, long amount, int counted) {
    if (amount == 0) {
      return "0";
    }
    double value = amount * Math.pow(STEP, counted - LETTERS.indexOf(unit));
    return value == Math.rint(value)
        ? (long) value + String.valueOf(unit)
        : String.format(Locale.ROOT, "%.2f%c", value, unit);
  }
}
