package io.dure.node.launch;

import io.dure.host.libc.CLibrary;
import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The kill(2) that plain Java lacks: any signal to any process. Any thread may call it. */
public final class KillSystemCall {
  static final int SIGKILL = 9;

  private static final ProcFs PROC = ProcFs.ofThisMachine();

  private static final MethodHandle KILL =
      CLibrary.function(
          "kill",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private KillSystemCall() {}

  /** Sends the signal if that very process still lives; whether it was sent. */
  public static boolean send(ProcessStat process, int signal) {
    return send(process.pid(), process.startTicks(), signal);
  }

  /** Sends the signal if the process that was recorded so still lives; whether it was sent. */
  static boolean send(RecordedProcess process, int signal) {
    return send(process.pid(), process.startTicks(), signal);
  }

  private static boolean send(int pid, long startTicks, int signal) {
    // 0 and -1 would reach whole groups.
    if (pid <= 1 || !PROC.isAlive(pid, startTicks)) {
      return false;
    }
    try {
      return (int) KILL.invokeExact(pid, signal) == 0;
    } catch (Throwable e) {
      throw new AssertionError("kill(2) does not throw", e);
    }
  }
}
