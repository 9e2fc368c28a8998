package io.dure.cli.squeue;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.Message;
import io.dure.cli.facts.DateLine;
import io.dure.cli.facts.JobFacts;
import io.dure.cli.print.Column;
import io.dure.cli.print.ColumnValues;
import io.dure.cli.print.TableFormat;
import io.dure.cli.print.TablePrinter;
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
  <C extends Column> void print(
      List<JobFacts> rows, List<C> columns, ColumnValues<C, JobFacts> values) {
    StringBuilder text = new StringBuilder(CHUNK + 1024);
    TablePrinter<C, JobFacts> printer = new TablePrinter<>(format(columns), values);
    if (view.date()) {
      text.append(DateLine.of(context.clock())).append('\n');
    }
    if (title != null && view.header()) {
      text.append("CLUSTER: ").append(title).append('\n');
    }
    if (view.header()) {
      printer.header(text);
    }
    for (JobFacts row : rows) {
      printer.row(text, row);
      if (text.length() > CHUNK) {
        context.out().append(text);
        text.setLength(0);
      }
    }
    context.out().append(text);
  }

  private <C extends Column> TableFormat<C> format(List<C> columns) {
    String names = view.names();
    String letters = view.letters();
    TableFormat<C> format =
        names == null
            ? TableFormat.ofLetters(letters == null ? "" : letters, columns)
            : TableFormat.ofNames(names, columns);
    for (String unknown : format.unknown()) {
      context.report(Message.error("Invalid job format specification: " + unknown));
    }
    return format;
  }
}
