package io.dure.surface.print;

/** A column that a table can show; the columns of one table are the constants of one enum. */
public interface TableColumn {

  /** The letter of a column that has only a long name. */
  char NO_LETTER = '\0';

  /** The letter after {@code %} in {@code -o}, or {@link #NO_LETTER}. */
  char letter();

  /** The name in {@code -O}, compared without regard to case. */
  String longName();

  /** The text in the header line. */
  String header();
}
