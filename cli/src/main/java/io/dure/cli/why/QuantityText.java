package io.dure.cli.why;

import io.dure.surface.language.LocalizedPhrases;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times, durations and amounts as text. */
final class QuantityText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
  private static final Duration JUST_NOW = Duration.ofSeconds(45);
  private static final int LONGEST_NAME = 40;
  private static final long HOUR = 60;
  private static final long DAY = 24 * HOUR;
  private static final long GIB = 1024;

  final LocalizedPhrases phrases;
  private final ZoneId zone;
  private final Instant now;

  QuantityText(LocalizedPhrases phrases, ZoneId zone, Instant now) {
    this.phrases = phrases;
    this.zone = zone;
    this.now = now;
  }

  String say(String name, Object... values) {
    return phrases.text(name, values);
  }

  String time(Instant time) {
    return TIME.format(time.atZone(zone));
  }

  /** The time, and how far ahead that is. */
  String ahead(Instant time) {
    return say("in", time(time), length(Duration.between(now, time)));
  }

  /** The time, and how long ago that was. */
  String ago(Instant time) {
    Duration passed = Duration.between(time, now);
    return passed.compareTo(JUST_NOW) < 0
        ? say("just-now", time(time))
        : say("ago", time(time), length(passed));
  }

  /** The end of something, or that it has none. */
  String until(@Nullable Instant end) {
    return end == null ? say("without-end") : time(end);
  }

  /** A length of time in its two largest units. */
  String length(Duration length) {
    long minutes = Math.max(0, (length.toSeconds() + 59) / 60);
    if (minutes < HOUR) {
      return say("minutes", minutes);
    }
    boolean days = minutes >= DAY;
    long large = days ? minutes / DAY : minutes / HOUR;
    long small = days ? minutes % DAY / HOUR : minutes % HOUR;
    String first = say(days ? "days" : "hours", large);
    return small == 0 ? first : say("and", first, say(days ? "hours" : "minutes", small));
  }

  /** A limit of a run. */
  String limit(@Nullable Duration limit) {
    return limit == null ? say("no-limit") : length(limit);
  }

  String memory(long mib) {
    return mib % GIB == 0 && mib > 0 ? mib / GIB + " GiB" : mib + " MiB";
  }

  /** One, or another number. */
  String count(String name, long number) {
    return say(number == 1 ? name : name + "s", number);
  }

  /** A number that may have a part behind the point. */
  static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  /** A name that a user chose: of one line, not too long, without what moves the cursor. */
  static String name(String name) {
    StringBuilder text = new StringBuilder();
    int columns = 0;
    for (int point : LocalizedPhrases.plain(name).codePoints().toArray()) {
      String letter = Character.toString(point);
      columns += LocalizedPhrases.columns(letter);
      if (columns > LONGEST_NAME) {
        return text.append("...").toString();
      }
      text.append(letter);
    }
    return text.toString();
  }
}
