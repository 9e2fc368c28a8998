package io.dure.node.usage;

import io.dure.protocol.step.GpuFigures;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a task has used since it was looked at first, with all of its processes, also those that
 * have ended meanwhile. Not for several threads.
 */
final class TaskUsage {
  private Map<Integer, ProcessSample> before = new TreeMap<>();

  /** Of processes that ended without a parent in this task that waited for them. */
  private long lostMicros;

  private long lostFaults;
  private long lostRead;
  private long lostWritten;

  private long micros;
  private long faults;
  private long memory;
  private long mostMemory;
  private long space;
  private long mostSpace;
  private long read;
  private long written;
  private @Nullable GpuFigures gpus;
  private @Nullable GpuFigures mostGpus;

  /**
   * Its processes were looked at.
   *
   * @param now each of them, in any order
   */
  void take(List<ProcessSample> now) {
    Map<Integer, ProcessSample> present = new TreeMap<>();
    now.forEach(process -> present.put(process.pid(), process));
    keepEnded(present);
    before = present;
    micros = lostMicros;
    faults = lostFaults;
    memory = 0;
    space = 0;
    long readNow = 0;
    long writtenNow = 0;
    for (ProcessSample process : now) {
      micros += process.ownMicros() + process.childMicros();
      faults += process.ownFaults() + process.childFaults();
      memory += process.memory();
      space += process.space();
      mostMemory = Math.max(mostMemory, process.mostMemory());
      mostSpace = Math.max(mostSpace, process.mostSpace());
      readNow += process.read();
      writtenNow += process.written();
    }
    mostMemory = Math.max(mostMemory, memory);
    mostSpace = Math.max(mostSpace, space);
    // Of bytes the kernel does not say which were those of children that have ended.
    lostRead = Math.max(lostRead, read - readNow);
    lostWritten = Math.max(lostWritten, written - writtenNow);
    read = lostRead + readNow;
    written = lostWritten + writtenNow;
  }

  /**
   * What those have used that are gone since the last look, as far as no parent that is still there
   * has it among its children's.
   */
  private void keepEnded(Map<Integer, ProcessSample> present) {
    long goneMicros = 0;
    long goneFaults = 0;
    for (ProcessSample old : before.values()) {
      ProcessSample same = present.get(old.pid());
      if (same != null && same.startTicks() == old.startTicks()) {
        goneMicros -= same.childMicros() - old.childMicros();
        goneFaults -= same.childFaults() - old.childFaults();
      } else {
        goneMicros += old.ownMicros() + old.childMicros();
        goneFaults += old.ownFaults() + old.childFaults();
      }
    }
    lostMicros += Math.max(0, goneMicros);
    lostFaults += Math.max(0, goneFaults);
  }

  /** What its processes had of GPUs at a look, null where that was not known. */
  void take(@Nullable GpuFigures now) {
    GpuFigures before = mostGpus;
    gpus = now;
    mostGpus = now == null ? before : before == null ? now : now.most(before);
  }

  /** What it has, and has used up to the last look. */
  TaskPoint point(int rank, long startTicks, long megahertz) {
    return new TaskPoint(
        rank, startTicks, micros, memory, space, faults, read, written, megahertz, gpus);
  }

  /** Its processes at the last look. */
  Collection<ProcessSample> last() {
    return before.values();
  }

  /** Processor time, microseconds. */
  long micros() {
    return micros;
  }

  /** Page faults that needed a disk. */
  long faults() {
    return faults;
  }

  /** The most of all looks; between them the most that one process had alone. */
  long mostMemory() {
    return mostMemory;
  }

  /** The largest address space, likewise. */
  long mostSpace() {
    return mostSpace;
  }

  /** Bytes read. */
  long read() {
    return read;
  }

  /** Bytes written. */
  long written() {
    return written;
  }

  /** The most of GPUs at any look, null where that was never known. */
  @Nullable GpuFigures mostGpus() {
    return mostGpus;
  }
}
