package io.dure.host.log;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of many like messages are written: of each key so many in a second, the rest is
 * counted. Not safe for several threads; the log's lock guards it.
 */
final class LogRateLimiter {
  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final int MOST_KEYS = 1000;

  private final int mostPerSecond;
  private final Map<String, Count> counts = new LinkedHashMap<>();

  /** What was left out: how many messages of that key and level. */
  record SuppressedMessages(LogLevel level, String key, long leftOut) {}

  LogRateLimiter(int mostPerSecond) {
    this.mostPerSecond = mostPerSecond;
  }

  /** Whether the message may be written now; if not, it is counted. */
  boolean admit(LogLevel level, String key, Instant now) {
    Count count = counts.get(key);
    if (count == null || count.isOver(now)) {
      // An open window with left-out messages has been taken by due() before.
      counts.remove(key);
      count = new Count(level, now);
      counts.put(key, count);
    }
    if (count.written < mostPerSecond) {
      count.written++;
      return true;
    }
    count.leftOut++;
    return false;
  }

  /** Takes the summaries of all seconds that are over; with null as the time, of all. */
  List<SuppressedMessages> due(@Nullable Instant now) {
    List<SuppressedMessages> due = new ArrayList<>();
    Iterator<Map.Entry<String, Count>> entries = counts.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, Count> entry = entries.next();
      Count count = entry.getValue();
      if (now != null && !count.isOver(now) && counts.size() <= MOST_KEYS) {
        // Entries stand in the order in which their seconds began: the later are not over either.
        break;
      }
      entries.remove();
      if (count.leftOut > 0) {
        due.add(new SuppressedMessages(count.level, entry.getKey(), count.leftOut));
      }
    }
    return due;
  }

  /** Keys that are being counted now. */
  int keys() {
    return counts.size();
  }

  private static final class Count {
    final LogLevel level;
    final Instant begin;
    int written;
    long leftOut;

    Count(LogLevel level, Instant begin) {
      this.level = level;
      this.begin = begin;
    }

    /** True also when the clock was set back. */
    boolean isOver(Instant now) {
      return now.isBefore(begin) || !now.isBefore(begin.plus(WINDOW));
    }
  }
}
