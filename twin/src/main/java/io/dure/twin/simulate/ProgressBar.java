package io.dure.twin.simulate;

import io.dure.twin.result.ReplayProgressListener;
import java.io.PrintStream;
import java.util.function.LongSupplier;

/** A line on a terminal that says how far a replay is, once it has lasted for a second. */
public final class ProgressBar implements ReplayProgressListener {
  private static final int WIDTH = 40;
  private static final long PATIENCE_NANOS = 1_000_000_000;
  private static final long PAUSE_NANOS = 100_000_000;

  private final PrintStream terminal;
  private final String title;
  private final LongSupplier nanos;
  private final long began;
  private long shown;

  /** A line with a title. */
  public ProgressBar(PrintStream terminal, String title, LongSupplier nanos) {
    this.terminal = terminal;
    this.title = title;
    this.nanos = nanos;
    began = nanos.getAsLong();
    shown = began + PATIENCE_NANOS - PAUSE_NANOS;
  }

  @Override
  public void at(int done, int all) {
    long now = nanos.getAsLong();
    if (now - shown < PAUSE_NANOS) {
      return;
    }
    shown = now;
    int full = (int) ((long) WIDTH * done / Math.max(1, all));
    long left = (now - began) / 1_000_000_000 * (all - done) / Math.max(1, done);
    terminal.print(
        "\r%s [%s%s] %s/%s jobs, about %s s left \u001b[K"
            .formatted(title, "#".repeat(full), ".".repeat(WIDTH - full), done, all, left));
    terminal.flush();
  }

  /** Leaves the line as it was. */
  public void clear() {
    if (shown > began + PATIENCE_NANOS - PAUSE_NANOS) {
      terminal.print("\r\u001b[K");
      terminal.flush();
    }
  }
}
