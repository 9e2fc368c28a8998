package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program needs no more is given back. */
@Tag("process")
class ProgramPagesTest {
  private static final int MAPPED = 32 << 20;

  private static long residentFileKib() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("RssFile:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Pages that other programs have mapped too, as those of the JVM, may stay: so a file of its own.
   */
  @Test
  void pagesOfFilesAreGivenBackAndReadAgainWhenUsed() throws IOException {
    Path file = Files.createTempFile(Path.of("target").toAbsolutePath(), "pages", "");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[MAPPED]));
      channel.force(true);
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, MAPPED);
      assertEquals(0, sum(mapped));
      long before = residentFileKib();
      long taken = ProgramPages.release();
      // Linux 5.4 or newer.
      assumeTrue(taken > 0);
      long after = residentFileKib();
      assertTrue(after < before - MAPPED / 1024 / 2, after + " KiB of " + before);
      assertEquals(0, sum(mapped), "they are read again");
    } finally {
      Files.delete(file);
    }
  }

  private static int sum(MappedByteBuffer mapped) {
    int sum = 0;
    for (int i = 0; i < MAPPED; i += 1024) {
      sum += mapped.get(i);
    }
    return sum;
  }
}
