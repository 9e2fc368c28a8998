package io.dure.surface.print;

/** What stands in a column for a row. */
public interface ColumnValues<C extends Column, R> {

  /** The whole text; the table cuts it to the width. */
  String value(C column, R row);
}
