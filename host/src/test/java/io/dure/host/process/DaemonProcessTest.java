package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own, for no test takes back a priority without rights. */
@Tag("process")
final class DaemonProcessTest {
  private static final Path LIMITS = Path.of("/proc/self/limits");

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

  @Test
  void anAbortedProcessDiesOfItsSignalWhereItsCoreFileBelongs() throws Exception {
    Path core = Files.createDirectory(folder.resolve("core"));
    Path missing = folder.resolve("missing");
    Process process = start(Aborted.class, missing.toString(), core.toString());
    try (BufferedReader said = process.inputReader()) {
      assertEquals("ready", said.readLine());
    }
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(128 + 6, process.exitValue());
    // Where core files are plain ones of the working directory, here it is; nothing is elsewhere.
    String pattern = Files.readString(Path.of("/proc/sys/kernel/core_pattern")).strip();
    String limits = Files.readString(LIMITS);
    if (pattern.equals("core") && limits.matches("(?s).*core file size +\\S+ +unlimited .*")) {
      try (Stream<Path> files = Files.list(core)) {
        assertEquals(1, files.count());
      }
    }
  }

  private static Process start(Class<?> program, String... words) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    all.addAll(List.of(words));
    return new ProcessBuilder(all).start();
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

  /** A process that aborts itself. */
  static final class Aborted {
    private Aborted() {}

    public static void main(String[] words) {
      System.out.println("ready");
      System.out.flush();
      DaemonProcess.abort(Stream.of(words).map(Path::of).toList());
    }
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
