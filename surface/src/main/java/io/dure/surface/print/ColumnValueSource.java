package io.dure.surface.print;

/** The value of a column in a row. */
public interface ColumnValueSource<C extends TableColumn, R> {

  /** The whole text; the table cuts it to the width. */
  String value(C column, R row);
}
