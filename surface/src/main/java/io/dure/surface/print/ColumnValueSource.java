package io.dure.surface.print;

/** What stands in a column for a row. */
public interface ColumnValueSource<C extends TableColumn, R> {

  /** The whole text; the table cuts it to the width. */
  String value(C column, R row);
}
