package io.dure.cli.squeue;

import io.dure.cli.command.CommandContext;
import io.dure.surface.facts.ListingDateLine;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.ColumnValueSource;
import io.dure.surface.print.TableColumn;
import io.dure.surface.print.TableFormat;
import io.dure.surface.print.TablePrinter;
import io.dure.surface.squeue.QueueQuery;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prints the listing as a table.
 *
 * @param title the cluster's name if it stands above the table, else null
 */
record QueueTable(CommandContext context, QueueQuery.View view, @Nullable String title) {

  private static final int CHUNK = 1 << 15;

  /** Prints the rows in these columns. */
  <C extends TableColumn, R> void print(
      List<R> rows, List<C> columns, ColumnValueSource<C, R> values) {
    StringBuilder text = new StringBuilder(CHUNK + 1024);
    TablePrinter<C, R> printer = new TablePrinter<>(format(columns), values);
    if (view.date()) {
      text.append(ListingDateLine.of(context.clock())).append('\n');
    }
    if (title != null && view.header()) {
      text.append("CLUSTER: ").append(title).append('\n');
    }
    if (view.header()) {
      printer.header(text);
    }
    for (R row : rows) {
      printer.row(text, row);
      if (text.length() > CHUNK) {
        write(text);
        text.setLength(0);
      }
    }
    write(text);
  }

  /**
   * Writes bytes: the stream would take characters one by one, a sixth of a long listing's time.
   */
  private void write(StringBuilder text) {
    PrintStream out = context.out();
    byte[] bytes = text.toString().getBytes(out.charset());
    out.write(bytes, 0, bytes.length);
  }

  private <C extends TableColumn> TableFormat<C> format(List<C> columns) {
    String names = view.names();
    String letters = view.letters();
    TableFormat<C> format =
        names == null
            ? TableFormat.ofLetters(letters == null ? "" : letters, columns)
            : TableFormat.ofNames(names, columns);
    for (String unknown : format.unknown()) {
      context.report(StderrMessage.error("Invalid job format specification: " + unknown));
    }
    return format;
  }
}
