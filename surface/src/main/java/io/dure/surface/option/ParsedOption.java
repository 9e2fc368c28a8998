package io.dure.surface.option;

import org.jspecify.annotations.Nullable;

/**
 * An option as it was found on a command line.
 *
 * @param key what the option means
 * @param value its argument, or null if it had none
 */
public record ParsedOption<K>(K key, @Nullable String value) {}
