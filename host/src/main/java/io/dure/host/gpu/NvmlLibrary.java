package io.dure.host.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.dure.host.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The functions of {@code libnvidia-ml.so.1} that are used here. One thread at a time.
 *
 * @see <a href="https://docs.nvidia.com/deploy/nvml-api/">NVIDIA Management Library</a>
 */
final class NvmlLibrary {
  static final String FILE = "libnvidia-ml.so.1";
  static final int SUCCESS = 0;
  static final int TIMEOUT = 10;
  private static final int GPU_IS_LOST = 15;

  private static final int TEXT = 96;

  private final SymbolLookup symbols;
  private final Map<String, MethodHandle> functions = new ConcurrentHashMap<>();

  /**
   * Loads it; it stays loaded.
   *
   * @throws IOException if this machine has none
   */
  NvmlLibrary() throws IOException {
    try {
      symbols = SymbolLookup.libraryLookup(FILE, Arena.global());
    } catch (IllegalArgumentException e) {
      throw new IOException(FILE + " is not there: the NVIDIA driver is not installed", e);
    }
  }

  /** A function that takes a device and other arguments; null in a library that has none. */
  private @Nullable MethodHandle function(String name, MemoryLayout... arguments) {
    MethodHandle known = functions.get(name);
    if (known == null) {
      known =
          symbols
              .find(name)
              .map(address ->
                  Linker.nativeLinker()
                      .downcallHandle(address, FunctionDescriptor.of(JAVA_INT, arguments)))
              .orElse(null);
      if (known != null) {
        functions.put(name, known);
      }
    }
    return known;
  }

  /** What a function without arguments returns. */
  void run(String name) throws IOException {
    MethodHandle handle = function(name);
    int code;
    try {
      code = handle == null ? -1 : (int) handle.invokeExact();
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
    if (code != SUCCESS) {
      throw failure(name, code);
    }
  }

  IOException failure(String name, int code) {
    String text = name + ": " + (code < 0 ? "the driver has no such call" : error(code));
    return code == GPU_IS_LOST ? new GpuLostException(text) : new IOException(text);
  }

  private String error(int code) {
    try {
      MemorySegment address = symbols.find("nvmlErrorString").orElse(null);
      if (address == null) {
        return "error " + code;
      }
      MethodHandle handle =
          Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.of(ADDRESS, JAVA_INT));
      MemorySegment text = (MemorySegment) handle.invokeExact(code);
      return text.reinterpret(TEXT * 4L).getString(0, StandardCharsets.US_ASCII);
    } catch (Throwable e) {
      throw CLibrary.unexpected("nvmlErrorString", e);
    }
  }

  /** The result of a function that fills memory; negative where there is no such function. */
  int fill(String name, MemorySegment memory) {
    MethodHandle handle = function(name, ADDRESS);
    try {
      return handle == null ? -1 : (int) handle.invokeExact(memory);
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** The same of a device. */
  int fill(String name, MemorySegment device, MemorySegment memory) {
    MethodHandle handle = function(name, ADDRESS, ADDRESS);
    try {
      return handle == null ? -1 : (int) handle.invokeExact(device, memory);
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** The same with a number before the memory. */
  int fill(String name, MemorySegment device, int number, MemorySegment memory) {
    MethodHandle handle = function(name, ADDRESS, JAVA_INT, ADDRESS);
    try {
      return handle == null ? -1 : (int) handle.invokeExact(device, number, memory);
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** The same with two numbers before the memory. */
  int fill(String name, MemorySegment device, int one, int other, MemorySegment memory) {
    MethodHandle handle = function(name, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    try {
      return handle == null ? -1 : (int) handle.invokeExact(device, one, other, memory);
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** Fills four numbers of a device. */
  int fillFour(String name, MemorySegment device, MemorySegment memory) {
    MethodHandle handle = function(name, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    try {
      return handle == null
          ? -1
          : (int)
              handle.invokeExact(
                  device,
                  memory,
                  memory.asSlice(JAVA_INT.byteSize()),
                  memory.asSlice(2 * JAVA_INT.byteSize()),
                  memory.asSlice(3 * JAVA_INT.byteSize()));
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** Fills two numbers of a device. */
  int fillTwo(String name, MemorySegment device, MemorySegment memory) {
    MethodHandle handle = function(name, ADDRESS, ADDRESS, ADDRESS);
    try {
      return handle == null
          ? -1
          : (int) handle.invokeExact(device, memory, memory.asSlice(JAVA_INT.byteSize()));
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** Fills a list of a device, as many as {@code count} says, which is then how many there are. */
  int list(String name, MemorySegment device, MemorySegment count, MemorySegment list) {
    MethodHandle handle = function(name, ADDRESS, ADDRESS, ADDRESS);
    try {
      return handle == null ? -1 : (int) handle.invokeExact(device, count, list);
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** Fills a list of what is newer than a time, likewise. */
  int list(String name, MemorySegment device, MemorySegment list, MemorySegment count, long newer) {
    MethodHandle handle = function(name, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG);
    try {
      return handle == null ? -1 : (int) handle.invokeExact(device, list, count, newer);
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** Fills a text: memory, then its length. */
  private int fillText(String name, @Nullable MemorySegment device, MemorySegment memory) {
    try {
      if (device == null) {
        MethodHandle handle = function(name, ADDRESS, JAVA_INT);
        return handle == null ? -1 : (int) handle.invokeExact(memory, TEXT);
      }
      MethodHandle handle = function(name, ADDRESS, ADDRESS, JAVA_INT);
      return handle == null ? -1 : (int) handle.invokeExact(device, memory, TEXT);
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** A handle by its number. */
  MemorySegment handle(String name, int number) throws IOException {
    MethodHandle handle = function(name, JAVA_INT, ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ADDRESS);
      int code = handle == null ? -1 : (int) handle.invokeExact(number, place);
      if (code != SUCCESS) {
        throw failure(name, code);
      }
      return place.get(ADDRESS, 0);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw CLibrary.unexpected(name, e);
    }
  }

  /** A number of the system or, with a device, of that; -1 where it is not told. */
  long number(String name, @Nullable MemorySegment device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(JAVA_LONG);
      int code = device == null ? fill(name, place) : fill(name, device, place);
      return code == SUCCESS ? Integer.toUnsignedLong(place.get(JAVA_INT, 0)) : -1;
    }
  }

  /** A text of the system or, with a device, of that; empty where it is not told. */
  String text(String name, @Nullable MemorySegment device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(TEXT);
      return fillText(name, device, place) == SUCCESS
          ? place.getString(0, StandardCharsets.US_ASCII)
          : "";
    }
  }

  /** Waits for an event of a set; the result and, in the memory, the event. */
  int await(MemorySegment set, MemorySegment event, int millis) {
    MethodHandle handle = function("nvmlEventSetWait_v2", ADDRESS, ADDRESS, JAVA_INT);
    try {
      return handle == null ? -1 : (int) handle.invokeExact(set, event, millis);
    } catch (Throwable e) {
      throw CLibrary.unexpected("nvmlEventSetWait_v2", e);
    }
  }

  /** Has a set get events of a device. */
  int register(MemorySegment device, long kinds, MemorySegment set) {
    MethodHandle handle = function("nvmlDeviceRegisterEvents", ADDRESS, JAVA_LONG, ADDRESS);
    try {
      return handle == null ? -1 : (int) handle.invokeExact(device, kinds, set);
    } catch (Throwable e) {
      throw CLibrary.unexpected("nvmlDeviceRegisterEvents", e);
    }
  }
}
