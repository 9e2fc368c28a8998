package io.dure.surface.srun;

import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.value.NumberParser;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of one call of {@code srun}, whatever set them. For one thread. */
public final class SrunSettings {
  private final SbatchSettings shared;
  private int quietness;
  private final Map<SrunOption, String> own = new EnumMap<>(SrunOption.class);

  /** No settings yet. */
  public SrunSettings(SbatchSettings.Check check) {
    shared = new SbatchSettings(check);
  }

  /**
   * Sets an option.
   *
   * @param name how the user wrote it, for messages
   * @throws CommandException if its argument is wrong, or it excludes one of the same source
   */
  public void set(
      SrunOption option, String name, @Nullable String value, SbatchSettings.Source source)
      throws CommandException {
    quietness += option == SrunOption.QUIET ? 1 : 0;
    SrunOptionCheck.check(option, value == null ? "" : value);
    SbatchOption other = option.shared();
    if (other != null) {
      shared.set(other, name, value, source);
    } else {
      own.put(option, value == null ? "" : value);
    }
  }

  /** Forgets an option. */
  public void unset(SrunOption option) {
    SbatchOption other = option.shared();
    if (other == null) {
      own.remove(option);
    } else {
      shared.unset(other);
    }
  }

  /** What {@code sbatch} knows, too: what an allocation asks for. */
  public SbatchSettings shared() {
    return shared;
  }

  public boolean has(SrunOption option) {
    SbatchOption other = option.shared();
    return other == null ? own.containsKey(option) : shared.has(other);
  }

  /** The argument, or null if the option is not set or stands without one. */
  public @Nullable String value(SrunOption option) {
    SbatchOption other = option.shared();
    if (other != null) {
      return shared.value(other);
    }
    String value = own.get(option);
    return value == null || value.isEmpty() ? null : value;
  }

  /** The argument, or another text if there is none. */
  public String valueOr(SrunOption option, String other) {
    String value = value(option);
    return value == null ? other : value;
  }

  /** How often {@code -Q} was given. */
  public int quietness() {
    return quietness;
  }

  /** A count, as far as the text begins with one; another if the option is not set. */
  public int count(SrunOption option, int other) {
    String value = value(option);
    return value == null
        ? other
        : Math.clamp(NumberParser.leading(value), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }
}
