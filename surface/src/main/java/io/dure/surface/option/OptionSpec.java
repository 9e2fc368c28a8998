package io.dure.surface.option;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One name of an option.
 *
 * @param key what the option means; several names may share a key
 * @param name the long name without dashes, or the empty text if it has none
 * @param letter the short name, or {@link #NO_LETTER}
 * @param argument whether it takes an argument
 */
public record OptionSpec<K>(K key, String name, char letter, OptionArgument argument) {

  /** The letter of an option without a short name. */
  public static final char NO_LETTER = '\0';

  /** All names of an option, which blanks set apart. */
  public static <K> List<OptionSpec<K>> named(
      K key, String names, char letter, OptionArgument argument) {
    List<OptionSpec<K>> specs = new ArrayList<>();
    for (String name : names.split(" ", -1)) {
      specs.add(new OptionSpec<>(key, name, letter, argument));
    }
    return List.copyOf(specs);
  }

  /** The names of all options, in their order. */
  public static <K> List<OptionSpec<K>> table(
      K[] options, Function<K, List<OptionSpec<K>>> namesOf) {
    List<OptionSpec<K>> table = new ArrayList<>();
    for (K option : options) {
      table.addAll(namesOf.apply(option));
    }
    return List.copyOf(table);
  }
}
