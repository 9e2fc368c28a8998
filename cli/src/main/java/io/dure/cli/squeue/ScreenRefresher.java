package io.dure.cli.squeue;

import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.squeue.QueueQuery;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Listings one after the other: on a terminal in each other's place, elsewhere those that differ,
 * with an empty line after each. One thread.
 */
final class ScreenRefresher {
  /** To the upper left corner, and nothing is left from there on. */
  private static final String CLEAR = "\033[H\033[2J";

  private final CommandContext context;
  private final QueueListing listing;
  private final ByteArrayOutputStream drawn = new ByteArrayOutputStream();
  private final PrintStream drawing = new PrintStream(drawn, false, StandardCharsets.UTF_8);
  private String last = "";

  ScreenRefresher(CommandContext context, QueueQuery query) {
    this.context = context;
    this.listing = new QueueListing(context.withOut(drawing), query);
  }

  /** Prints the listing as it is now. */
  void next() throws CommandException {
    drawn.reset();
    listing.print();
    drawing.flush();
    String text = drawn.toString(StandardCharsets.UTF_8);
    if (context.terminal()) {
      context.out().print(CLEAR + text);
    } else if (!text.equals(last)) {
      context.out().print(text + '\n');
    }
    last = text;
    context.out().flush();
  }
}
