package io.dure.host.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dure.host.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * How busy the machine is, see sysinfo(2): the numbers of {@code /proc/loadavg} and {@code
 * /proc/meminfo}, for which the kernel would write two files and this process take them apart. A
 * daemon asks every few seconds beside jobs.
 *
 * @param loadAverage processes that ran or waited for the disk, averaged over the last minute, 0 or
 *     more
 * @param freeMib memory not in use, in MiB
 */
public record MachineLoad(double loadAverage, long freeMib) {
  // struct sysinfo where a long has 64 bits
  private static final int BYTES = 112;
  private static final int LOAD_OF_A_MINUTE = 8;
  private static final int FREE_MEMORY = 40;
  private static final int MEMORY_UNIT = 104;
  private static final double LOAD_UNIT = 1 << 16;

  private static final MethodHandle SYSINFO =
      CLibrary.function("sysinfo", FunctionDescriptor.of(JAVA_INT, ADDRESS));

  /** Asks the kernel, into memory that is used again. One thread at a time. */
  public static final class Probe {
    private final MemorySegment answer = Arena.ofAuto().allocate(BYTES, JAVA_LONG.byteAlignment());

    /**
     * The load at this moment.
     *
     * @throws IOException if the kernel does not say
     */
    public MachineLoad now() throws IOException {
      int failed;
      try {
        failed = (int) SYSINFO.invokeExact(answer);
      } catch (Throwable e) {
        throw CLibrary.unexpected("sysinfo", e);
      }
      if (failed != 0) {
        throw new IOException("sysinfo");
      }
      long unit = Integer.toUnsignedLong(answer.get(JAVA_INT, MEMORY_UNIT));
      return new MachineLoad(
          answer.get(JAVA_LONG, LOAD_OF_A_MINUTE) / LOAD_UNIT,
          answer.get(JAVA_LONG, FREE_MEMORY) * unit >> 20);
    }
  }
}
