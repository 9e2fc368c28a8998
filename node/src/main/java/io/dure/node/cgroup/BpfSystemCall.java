package io.dure.node.cgroup;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dure.host.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The bpf(2) that plain Java lacks: programs that watch over the devices of control groups. */
final class BpfSystemCall {
  private static final int PROG_LOAD = 5;
  private static final int PROG_ATTACH = 8;
  private static final int PROG_TYPE_CGROUP_DEVICE = 15;
  private static final int CGROUP_DEVICE = 6;
  private static final int ALLOW_MULTI = 2;

  /** More than any kernel so far knows; the rest is zero, which each takes. */
  private static final int ATTRIBUTE_BYTES = 128;

  private static final int MESSAGE_BYTES = 64 << 10;
  private static final int OPEN_FLAGS = 02000000; // O_RDONLY | O_CLOEXEC

  private BpfSystemCall() {}

  /**
   * Has a program watch over a group and those below it, beside those that others have there. It
   * goes with the group.
   *
   * @throws IOException when the kernel refuses
   */
  static void attach(Path group, byte[] code) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Call call = new Call(arena);
      int program = call.load(code);
      try {
        call.attach(group, program);
      } finally {
        call.close(program);
      }
    }
  }

  /**
   * Has the kernel check a program, and no more.
   *
   * @throws IOException when the kernel refuses it
   */
  static void verify(byte[] code) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Call call = new Call(arena);
      call.close(call.load(code));
    }
  }

  private record Call(Arena arena) {
    /** The descriptor of the program that the kernel has checked. */
    int load(byte[] code) throws IOException {
      MemorySegment instructions = arena.allocate(code.length, Long.BYTES);
      MemorySegment.copy(code, 0, instructions, JAVA_BYTE, 0, code.length);
      MemorySegment attributes = arena.allocate(ATTRIBUTE_BYTES, Long.BYTES);
      attributes.set(JAVA_INT, 0, PROG_TYPE_CGROUP_DEVICE);
      attributes.set(JAVA_INT, 4, code.length / DeviceProgram.INSTRUCTION_BYTES);
      attributes.set(JAVA_LONG, 8, instructions.address());
      attributes.set(JAVA_LONG, 16, arena.allocateFrom("Apache-2.0").address());
      int program = bpf(PROG_LOAD, attributes);
      if (program >= 0) {
        return program;
      }
      String reason = reason(-program);
      MemorySegment messages = arena.allocate(MESSAGE_BYTES);
      attributes.set(JAVA_INT, 24, 1);
      attributes.set(JAVA_INT, 28, MESSAGE_BYTES);
      attributes.set(JAVA_LONG, 32, messages.address());
      int again = bpf(PROG_LOAD, attributes);
      if (again >= 0) {
        return again;
      }
      String said = messages.getString(0, StandardCharsets.US_ASCII).strip();
      String last = said.substring(said.lastIndexOf('\n') + 1);
      throw new IOException(
          "the kernel takes no program for devices: "
              + reason
              + (last.isEmpty() ? "" : ": " + last));
    }

    void attach(Path group, int program) throws IOException {
      MemorySegment errors = arena.allocate(Native.ERRORS);
      int directory;
      try {
        directory =
            (int) Native.OPEN.invokeExact(errors, arena.allocateFrom(group.toString()), OPEN_FLAGS);
      } catch (Throwable e) {
        throw CLibrary.unexpected("open", e);
      }
      if (directory < 0) {
        throw new IOException(group + ": " + reason((int) Native.ERRNO.get(errors, 0L)));
      }
      try {
        MemorySegment attributes = arena.allocate(ATTRIBUTE_BYTES, Long.BYTES);
        attributes.set(JAVA_INT, 0, directory);
        attributes.set(JAVA_INT, 4, program);
        attributes.set(JAVA_INT, 8, CGROUP_DEVICE);
        attributes.set(JAVA_INT, 12, ALLOW_MULTI);
        int attached = bpf(PROG_ATTACH, attributes);
        if (attached < 0) {
          throw new IOException(
              group + ": the kernel attaches no program for devices: " + reason(-attached));
        }
      } finally {
        close(directory);
      }
    }

    void close(int descriptor) {
      try {
        int _ = (int) Native.CLOSE.invokeExact(descriptor);
      } catch (Throwable e) {
        throw CLibrary.unexpected("close", e);
      }
    }

    /** What the kernel answers, or the number of its error below zero. */
    private int bpf(int command, MemorySegment attributes) {
      MemorySegment errors = arena.allocate(Native.ERRORS);
      try {
        long answer =
            (long)
                Native.SYSCALL.invokeExact(
                    errors, Native.NUMBER, command, attributes, ATTRIBUTE_BYTES);
        return answer < 0 ? -(int) Native.ERRNO.get(errors, 0L) : (int) answer;
      } catch (Throwable e) {
        throw CLibrary.unexpected("bpf", e);
      }
    }

    private static String reason(int error) {
      try {
        MemorySegment text = (MemorySegment) Native.STRERROR.invokeExact(error);
        return text.reinterpret(1 << 10).getString(0);
      } catch (Throwable e) {
        throw CLibrary.unexpected("strerror", e);
      }
    }
  }

  /** Apart, so that a daemon that constrains no devices does not need the foreign functions. */
  private static final class Native {
    static final MemoryLayout ERRORS = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = ERRORS.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /** The call's number differs between architectures. */
    static final long NUMBER =
        switch (System.getProperty("os.arch")) {
          case "amd64" -> 321;
          case "ppc64le" -> 361;
          case "s390x" -> 351;
          default -> 280; // aarch64, riscv64 and all later ones
        };

    static final MethodHandle SYSCALL =
        CLibrary.function(
            "syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(1),
            Linker.Option.captureCallState("errno"));
    static final MethodHandle OPEN =
        CLibrary.function(
            "open",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2),
            Linker.Option.captureCallState("errno"));
    static final MethodHandle CLOSE =
        CLibrary.function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    static final MethodHandle STRERROR =
        CLibrary.function("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private Native() {}
  }
}
