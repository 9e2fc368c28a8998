package io.dure.host.log;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;

/** An SLF4J logger that asks one question for all levels and markers. */
abstract class LevelLogger extends AbstractLogger {
  @Serial private static final long serialVersionUID = 1;

  LevelLogger(String name) {
    this.name = name;
  }

  /** Whether such a message would be written. */
  abstract boolean writes(Level level, @Nullable Marker marker);

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  public boolean isTraceEnabled() {
    return writes(Level.TRACE, null);
  }

  @Override
  public boolean isTraceEnabled(Marker marker) {
    return writes(Level.TRACE, marker);
  }

  @Override
  public boolean isDebugEnabled() {
    return writes(Level.DEBUG, null);
  }

  @Override
  public boolean isDebugEnabled(Marker marker) {
    return writes(Level.DEBUG, marker);
  }

  @Override
  public boolean isInfoEnabled() {
    return writes(Level.INFO, null);
  }

  @Override
  public boolean isInfoEnabled(Marker marker) {
    return writes(Level.INFO, marker);
  }

  @Override
  public boolean isWarnEnabled() {
    return writes(Level.WARN, null);
  }

  @Override
  public boolean isWarnEnabled(Marker marker) {
    return writes(Level.WARN, marker);
  }

  @Override
  public boolean isErrorEnabled() {
    return writes(Level.ERROR, null);
  }

  @Override
  public boolean isErrorEnabled(Marker marker) {
    return writes(Level.ERROR, marker);
  }
}
