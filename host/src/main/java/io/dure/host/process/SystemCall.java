package io.dure.host.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.dure.host.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A function of the C library that gives a number, and says by errno why it failed. */
final class SystemCall {
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO =
      STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  private final String name;
  private final MethodHandle function;

  SystemCall(String name, MemoryLayout... arguments) {
    this.name = name;
    this.function = CLibrary.function(name, FunctionDescriptor.of(JAVA_INT, arguments), CAPTURE);
  }

  /**
   * Calls it.
   *
   * @return what it gave
   * @throws IOException if that is below zero
   */
  int call(Object... arguments) throws IOException {
    int result;
    int errno;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      Object[] all = new Object[arguments.length + 1];
      all[0] = state;
      System.arraycopy(arguments, 0, all, 1, arguments.length);
      result = (int) function.invokeWithArguments(all);
      errno = state.get(JAVA_INT, ERRNO);
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
    if (result < 0) {
      throw new IOException(name + ": " + ErrnoTexts.text(errno));
    }
    return result;
  }
}
