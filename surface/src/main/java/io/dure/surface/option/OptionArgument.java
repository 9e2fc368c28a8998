package io.dure.surface.option;

/** Whether an option takes an argument. */
public enum OptionArgument {
  /** The option stands alone. */
  NONE(""),
  /** The option takes an argument only if it is attached: {@code --name=value}, {@code -xvalue}. */
  OPTIONAL("[=]"),
  /** The option takes the rest of its word or the next word. */
  REQUIRED("=");

  private final String sign;

  OptionArgument(String sign) {
    this.sign = sign;
  }

  /** That of an option in the form that {@link OptionKey#form} describes. */
  public static OptionArgument of(String form) {
    return form.endsWith("[=]") ? OPTIONAL : form.endsWith("=") ? REQUIRED : NONE;
  }

  /** The form without the sign at its end. */
  public String without(String form) {
    return form.substring(0, form.length() - sign.length());
  }
}
