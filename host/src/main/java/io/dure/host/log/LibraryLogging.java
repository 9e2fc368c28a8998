package io.dure.host.log;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * SLF4J's provider for libraries, which find their loggers by name: their errors go to a {@link
 * Sink}, other messages nowhere. Found by the service loader, so there is one sink in a process.
 * Any thread.
 */
public final class LibraryLogging implements SLF4JServiceProvider {
  private static volatile @Nullable Sink sink;

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  /** Takes errors of libraries. */
  public interface Sink {
    /** Any thread. */
    void error(String message, @Nullable Throwable cause);
  }

  /** Sends errors there from now on. */
  public static void sendTo(Sink next) {
    sink = next;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return LibraryLogger::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {
    // nothing to prepare
  }

  private static final class LibraryLogger extends LevelLogger {
    @Serial private static final long serialVersionUID = 1;

    LibraryLogger(String name) {
      super(name);
    }

    @Override
    boolean writes(Level level, @Nullable Marker marker) {
      return level == Level.ERROR && sink != null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String message,
        Object @Nullable [] arguments,
        @Nullable Throwable cause) {
      Sink now = sink;
      if (now != null) {
        now.error(MessageFormatter.basicArrayFormat(message, arguments), cause);
      }
    }
  }
}
