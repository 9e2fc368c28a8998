package io.dure.host.log;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.parameters.DebugFlag;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Serial;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.MessageFormatter;

/**
 * SLF4J's backend of the daemons: one line per message, {@code [2026-11-20T16:01:34.123] error:
 * text}, appended to a file, to a stream (the daemon's standard error), or to both.
 *
 * <p>SLF4J's levels are Slurm's of that name, {@code trace} is {@code debug2}, and a warning is an
 * error, as Slurm has none; {@link LogMarkers} has the rest.
 *
 * <p>Of messages with the same key only so many are written in a second, then one line says how
 * many were left out; the key of a message is its text, or the name of its marker. A message can
 * neither hold line ends or other control characters nor be longer than 8192 characters, so that no
 * name that a user chooses forges or floods the log. A file that cannot be written (disk full)
 * never disturbs the daemon: the message is lost, and counted.
 *
 * <p>Any thread may call.
 */
public final class DaemonLog extends LevelLogger implements Closeable {
  @Serial private static final long serialVersionUID = 1;

  private static final int LONGEST = 8192;
  private static final int MOST_PER_SECOND = 20;

  private final transient @Nullable Path file;
  private final transient @Nullable OutputStream stream;
  private final transient InstantSource clock;
  private final transient ZoneId zone;
  private final transient LogRateLimiter limit = new LogRateLimiter(MOST_PER_SECOND);
  private final transient ReentrantLock lock = new ReentrantLock();
  private transient @Nullable OutputStream fileStream;
  private transient boolean ownerOnly;
  private transient long lost;
  private transient volatile LogLevel level;
  private transient volatile LogTimeFormat timeFormat = LogTimeFormat.ISO8601_MS;

  /** Never changed, only replaced. */
  private transient volatile Set<DebugFlag> flags = EnumSet.noneOf(DebugFlag.class);

  /** Who takes lines of some levels too, null for nobody; changed before the log is shared. */
  private transient @Nullable BiConsumer<LogLevel, String> system;

  private transient LogLevel systemLevel = LogLevel.QUIET;

  private DaemonLog(
      @Nullable Path file,
      @Nullable OutputStream stream,
      LogLevel level,
      InstantSource clock,
      ZoneId zone) {
    super("dure");
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
   * @param ownerOnly whether the file is for its owner's eyes only
   * @throws IOException if the file cannot be opened
   */
  public static DaemonLog toFile(
      Path file,
      @Nullable OutputStream stream,
      LogLevel level,
      InstantSource clock,
      ZoneId zone,
      boolean ownerOnly)
      throws IOException {
    DaemonLog log = new DaemonLog(file, stream, level, clock, zone);
    log.ownerOnly = ownerOnly;
    log.reopen();
    return log;
  }

  /** Writes to {@code stream} alone, which stays open when the log is closed. */
  public static DaemonLog toStream(
      OutputStream stream, LogLevel level, InstantSource clock, ZoneId zone) {
    return new DaemonLog(null, stream, level, clock, zone);
  }

  /** Writes nothing, for tests and tools. */
  public static DaemonLog silent() {
    return new DaemonLog(
        null, null, LogLevel.QUIET, InstantSource.system(), ZoneId.systemDefault());
  }

  /**
   * Keeps the file to its owner from now on, under whatever name it is opened anew; a file that is
   * open to others stays so.
   *
   * @throws IOException if its mode cannot be changed
   */
  public void ownerOnly(boolean only) throws IOException {
    lock.lock();
    try {
      ownerOnly = only;
      if (only && file != null) {
        close(file);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Never open to others, not even while it is made. */
  private static void close(Path file) throws IOException {
    Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rw-------");
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(mode));
    } catch (FileAlreadyExistsException e) {
      // A terminal or a pipe stays as it is.
      if (Files.isRegularFile(file)) {
        Files.setPosixFilePermissions(file, mode);
      }
    }
  }

  /**
   * Hands lines up to that level to another log too, whatever the level of this one.
   *
   * @param other takes a level and a line without its time
   */
  public DaemonLog also(LogLevel upTo, BiConsumer<LogLevel, String> other) {
    lock.lock();
    try {
      systemLevel = upTo;
      system = other;
      return this;
    } finally {
      lock.unlock();
    }
  }

  /** Changes how much is told from now on. */
  public void level(LogLevel newLevel) {
    level = newLevel;
  }

  /**
   * From now on times, flags and the file's mode are as the configuration says.
   *
   * @throws IOException if the file's mode cannot be changed; the rest is done
   */
  public void configure(ClusterSettings settings) throws IOException {
    timeFormat(LogTimeFormat.of(settings.controller().logTimeFormat()));
    flags(DebugFlag.all(settings.rules().debugFlags()));
    ownerOnly(!settings.controller().privateData().isEmpty());
  }

  /** Changes how times are written from now on. */
  public void timeFormat(LogTimeFormat format) {
    timeFormat = format;
  }

  /** Of which parts of the daemon more is told from now on, at the level {@code verbose}. */
  public void flags(Collection<DebugFlag> next) {
    flags = next.isEmpty() ? EnumSet.noneOf(DebugFlag.class) : EnumSet.copyOf(next);
  }

  /** Of which parts of the daemon more is told. */
  public Set<DebugFlag> flags() {
    return flags.isEmpty() ? EnumSet.noneOf(DebugFlag.class) : EnumSet.copyOf(flags);
  }

  /** How much is told. */
  public LogLevel level() {
    return level;
  }

  /** Whether a message of that level would be written; ask before composing an expensive one. */
  public boolean tells(LogLevel wanted) {
    return wanted != LogLevel.QUIET
        && (wanted.compareTo(level) <= 0 || wanted.compareTo(systemLevel) <= 0);
  }

  private void write(LogLevel wanted, String key, String message, @Nullable Throwable cause) {
    String[] trace = cause == null ? new String[0] : trace(cause);
    lock.lock();
    try {
      if (!admit(wanted, cause == null ? key : key + cause.getClass().getName())) {
        return;
      }
      put(wanted, cause == null ? message : message + ": " + trace[0]);
      for (int i = 1; i < trace.length; i++) {
        if (!trace[i].isBlank()) {
          put(wanted, "  " + trace[i].strip());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private static String[] trace(Throwable cause) {
    StringWriter trace = new StringWriter();
    cause.printStackTrace(new PrintWriter(trace));
    return trace.toString().split("\n", -1);
  }

  private static LogLevel levelOf(Level level, @Nullable Marker marker) {
    return switch (level) {
      case ERROR, WARN -> LogMarkers.FATAL.equals(marker) ? LogLevel.FATAL : LogLevel.ERROR;
      case INFO ->
          LogMarkers.VERBOSE.equals(marker) || LogMarkers.flagOf(marker) != null
              ? LogLevel.VERBOSE
              : LogLevel.INFO;
      case DEBUG -> LogLevel.DEBUG;
      case TRACE -> LogLevel.DEBUG2;
    };
  }

  private static String keyOf(Marker marker, String text) {
    boolean isLevel =
        LogMarkers.FATAL.equals(marker)
            || LogMarkers.VERBOSE.equals(marker)
            || LogMarkers.flagOf(marker) != null;
    return isLevel ? text : marker.getName();
  }

  @Override
  boolean writes(Level wanted, @Nullable Marker marker) {
    DebugFlag flag = LogMarkers.flagOf(marker);
    return (flag == null || flags.contains(flag)) && tells(levelOf(wanted, marker));
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level wanted,
      @Nullable Marker marker,
      String message,
      Object @Nullable [] arguments,
      @Nullable Throwable cause) {
    String plain =
        arguments == null ? message : MessageFormatter.basicArrayFormat(message, arguments);
    DebugFlag flag = LogMarkers.flagOf(marker);
    String text = flag == null ? plain : flag.name() + ": " + plain;
    write(levelOf(wanted, marker), marker == null ? text : keyOf(marker, text), text, cause);
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
      if (ownerOnly) {
        close(file);
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
    for (LogRateLimiter.SuppressedMessages summary : limit.due(now)) {
      put(summary.level(), summary.leftOut() + " more like this left out: " + summary.key());
    }
  }

  private void put(LogLevel messageLevel, String message) {
    StringBuilder line = new StringBuilder(message.length() + 48);
    line.append('[');
    timeFormat.append(line, clock.instant().atZone(zone));
    line.append("] ").append(messageLevel.prefix());
    appendSafely(line, message);
    line.append('\n');
    if (messageLevel.compareTo(level) <= 0) {
      byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
      put(fileStream, bytes);
      put(stream, bytes);
    }
    if (system != null && messageLevel.compareTo(systemLevel) <= 0) {
      StringBuilder plain = new StringBuilder(messageLevel.prefix());
      appendSafely(plain, message);
      system.accept(messageLevel, plain.toString());
    }
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
