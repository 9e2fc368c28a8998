package io.dure.surface.srun;

import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.value.NumberParser;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of one call of {@code salloc}, whatever set them. For one thread. */
public final class SallocSettings {
  private final SbatchSettings shared;
  private final Map<SallocOption, String> own = new EnumMap<>(SallocOption.class);

  /** No settings yet. */
  public SallocSettings(SbatchSettings.Check check) {
    shared = new SbatchSettings(check);
  }

  /**
   * Sets an option.
   *
   * @param name how the user wrote it, for messages
   * @throws CommandException if its argument is wrong, or it excludes one of the same source
   */
  public void set(
      SallocOption option, String name, @Nullable String value, SbatchSettings.Source source)
      throws CommandException {
    SbatchOption other = option.shared();
    if (other != null) {
      shared.set(other, name, value, source);
      return;
    }
    if (option == SallocOption.IMMEDIATE && value != null && !value.isEmpty()) {
      NumberParser.notNegative("immediate", value);
    }
    if (option == SallocOption.BELL) {
      own.remove(SallocOption.NO_BELL);
    } else if (option == SallocOption.NO_BELL) {
      own.remove(SallocOption.BELL);
    }
    own.put(option, value == null ? "" : value);
  }

  /** Forgets an option. */
  public void unset(SallocOption option) {
    SbatchOption other = option.shared();
    if (other == null) {
      own.remove(option);
    } else {
      shared.unset(other);
    }
  }

  /** What {@code sbatch} knows, too: what the allocation asks for. */
  public SbatchSettings shared() {
    return shared;
  }

  public boolean has(SallocOption option) {
    SbatchOption other = option.shared();
    return other == null ? own.containsKey(option) : shared.has(other);
  }

  /**
   * The argument, empty for an option of {@code salloc} alone that stands without one; null if it
   * is not set.
   */
  public @Nullable String value(SallocOption option) {
    SbatchOption other = option.shared();
    return other == null ? own.get(option) : shared.value(other);
  }
}
