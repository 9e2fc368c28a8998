package io.dure.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("process")
class PosixTimeZonesTest {
  private static final ZoneId MACHINE = ZoneOffset.ofHours(5);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "UTC",
        "UTC+3",
        "UTC-9",
        "EST5",
        "EST",
        "EST5EDT",
        "JST-9",
        "<+03>-3",
        "XXX3YYY",
        "CET-1CEST,M3.5.0,M10.5.0/3",
        "CET-1CEST",
        "GMT+5",
        "GMT-9",
        "UT+1",
        "+09:00",
        "nonsense",
        "Asia/Seoul",
        ":Asia/Seoul",
        "posix/Asia/Seoul",
        "/usr/share/zoneinfo/Asia/Seoul",
        "NST3:30NDT,M3.2.0,M11.1.0",
        "AEST-10AEDT,M10.1.0,M4.1.0/3",
        "America/New_York",
        "Z",
        "5"
      })
  void timesAreThoseOfTheCLibrary(String value) throws IOException {
    for (String time : new String[] {"2026-01-15T12:00:00Z", "2026-07-15T12:00:00Z"}) {
      Instant instant = Instant.parse(time);
      ZoneId zone = PosixTimeZones.of(value, MACHINE);
      assertEquals(
          date(value, instant),
          DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").format(instant.atZone(zone)),
          value);
    }
  }

  @Test
  void withoutTheVariableItIsTheMachines() {
    assertEquals(MACHINE, PosixTimeZones.of(null, MACHINE));
    assertEquals(MACHINE, PosixTimeZones.of(":/etc/localtime", MACHINE));
  }

  private static String date(String zone, Instant instant) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("date", "-d", "@" + instant.getEpochSecond(), "+%Y-%m-%d %H:%M:%S");
    builder.environment().put("TZ", zone);
    try (var output = builder.start().getInputStream()) {
      return new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }
}
