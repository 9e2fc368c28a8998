package io.dure.host.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.dure.host.libc.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** How readily a thread leaves the processors to others. */
public final class IdlePriority {
  private static final int PRIO_PROCESS = 0;
  private static final int SELF = 0;
  private static final int NICEST = 19;
  private static final int SCHED_IDLE = 5;

  private IdlePriority() {}

  /**
   * The calling thread, and the processes that it starts, use idle CPU only from now on: to the
   * scheduler a processor that does no more than that is idle. A platform's thread, for good.
   *
   * @return whether the system took it
   */
  public static boolean yieldToAll() {
    // A policy for idle times needs a priority of zero, the only field there is.
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zero = arena.allocate(JAVA_INT);
      boolean idle = (int) Native.SET_SCHEDULER.invokeExact(SELF, SCHED_IDLE, zero) == 0;
      return (int) Native.SET_PRIORITY.invokeExact(PRIO_PROCESS, SELF, NICEST) == 0 && idle;
    } catch (Throwable e) {
      throw CLibrary.unexpected("setpriority", e);
    }
  }

  private static final class Native {
    static final MethodHandle SET_PRIORITY =
        CLibrary.function(
            "setpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    static final MethodHandle SET_SCHEDULER =
        CLibrary.function(
            "sched_setscheduler", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));

    private Native() {}
  }
}
