package io.dure.surface.print;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column that a table can show; the columns of one table are the constants of one enum. */
public interface TableColumn {

  /** The letter of a column that has only a long name. */
  char NO_LETTER = '\0';

  /**
   * How a column is named.
   *
   * @param letter the letter after {@code %} in {@code -o}, or {@link #NO_LETTER}
   * @param longName the name in {@code -O}, compared without regard to case
   * @param header the text in the header line
   */
  record Names(char letter, String longName, String header) {}

  /** Its names. */
  Names names();

  /** The column of that letter, null if none has it. */
  static <C extends TableColumn> @Nullable C byLetter(char letter, List<C> columns) {
    for (C column : columns) {
      if (column.names().letter() == letter && letter != NO_LETTER) {
        return column;
      }
    }
    return null;
  }
}
