package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own, for no test takes back a priority without rights. */
@Tag("process")
final class DaemonProcessTest {
  @TempDir Path folder;

  @Test
  void priorityAndDirectoryAreThoseOfTheProcessesItStarts() throws Exception {
    String said = run("5", folder.toString());
    assertEquals("5\n" + folder.toRealPath() + "\n", said);
  }

  @Test
  void whatTheSystemRefusesIsSaid() {
    Path missing = folder.resolve("missing");
    IOException told =
        assertThrows(IOException.class, () -> DaemonProcess.changeDirectory(missing));
    assertEquals("chdir: No such file or directory", told.getMessage());
  }

  private String run(String... words) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Own.class.getName(),
            words[0],
            words[1]);
    Path output = folder.resolve("output");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return Files.readString(output);
  }

  /** The process. */
  static final class Own {
    private Own() {}

    public static void main(String[] words) throws Exception {
      DaemonProcess.setNice(Integer.parseInt(words[0]));
      DaemonProcess.changeDirectory(Path.of(words[1]));
      Thread.ofPlatform().start(Own::show).join();
    }

    private static void show() {
      try {
        new ProcessBuilder("sh", "-c", "nice; pwd -P").inheritIO().start().waitFor();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
