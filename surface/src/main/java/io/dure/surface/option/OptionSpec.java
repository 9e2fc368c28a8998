package io.dure.surface.option;

import java.util.ArrayList;
import java.util.List;

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

  /** All names of all options, in order. */
  public static <K extends OptionKey> List<OptionSpec<K>> table(K[] options) {
    List<OptionSpec<K>> table = new ArrayList<>();
    for (K option : options) {
      table.addAll(named(option, option.form()));
    }
    return List.copyOf(table);
  }

  private static <K> List<OptionSpec<K>> named(K key, String form) {
    OptionArgument argument = OptionArgument.of(form);
    char letter = NO_LETTER;
    List<OptionSpec<K>> all = new ArrayList<>();
    for (String word : argument.without(form).split(" ", -1)) {
      if (word.startsWith("--")) {
        all.add(new OptionSpec<>(key, word.substring(2), letter, argument));
      } else {
        letter = word.charAt(1);
      }
    }
    return all.isEmpty() ? List.of(new OptionSpec<>(key, "", letter, argument)) : all;
  }
}
