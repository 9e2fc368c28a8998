package io.dure.twin.policy;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a replay orders, overtakes and estimates.
 *
 * @param order the order of the queue
 * @param backfill which jobs may overtake
 * @param estimates what is believed of run times
 * @param starvationBound jobs that waited longer come before all others, first come first served;
 *     null for no bound
 */
public record ReplayPolicy(
    QueueOrderPolicy order,
    BackfillPolicy backfill,
    EstimateSource estimates,
    @Nullable Duration starvationBound) {

  /** For people: {@code sjf/easy limit 48h}. */
  public String text() {
    StringBuilder text = new StringBuilder(order.name()).append('/').append(backfill.name());
    if (estimates != EstimateSource.LIMIT) {
      text.append(' ').append(estimates.name());
    }
    Duration bound = starvationBound;
    if (bound != null) {
      text.append(" bound ");
      text.append(bound.toSeconds() % 3600 == 0 ? bound.toHours() + "h" : bound.toSeconds() + "s");
    }
    return text.toString().toLowerCase(Locale.ROOT);
  }
}
