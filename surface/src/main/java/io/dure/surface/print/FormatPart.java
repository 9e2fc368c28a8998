package io.dure.surface.print;

/** A part of a line of a table. */
public sealed interface FormatPart<C extends TableColumn> {

  /** Adds what stands in the header line. */
  void header(StringBuilder to);

  /** Adds what stands in the line of a row. */
  <R> void row(StringBuilder to, ColumnValueSource<C, R> values, R row);

  /** A text that stands in every line, the header included. */
  record Literal<C extends TableColumn>(String text) implements FormatPart<C> {

    @Override
    public void header(StringBuilder to) {
      to.append(text);
    }

    @Override
    public <R> void row(StringBuilder to, ColumnValueSource<C, R> values, R row) {
      to.append(text);
    }
  }

  /**
   * A column; values are padded or cut to its width, without a mark where they are cut.
   *
   * @param width the exact width in characters, or 0 for as wide as the value is
   * @param right whether the value stands at the right end of the width
   * @param suffix the text after it
   */
  record Field<C extends TableColumn>(C column, int width, boolean right, String suffix)
      implements FormatPart<C> {

    @Override
    public void header(StringBuilder to) {
      append(to, column.names().header());
    }

    @Override
    public <R> void row(StringBuilder to, ColumnValueSource<C, R> values, R row) {
      append(to, PlainText.of(values.value(column, row)));
    }

    /** The same as wide as its values. */
    Field<C> unbounded() {
      return new Field<>(column, 0, right, suffix);
    }

    private void append(StringBuilder to, String value) {
      int gap = width - value.length();
      if (width == 0 || gap == 0) {
        to.append(value);
      } else if (gap < 0) {
        to.append(value, 0, width);
      } else if (right) {
        to.repeat(' ', gap).append(value);
      } else {
        to.append(value).repeat(' ', gap);
      }
      to.append(suffix);
    }
  }
}
