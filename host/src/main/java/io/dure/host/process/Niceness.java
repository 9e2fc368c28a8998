package io.dure.host.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** How readily a thread leaves the processors to others. */
public final class Niceness {
  private static final int PRIO_PROCESS = 0;
  private static final int SELF = 0;
  private static final int NICEST = 19;

  private Niceness() {}

  /**
   * The calling thread takes what nobody else wants from now on. A platform's thread, for good.
   *
   * @return whether the system took it
   */
  public static boolean yieldToAll() {
    try {
      return (int) Native.SET_PRIORITY.invokeExact(PRIO_PROCESS, SELF, NICEST) == 0;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("setpriority", e);
    }
  }

  private static final class Native {
    static final MethodHandle SET_PRIORITY =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("setpriority"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

    private Native() {}
  }
}
