package io.dure.surface.option;

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
}
