package io.dure.host.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The daemons' log: one line per message, {@code [2026-11-20T16:01:34.123] error: text}, appended
 * to a file, to a stream (the daemon's standard error), or to both.
 *
 * <p>Of messages with the same key only so many are written in a second, then one line says how
 * many were left out; the key of a message is its text unless another is given. A message can
 * neither hold line ends or other control characters nor be longer than 8192 characters, so that
 * nobody forges or floods the log through a name he chooses. A file that cannot be written (disk
 * full) never disturbs the daemon: the message is lost, and counted.
 *
 * <p>Neither {@code System.Logger} nor {@code java.util.logging} stands behind it: they know
 * neither Slurm's levels nor its line, their file handler cannot reopen a file under its name after
 * a rotation, and limiting repetition would have to be added all the same; what remained of them
 * would be more code than writing a line.
 *
 * <p>Any thread may call.
 */
public final class Log implements Closeable {
  private static final int LONGEST = 8192;
  private static final int MOST_PER_SECOND = 20;

  private final @Nullable Path file;
  private final @Nullable OutputStream stream;
  private final InstantSource clock;
  private final ZoneId zone;
  private final RepeatLimit limit = new RepeatLimit(MOST_PER_SECOND);
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable OutputStream fileStream;
  private long lost;
  private volatile LogLevel level;

  private Log(
      @Nullable Path file,
      @Nullable OutputStream stream,
      LogLevel level,
      InstantSource clock,
      ZoneId zone) {
    this.file = file;
    this.stream = stream;
    this.level = level;
    this.clock = clock;
    this.zone = zone;
  }

  /**
   * Appends to {@code file}, and to {@code stream} if it is not null.
   *
   * @param zone in which the times are written
   * @throws IOException if the file cannot be opened
   */
  public static Log toFile(
      Path file, @Nullable OutputStream stream, LogLevel level, InstantSource clock, ZoneId zone)
      throws IOException {
    Log log = new Log(file, stream, level, clock, zone);
    log.reopen();
    return log;
  }

  /** Writes to {@code stream} alone, which stays open when the log is closed. */
  public static Log toStream(
      OutputStream stream, LogLevel level, InstantSource clock, ZoneId zone) {
    return new Log(null, stream, level, clock, zone);
  }

  /** Writes nothing, for tests and tools. */
  public static Log silent() {
    return new Log(null, null, LogLevel.QUIET, InstantSource.system(), ZoneId.systemDefault());
  }

  /** Changes how much is told from now on. */
  public void level(LogLevel newLevel) {
    level = newLevel;
  }

  /** How much is told. */
  public LogLevel level() {
    return level;
  }

  /** Whether a message of that level would be written; ask before composing an expensive one. */
  public boolean tells(LogLevel wanted) {
    return wanted != LogLevel.QUIET && wanted.compareTo(level) <= 0;
  }

  /** What ends the daemon. */
  public void fatal(String message) {
    write(LogLevel.FATAL, message, message);
  }

  /** What went wrong. */
  public void error(String message) {
    write(LogLevel.ERROR, message, message);
  }

  /** What went wrong in a way that nobody expected: with the trace of calls, a line for each. */
  public void error(String message, Throwable cause) {
    if (!tells(LogLevel.ERROR)) {
      return;
    }
    StringWriter trace = new StringWriter();
    cause.printStackTrace(new PrintWriter(trace));
    String key = message + cause.getClass().getName();
    String[] lines = trace.toString().split("\n", -1);
    lock.lock();
    try {
      if (!admit(LogLevel.ERROR, key)) {
        return;
      }
      put(LogLevel.ERROR, message + ": " + lines[0]);
      for (int i = 1; i < lines.length; i++) {
        if (!lines[i].isBlank()) {
          put(LogLevel.ERROR, "  " + lines[i].strip());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** What an administrator wants to know. */
  public void info(String message) {
    write(LogLevel.INFO, message, message);
  }

  /** Some more of it. */
  public void verbose(String message) {
    write(LogLevel.VERBOSE, message, message);
  }

  /** What a developer wants to know. */
  public void debug(String message) {
    write(LogLevel.DEBUG, message, message);
  }

  /** Details. */
  public void debug2(String message) {
    write(LogLevel.DEBUG2, message, message);
  }

  /**
   * Writes a message that others resemble.
   *
   * @param key what it has in common with them, such as "connection refused" without the address
   */
  public void write(LogLevel messageLevel, String key, String message) {
    if (!tells(messageLevel)) {
      return;
    }
    lock.lock();
    try {
      if (admit(messageLevel, key)) {
        put(messageLevel, message);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Opens the file anew under its name, after logrotate has renamed the old one; a log without a
   * file stays as it is.
   *
   * @throws IOException if it cannot be opened; the old one then stays in use
   */
  public void reopen() throws IOException {
    lock.lock();
    try {
      if (file == null) {
        return;
      }
      OutputStream opened =
          Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      OutputStream old = fileStream;
      fileStream = opened;
      if (old != null) {
        old.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Writes summaries that are due; a daemon calls it every few seconds, for quiet times. */
  public void flush() {
    lock.lock();
    try {
      summarize(clock.instant());
    } finally {
      lock.unlock();
    }
  }

  /** Messages that could not be written, since the log was opened. */
  public long lost() {
    lock.lock();
    try {
      return lost;
    } finally {
      lock.unlock();
    }
  }

  /** Kinds of messages that are being counted now. */
  int keys() {
    lock.lock();
    try {
      return limit.keys();
    } finally {
      lock.unlock();
    }
  }

  /** Writes what is still to be said and closes the file. Later messages go to the stream only. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      summarize(null);
      OutputStream old = fileStream;
      fileStream = null;
      if (old != null) {
        old.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean admit(LogLevel messageLevel, String key) {
    Instant now = clock.instant();
    summarize(now);
    return limit.admit(messageLevel, key.length() > LONGEST ? key.substring(0, LONGEST) : key, now);
  }

  private void summarize(@Nullable Instant now) {
    for (RepeatLimit.Summary summary : limit.due(now)) {
      put(summary.level(), summary.leftOut() + " more like this left out: " + summary.key());
    }
  }

  private void put(LogLevel messageLevel, String message) {
    StringBuilder line = new StringBuilder(message.length() + 48);
    line.append('[');
    Timestamps.append(line, LocalDateTime.ofInstant(clock.instant(), zone));
    line.append("] ").append(messageLevel.prefix());
    appendSafely(line, message);
    line.append('\n');
    byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
    put(fileStream, bytes);
    put(stream, bytes);
  }

  private void put(@Nullable OutputStream target, byte[] bytes) {
    if (target == null) {
      return;
    }
    try {
      target.write(bytes);
      target.flush();
    } catch (IOException e) {
      lost++;
    }
  }

  private static void appendSafely(StringBuilder line, String message) {
    int end = Math.min(message.length(), LONGEST);
    for (int i = 0; i < end; i++) {
      char c = message.charAt(i);
      switch (c) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append(' ');
        default -> line.append(Character.isISOControl(c) ? '?' : c);
      }
    }
    if (end < message.length()) {
      line.append("...");
    }
  }
}
