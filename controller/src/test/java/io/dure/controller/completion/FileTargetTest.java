package io.dure.controller.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.surface.completion.CompletedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of ended jobs in a file that ends before all of them are in it. */
@Tag("process")
class FileTargetTest {
  private static final String LINE = "JobId=7 JobState=COMPLETED";
  private static final List<CompletedJob> THREE = Collections.nCopies(3, null);

  /** More than any other file that this process writes meanwhile. */
  private static final int LONG = 8 << 20;

  @TempDir Path directory;

  /** No file may become longer, as on a full disk what still fits is written. */
  private static void mostBytes(String most) throws IOException, InterruptedException {
    Process limit =
        new ProcessBuilder(
                "prlimit", "--pid", Long.toString(ProcessHandle.current().pid()), "--fsize=" + most)
            .inheritIO()
            .start();
    assertEquals(0, limit.waitFor());
  }

  @Test
  void aTornLineOfAnotherAndAFullDiskRepeatNothing() throws Exception {
    Path file = directory.resolve("jobs");
    String torn = "x".repeat(LONG);
    Files.writeString(file, torn);
    FileTarget target = new FileTarget(file, _ -> LINE, 0, false);
    mostBytes(LONG + 1 + LINE.length() + 10 + ":");
    try {
      assertThrows(IOException.class, () -> target.record(THREE));
    } finally {
      mostBytes("unlimited:");
    }
    assertEquals(torn + "\n" + LINE + "\n" + LINE.substring(0, 9), Files.readString(file));
    target.record(THREE);
    assertEquals(torn + "\n" + (LINE + "\n").repeat(3), Files.readString(file));
    assertEquals(Files.size(file), target.fileLength());
  }
}
