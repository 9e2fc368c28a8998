package io.dure.surface.option;

/** Whether an option takes an argument. */
public enum OptionArgument {
  /** The option stands alone. */
  NONE,
  /** The option takes the rest of its word or the next word. */
  REQUIRED,
  /** The option takes an argument only if it is attached: {@code --name=value}, {@code -xvalue}. */
  OPTIONAL
}
