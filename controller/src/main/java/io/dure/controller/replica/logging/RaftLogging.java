package io.dure.controller.replica.logging;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Where MicroRaft's log goes: errors to a {@link Sink}, the rest nowhere. Found by the service
 * loader, so the sink is the one of the whole program. Any thread.
 */
public final class RaftLogging implements SLF4JServiceProvider {
  private static volatile @Nullable Sink sink;

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  /** Takes errors. */
  public interface Sink {
    /** Any thread. */
    void error(String message, @Nullable Throwable cause);
  }

  /** From now on errors go there. */
  public static void to(Sink now) {
    sink = now;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return Words::new;
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

  private static final class Words extends AbstractLogger {
    @Serial private static final long serialVersionUID = 1;

    Words(String name) {
      this.name = name;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String message,
        Object @Nullable [] arguments,
        @Nullable Throwable cause) {
      Sink now = sink;
      if (now != null && level == Level.ERROR) {
        now.error(MessageFormatter.basicArrayFormat(message, arguments), cause);
      }
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isTraceEnabled(Marker marker) {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled(Marker marker) {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled(Marker marker) {
      return false;
    }

    @Override
    public boolean isWarnEnabled() {
      return false;
    }

    @Override
    public boolean isWarnEnabled(Marker marker) {
      return false;
    }

    @Override
    public boolean isErrorEnabled() {
      return sink != null;
    }

    @Override
    public boolean isErrorEnabled(Marker marker) {
      return sink != null;
    }
  }
}
