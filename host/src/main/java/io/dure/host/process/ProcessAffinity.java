package io.dure.host.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dure.host.libc.CLibrary;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Collection;

/** Which CPUs this process runs on, see sched_setaffinity(2). */
public final class ProcessAffinity {
  private static final int BYTES = 2048;

  private static final MethodHandle SET =
      CLibrary.function(
          "sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));

  private ProcessAffinity() {}

  /**
   * Has all threads of this process, and those that they make, run on these CPUs alone.
   *
   * @param cpus the kernel's numbers, at least one
   * @throws IOException if the kernel refuses, as where none of the CPUs may be used
   */
  public static void confine(Collection<Integer> cpus) throws IOException {
    String[] threads = new File("/proc/self/task").list();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(BYTES);
      for (int cpu : cpus) {
        byte bits = mask.get(JAVA_BYTE, cpu / 8);
        mask.set(JAVA_BYTE, cpu / 8, (byte) (bits | 1 << (cpu % 8)));
      }
      for (String thread : threads == null ? new String[] {"0"} : threads) {
        int failed = (int) SET.invokeExact(Integer.parseInt(thread), (long) BYTES, mask);
        if (failed != 0 && new File("/proc/self/task/" + thread).exists()) {
          throw new IOException("sched_setaffinity of thread " + thread + " to CPUs " + cpus);
        }
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw CLibrary.unexpected("sched_setaffinity", e);
    }
  }
}
