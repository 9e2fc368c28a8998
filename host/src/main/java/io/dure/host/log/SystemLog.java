package io.dure.host.log;

import io.dure.host.libc.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The machine's syslog, as the facility of daemons. A process has one name there, that of the log
 * which was opened last. Any thread may call.
 */
public final class SystemLog {
  private static final int DAEMON = 3 << 3;
  private static final int WITH_PID = 1;

  private final MethodHandle syslog;
  private final MemorySegment format;

  private SystemLog(MethodHandle syslog, MemorySegment format) {
    this.syslog = syslog;
    this.format = format;
  }

  /** Messages come from a program of that name from now on. */
  public static SystemLog open(String name) {
    FunctionDescriptor opening =
        FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    try {
      // The name is read with each message: it must never go.
      CLibrary.function("openlog", opening)
          .invokeExact(Arena.global().allocateFrom(name), WITH_PID, DAEMON);
    } catch (Throwable e) {
      throw CLibrary.unexpected("openlog", e);
    }
    MethodHandle syslog =
        CLibrary.function(
            "syslog",
            FunctionDescriptor.ofVoid(
                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
            Linker.Option.firstVariadicArg(2));
    return new SystemLog(syslog, Arena.global().allocateFrom("%s"));
  }

  /** One line; it is lost where nothing listens. */
  public void write(LogLevel level, String line) {
    try (Arena arena = Arena.ofConfined()) {
      syslog.invokeExact(DAEMON | priority(level), format, arena.allocateFrom(line));
    } catch (Throwable e) {
      throw CLibrary.unexpected("syslog", e);
    }
  }

  /** What syslog calls a level. */
  static int priority(LogLevel level) {
    return switch (level) {
      case QUIET, FATAL -> 2;
      case ERROR -> 3;
      case INFO, VERBOSE -> 6;
      case DEBUG, DEBUG2, DEBUG3, DEBUG4, DEBUG5 -> 7;
    };
  }
}
