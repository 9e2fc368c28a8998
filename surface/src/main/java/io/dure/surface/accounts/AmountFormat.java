package io.dure.surface.accounts;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.TimeLimitParser;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Amounts of resources and limits as they are typed and printed. All functions are pure. */
public final class AmountFormat {
  private static final String UNITS = "MGTPE";
  private static final long MOST = 1L << 53;

  private AmountFormat() {}

  /** {@code cpu=4,mem=2G}; empty for nothing. */
  public static String text(TresAmounts amounts, boolean minutes) {
    StringBuilder out = new StringBuilder();
    for (TresAmounts.Amount amount : amounts.amounts()) {
      if (!out.isEmpty()) {
        out.append(',');
      }
      boolean memory = amount.name().equals(TresAmounts.MEMORY);
      out.append(amount.name()).append('=');
      out.append(memory && !minutes ? memory(amount.amount()) : Long.toString(amount.amount()));
    }
    return out.toString();
  }

  private static String memory(long mib) {
    long value = mib;
    int unit = 0;
    while (value != 0 && value % 1024 == 0 && unit < UNITS.length() - 1) {
      value /= 1024;
      unit++;
    }
    return value + UNITS.substring(unit, unit + 1);
  }

  /** A limit as it stands in a table; empty where there is none. */
  public static String text(AccountingLimits limits, LimitKind limit) {
    Long bound = limits.of(limit);
    return switch (limit.unit()) {
      case COUNT -> bound == null ? "" : Long.toString(bound);
      case MINUTES -> bound == null ? "" : ElapsedTimeFormat.full(bound * 60);
      case TRES -> text(limits.tres(limit), false);
      case TRES_MINUTES -> text(limits.tres(limit), true);
    };
  }

  /** A count or a bound in minutes; -1 takes it away, given as null in {@code bound}. */
  public record Bound(@Nullable Long bound) {}

  /** A count as typed, null if it is none. */
  public static @Nullable Bound count(String text) {
    if (isNone(text)) {
      return new Bound(null);
    }
    long value = DigitParser.parse(text, MOST);
    return value < 0 ? null : new Bound(value);
  }

  /** A time in minutes as typed, null if it is none. */
  public static @Nullable Bound minutes(String text) {
    if (isNone(text)) {
      return new Bound(null);
    }
    Duration time = TimeLimitParser.parseDuration(text);
    return time == null ? null : new Bound((time.toSeconds() + 59) / 60);
  }

  private static boolean isNone(String text) {
    return text.equals("-1")
        || text.equalsIgnoreCase("INFINITE")
        || text.equalsIgnoreCase("UNLIMITED");
  }

  /**
   * The limits with those resources set that a list names, {@code cpu=4,mem=2G}; -1 takes one away,
   * an empty list all; {@code cpu+=2} and {@code cpu-=2} change what there is.
   *
   * @param unknown takes up the resource that is none, or the part that is not understood
   * @return null if there was such
   */
  public static @Nullable AccountingLimits with(
      AccountingLimits limits, LimitKind limit, String list, List<String> unknown) {
    AccountingLimits next = limits;
    if (list.isEmpty() || list.equals("-1")) {
      for (TresAmounts.Amount amount : limits.tres(limit).amounts()) {
        next = next.with(limit, amount.name(), null);
      }
      return next;
    }
    for (String part : list.split(",", -1)) {
      int equals = part.lastIndexOf('=');
      String left = equals < 0 ? part : part.substring(0, equals);
      boolean relative = left.endsWith("+") || left.endsWith("-");
      String name = relative ? left.substring(0, left.length() - 1) : left;
      if (!isTres(name)) {
        unknown.add(name);
        return null;
      }
      Bound bound = equals < 0 ? null : amount(name, part.substring(equals + 1));
      if (bound == null) {
        unknown.add(part);
        return null;
      }
      Long amount = bound.bound();
      if (relative && amount != null) {
        amount = changed(next.tres(limit), name, left.endsWith("-") ? -amount : amount);
      }
      next = next.with(limit, name, amount);
    }
    return next;
  }

  /** So much more or less than before, never below 0; a bound that is not there stays so. */
  private static @Nullable Long changed(TresAmounts before, String name, long by) {
    boolean bounded = before.amounts().stream().anyMatch(one -> one.name().equals(name));
    return bounded ? Long.valueOf(Math.clamp(before.of(name) + by, 0, MOST)) : null;
  }

  /** Whether the cluster may count such a resource. */
  public static boolean isTres(String name) {
    return TresAmounts.USUAL.contains(name)
        || (name.matches("(gres|license|bb|ic|fs)/[!-~&&[^/=,'\"`|]]+") && name.length() <= 256);
  }

  private static @Nullable Bound amount(String name, String text) {
    boolean memory = name.equals(TresAmounts.MEMORY);
    int unit = memory && !text.isEmpty() ? unit(text.charAt(text.length() - 1)) : -1;
    Bound bound = count(unit < 0 ? text : text.substring(0, text.length() - 1));
    if (bound == null || bound.bound() == null || unit <= 0) {
      return bound;
    }
    long value = bound.bound();
    for (int i = 0; i < unit && value <= MOST; i++) {
      value *= 1024;
    }
    return value > MOST ? null : new Bound(value);
  }

  private static int unit(char letter) {
    return UNITS.indexOf(Character.toUpperCase(letter));
  }
}
