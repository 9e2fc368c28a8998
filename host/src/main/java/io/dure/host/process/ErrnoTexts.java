package io.dure.host.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.dure.host.libc.CLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** What the system says of error numbers. Any thread may call. */
public final class ErrnoTexts {
  private static final int LONGEST = 1024;
  private static final MethodHandle STRERROR =
      CLibrary.function("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private ErrnoTexts() {}

  /** The text of an error number of this machine (strerror(3)), for unknown ones too. */
  public static synchronized String text(int number) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(number);
      return text.reinterpret(LONGEST).getString(0);
    } catch (Throwable e) {
      throw CLibrary.unexpected("strerror", e);
    }
  }
}
