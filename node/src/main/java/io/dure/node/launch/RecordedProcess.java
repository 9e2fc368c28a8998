package io.dure.node.launch;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;

/**
 * A process that the shepherd wrote down, alive or not.
 *
 * @param pid its number
 * @param startTicks clock ticks from boot to its start: with the number, a name that is never used
 *     twice
 */
record RecordedProcess(int pid, long startTicks) {
  boolean isAlive() {
    return ProcFs.ofThisMachine().isAlive(pid, startTicks);
  }

  boolean is(ProcessStat process) {
    return process.pid() == pid && process.startTicks() == startTicks;
  }
}
