package io.dure.model.command;

import io.dure.model.cron.CronEntry;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A crontab in place of the one that its owner had.
 *
 * @param text its bytes, one char (0 to 255) for each byte; empty for none any more
 * @param entries what each entry submits, in their order
 */
public record CrontabChange(String text, List<Entry> entries) {

  /** Entries that one crontab has at most. */
  public static final int MOST_ENTRIES = 1_000;

  /** Bytes that one crontab has at most. */
  public static final int MOST_BYTES = 64 << 10;

  /**
   * An entry and its job, as each would be submitted by itself.
   *
   * @param entry when it comes; the controller fills in its own time zone
   */
  public record Entry(CronEntry entry, JobSpec spec, Workload workload, JobTexts texts) {}

  /** What no crontab is like, whatever its entries ask for; null for nothing. */
  public @Nullable String problem() {
    if (entries.size() > MOST_ENTRIES) {
      return "a crontab has at most " + MOST_ENTRIES + " entries";
    }
    return text.isEmpty() && !entries.isEmpty() ? "entries stand in a text" : null;
  }

  /** The same by the clock of a time zone. */
  public CrontabChange in(String zone) {
    return new CrontabChange(
        text,
        entries.stream()
            .map(one -> new Entry(one.entry().in(zone), one.spec(), one.workload(), one.texts()))
            .toList());
  }
}
