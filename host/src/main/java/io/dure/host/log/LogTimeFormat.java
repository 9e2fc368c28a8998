package io.dure.host.log;

import io.dure.host.libc.CLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;

/** How a log writes the time of a line, by the words of {@code LogTimeFormat}. */
public enum LogTimeFormat {
  /** {@code 2026-11-20T16:01:34}. */
  ISO8601,
  /** {@code 2026-11-20T16:01:34.123}. */
  ISO8601_MS,
  /** {@code 2026-11-20T16:01:34+01:00}. */
  RFC5424,
  /** {@code 2026-11-20T16:01:34.123+01:00}. */
  RFC5424_MS,
  /** {@code 2026-11-20T16:01:34+01:00}, as RFC 3339 has it too. */
  RFC3339,
  /** Microseconds of CPU time that the process has used. */
  CLOCK,
  /** {@code Nov 20 16:01:34}. */
  SHORT,
  /** {@code Fri Nov 20 16:01:34.123456} with the process, the thread's name and its number. */
  THREAD_ID;

  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
  private static final List<String> DAYS = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

  /** The format of the first word that names one, {@link #ISO8601_MS} where none does. */
  public static LogTimeFormat of(List<String> words) {
    for (String word : words) {
      for (LogTimeFormat format : values()) {
        if (format.name().equalsIgnoreCase(word)) {
          return format;
        }
      }
    }
    return ISO8601_MS;
  }

  void append(StringBuilder text, ZonedDateTime time) {
    switch (this) {
      case ISO8601 -> dateTime(text, time);
      case ISO8601_MS -> {
        dateTime(text, time);
        fraction(text, time.getNano() / 1_000_000, 3);
      }
      case RFC5424, RFC3339 -> {
        dateTime(text, time);
        offset(text, time);
      }
      case RFC5424_MS -> {
        dateTime(text, time);
        fraction(text, time.getNano() / 1_000_000, 3);
        offset(text, time);
      }
      case CLOCK -> text.append(processorMicros());
      case SHORT -> monthTime(text, time);
      case THREAD_ID -> {
        text.append(DAYS.get(time.getDayOfWeek().getValue() - 1)).append(' ');
        monthTime(text, time);
        fraction(text, time.getNano() / 1_000, 6);
        Thread thread = Thread.currentThread();
        String name = thread.getName().isEmpty() ? "thread" : thread.getName();
        text.append(' ').append(ProcessHandle.current().pid()).append(' ').append(name);
        text.append(' ').append(thread.threadId());
      }
    }
  }

  private static long processorMicros() {
    try {
      return (long)
          CLibrary.function("clock", FunctionDescriptor.of(ValueLayout.JAVA_LONG)).invokeExact();
    } catch (Throwable e) {
      throw CLibrary.unexpected("clock", e);
    }
  }

  private static void dateTime(StringBuilder text, ZonedDateTime time) {
    digits(text, time.getYear(), 4);
    text.append('-');
    digits(text, time.getMonthValue(), 2);
    text.append('-');
    digits(text, time.getDayOfMonth(), 2);
    text.append('T');
    clock(text, time);
  }

  private static void monthTime(StringBuilder text, ZonedDateTime time) {
    text.append(MONTHS.get(time.getMonthValue() - 1)).append(' ');
    digits(text, time.getDayOfMonth(), 2);
    text.append(' ');
    clock(text, time);
  }

  private static void clock(StringBuilder text, ZonedDateTime time) {
    digits(text, time.getHour(), 2);
    text.append(':');
    digits(text, time.getMinute(), 2);
    text.append(':');
    digits(text, time.getSecond(), 2);
  }

  private static void fraction(StringBuilder text, int number, int width) {
    text.append('.');
    digits(text, number, width);
  }

  private static void offset(StringBuilder text, ZonedDateTime time) {
    int minutes = time.getOffset().getTotalSeconds() / 60;
    text.append(minutes < 0 ? '-' : '+');
    digits(text, Math.abs(minutes) / 60, 2);
    text.append(':');
    digits(text, Math.abs(minutes) % 60, 2);
  }

  private static void digits(StringBuilder text, int number, int width) {
    String digits = Integer.toString(number);
    text.repeat('0', Math.max(0, width - digits.length())).append(digits);
  }

  /** The word of slurm.conf. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
