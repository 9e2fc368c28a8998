package io.dure.controller.accounting;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Keeps what is logged, each line with its level. */
public final class KeptLog extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1;

  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** The lines that have this in them. */
  public List<String> with(String part) {
    return lines.stream().filter(line -> line.contains(part)).toList();
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      @Nullable String message,
      Object @Nullable [] values,
      @Nullable Throwable cause) {
    lines.add(level + " " + MessageFormatter.basicArrayFormat(message, values));
  }

  @Override
  protected String getFullyQualifiedCallerName() {
    return KeptLog.class.getName();
  }

  @Override
  public boolean isTraceEnabled() {
    return false;
  }

  @Override
  public boolean isDebugEnabled() {
    return false;
  }

  @Override
  public boolean isInfoEnabled() {
    return true;
  }

  @Override
  public boolean isWarnEnabled() {
    return true;
  }

  @Override
  public boolean isErrorEnabled() {
    return true;
  }
}
