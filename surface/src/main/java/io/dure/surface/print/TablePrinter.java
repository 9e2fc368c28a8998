package io.dure.surface.print;

import java.util.List;

/**
 * Writes the lines of a table.
 *
 * @param format the layout
 * @param values what stands in the columns
 */
public record TablePrinter<C extends TableColumn, R>(
    TableFormat<C> format, ColumnValueSource<C, R> values) {

  /** Adds the header line with its end. */
  public void header(StringBuilder to) {
    for (FormatPart<C> part : format.parts()) {
      part.header(to);
    }
    to.append('\n');
  }

  /** Adds the line of a row with its end. */
  public void row(StringBuilder to, R row) {
    for (FormatPart<C> part : format.parts()) {
      part.row(to, values, row);
    }
    to.append('\n');
  }

  /** Adds the lines of all rows in order. */
  public void rows(StringBuilder to, List<R> rows) {
    for (R row : rows) {
      row(to, row);
    }
  }
}
