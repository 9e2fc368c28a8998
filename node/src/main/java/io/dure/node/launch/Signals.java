package io.dure.node.launch;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The kill(2) that plain Java lacks: any signal to any process. Any thread may call it. */
final class Signals {
  static final int SIGKILL = 9;

  private static final MethodHandle KILL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private Signals() {}

  /** Sends the signal if that very process still lives; whether it was sent. */
  static boolean send(ProcessStat process, int signal) {
    ProcessStat now = ProcessStat.of(process.pid());
    if (now == null || !now.isSameAs(process) || !now.isAlive() || process.pid() <= 1) {
      return false;
    }
    try {
      return (int) KILL.invokeExact((int) process.pid(), signal) == 0;
    } catch (Throwable e) {
      throw new AssertionError("kill(2) does not throw", e);
    }
  }
}
