package io.dure.cli.facts;

import io.dure.cli.command.CommandContext;
import io.dure.cli.print.TimeStamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Moments as listings print them; the zone's rules are loaded with the first one. For one thread.
 */
public final class LazyTimes {

  private final CommandContext context;
  private final Instant now;
  private @Nullable TimeStamps stamps;

  /** Moments as seen at {@code now}. */
  public LazyTimes(CommandContext context, Instant now) {
    this.context = context;
    this.now = now;
  }

  /** The text of a moment. */
  public String format(Instant moment) {
    if (stamps == null) {
      stamps = TimeStamps.of(context.environment(), now, context.clock().zone());
    }
    return stamps.format(moment);
  }
}
