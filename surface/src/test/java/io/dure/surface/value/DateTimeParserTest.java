package io.dure.surface.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.surface.message.CommandException;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** It is 2026-11-20T16:01:34. */
@Tag("pure")
class DateTimeParserTest {
  private static final WallClock CLOCK =
      new WallClock.Fixed(Instant.parse("2026-11-20T16:01:34Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "now,2026-11-20T16:01:34",
    "now+1hour,2026-11-20T17:01:34",
    "now + 90 min,2026-11-20T17:31:34",
    "now+30,2026-11-20T16:02:04",
    "now-1week,2026-11-13T16:01:34",
    "NOW+2days,2026-11-22T16:01:34",
    "16:00,2026-11-21T16:00:00",
    "16:02,2026-11-20T16:02:00",
    "5:30:15pm,2026-11-20T17:30:15",
    "12:00 AM,2026-11-21T00:00:00",
    "tomorrow,2026-11-21T00:00:00",
    "today,2026-11-20T00:00:00",
    "midnight,2026-11-21T00:00:00",
    "noon,2026-11-21T12:00:00",
    "tomorrow noon,2026-11-21T12:00:00",
    "fika,2026-11-21T15:00:00",
    "teatime,2026-11-21T16:00:00",
    "2026-01-20T12:34:00,2026-01-20T12:34:00",
    "2027-01-20,2027-01-20T00:00:00",
    "12/31/26,2026-12-31T00:00:00",
    "12/31,2026-12-31T00:00:00",
    "01/20,2027-01-20T00:00:00",
    "12.31.2026,2026-12-31T00:00:00",
    "12/31/26-13:14:15,2026-12-31T13:14:15",
    "1231,2026-12-31T00:00:00",
    "123127,2027-12-31T00:00:00",
    "10:00 12/31/26,2026-12-31T10:00:00",
    "uts1700000000,2023-11-14T22:13:20"
  })
  void namesMoments(String text, String expected) throws CommandException {
    assertEquals(
        Instant.parse(expected + "Z"),
        DateTimeParser.parse(text, CLOCK, DateTimeParser.PastOrFuture.FUTURE));
  }

  @ParameterizedTest
  @CsvSource({"noon,2026-11-20T12:00:00", "16:00,2026-11-20T16:00:00", "01/20,2026-01-20T00:00:00"})
  void reportsLookBack(String text, String expected) throws CommandException {
    assertEquals(
        Instant.parse(expected + "Z"),
        DateTimeParser.parse(text, CLOCK, DateTimeParser.PastOrFuture.PAST));
  }

  @ParameterizedTest
  @CsvSource({
    "whenever,0",
    "'',0",
    "now+,0",
    "now+1fortnight,0",
    "25:00,0",
    "2026-13-01,0",
    "noon noon,5",
    "16:00 x,6",
    "12/31/2,0",
    "now noon,4",
    "1-2,0",
    "99999999,0"
  })
  void saysWhereTheTroubleStarts(String text, int position) {
    CommandException refusal =
        assertThrows(
            CommandException.class,
            () -> DateTimeParser.parse(text, CLOCK, DateTimeParser.PastOrFuture.FUTURE));
    assertEquals(
        "Invalid time specification (pos=" + position + "): " + text, refusal.getMessage());
  }
}
