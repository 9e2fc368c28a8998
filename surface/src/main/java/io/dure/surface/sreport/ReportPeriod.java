package io.dure.surface.sreport;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * The time that a report is of.
 *
 * @param from its begin
 * @param until its end, outside
 * @param zone the zone that it is written in
 */
record ReportPeriod(Instant from, Instant until, ZoneId zone) {
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

  /** Its first and its last second. */
  String text() {
    return moment(from) + " - " + moment(until.minusSeconds(1));
  }

  /** A moment as reports write it. */
  String moment(Instant at) {
    return FORM.format(at.atZone(zone));
  }

  /** The same with its length. */
  String withLength() {
    return text() + " (" + Duration.between(from, until).toSeconds() + " secs)";
  }
}
