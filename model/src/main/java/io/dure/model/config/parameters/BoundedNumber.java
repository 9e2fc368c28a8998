package io.dure.model.config.parameters;

import org.jspecify.annotations.Nullable;

/**
 * What a file says where an option takes a whole number within bounds.
 *
 * @param name the option
 * @param text what the file says
 */
public record BoundedNumber(String name, String text, long least, long most) {

  /** The number; null if the text is none, or out of bounds. */
  public @Nullable Long value() {
    try {
      long value = Long.parseLong(text.strip());
      return value >= least && value <= most ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** What is wrong with a text that is no such number. */
  public String problem() {
    return name + ": value (" + text + ") is not a number from " + least + " to " + most;
  }

  /** What would be right. */
  public String remedy() {
    return "Write " + name + "=NUMBER";
  }
}
