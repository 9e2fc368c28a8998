package io.dure.surface.print;

/** Texts that users chose, as they may be shown on a terminal and read line by line. */
public final class PlainText {
  private static final int ZERO_WIDTH_JOINER = 0x200d;

  private PlainText() {}

  /**
   * A text without what would end a line, move a terminal's cursor or change its state: "?" is in
   * its place.
   */
  public static String of(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        return cleaned(text);
      }
    }
    return text;
  }

  private static String cleaned(String text) {
    if (text.codePoints().allMatch(PlainText::isPlain)) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints().forEach(point -> plain.appendCodePoint(isPlain(point) ? point : '?'));
    return plain.toString();
  }

  private static boolean isPlain(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      // A joiner makes one letter of several; others of its kind turn the direction of a line.
      case Character.FORMAT -> point == ZERO_WIDTH_JOINER;
      default -> true;
    };
  }
}
