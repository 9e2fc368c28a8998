package io.dure.surface.language;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A screen of text that is composed line by line in the user's language. For one thread. */
public abstract class ScreenText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  /** What can be said. */
  protected final LocalizedPhrases phrases;

  /** The lines so far. */
  protected final StringBuilder text = new StringBuilder();

  private final ZoneId zone;

  /** An empty screen, with times in that zone. */
  protected ScreenText(LocalizedPhrases phrases, ZoneId zone) {
    this.phrases = phrases;
    this.zone = zone;
  }

  /** Adds a line. */
  protected final void line(String line) {
    text.append(line).append('\n');
  }

  /** Adds a table. */
  protected final void table(List<List<String>> rows) {
    TextTable.lines(rows).forEach(this::line);
  }

  /** The phrases of these names, such as a table's header. */
  protected final List<String> phrases(String... names) {
    return Arrays.stream(names).map(name -> phrases.text(name)).toList();
  }

  /** A moment, to the minute. */
  protected final String time(Instant at) {
    return TIME.format(at.atZone(zone));
  }
}
