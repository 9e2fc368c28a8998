package io.dure.surface.print;

/** Text that others have written, for a terminal. All functions are pure. */
public final class TerminalText {
  private TerminalText() {}

  /** The text with a question mark for each control character but tabs and ends of lines. */
  public static String of(String text) {
    StringBuilder clean = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) && c != '\n' && c != '\t') {
        clean = clean == null ? new StringBuilder(text) : clean;
        clean.setCharAt(i, '?');
      }
    }
    return clean == null ? text : clean.toString();
  }
}
