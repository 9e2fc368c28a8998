package io.dure.cli.filter;

import io.dure.surface.message.CommandException;
import org.jspecify.annotations.Nullable;

/**
 * The options of a command in force, for a script that reads and sets them.
 *
 * @param <K> the options that the command knows
 */
public interface FilteredOptions<K> {
  /** All that there are. */
  K[] all();

  /** The name that stands behind two dashes. */
  String name(K option);

  /** Whether it stands without an argument. */
  boolean isFlag(K option);

  /** Whether it is set. */
  boolean has(K option);

  /** Its argument, null where it stands without one. */
  @Nullable String value(K option);

  /** Sets it. */
  void set(K option, @Nullable String value) throws CommandException;

  /** Takes it away. */
  void unset(K option);
}
