package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program needs no more is given back. */
@Tag("process")
class ProgramPagesTest {
  private static final int BLOCKS = 4000;
  private static final long BLOCK = 10_000;

  private static long kib(String field) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }

  /** The JVM that runs this has some 20 MiB of its own library in memory. */
  @Test
  void pagesOfTheProgramAreGivenBackAndReadAgainWhenUsed() throws IOException {
    long before = kib("RssFile:");
    long taken = ProgramPages.release() >> 10;
    long after = kib("RssFile:");
    assertTrue(taken > 1024 && after < before - 1024, after + " KiB of " + before);
    System.gc();
    assertEquals("7 a/b", String.format("%d %s", 7, Path.of("a").resolve("b")), "as before");
  }

  /** Blocks that were freed between others: a hole in the middle does not go by itself. */
  @Test
  void whatTheLibraryKeepsAfterItWasFreedIsGivenBack() throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle allocate =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("malloc"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    MethodHandle free =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("free"),
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    List<MemorySegment> blocks = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      MemorySegment block = (MemorySegment) allocate.invokeExact(BLOCK);
      block.reinterpret(BLOCK).fill((byte) 1);
      blocks.add(block);
    }
    MemorySegment last = blocks.removeLast();
    for (MemorySegment block : blocks) {
      free.invokeExact(block);
    }
    long before = kib("RssAnon:");
    ProgramPages.release();
    long after = kib("RssAnon:");
    free.invokeExact(last);
    assertTrue(after < before - BLOCKS * BLOCK / 1024 / 2, after + " KiB of " + before);
  }
}
