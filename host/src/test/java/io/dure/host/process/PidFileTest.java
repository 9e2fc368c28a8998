package io.dure.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.storage.FileModes;
import io.dure.host.user.CurrentProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@Tag("process")
class PidFileTest {
  @TempDir Path directory;

  @Test
  void holdsTheNumberWhileTheDaemonRuns() throws IOException {
    Path path = directory.resolve("run/slurmctld.pid");
    assertEquals(0, PidFile.owner(path));
    try (PidFile _ = PidFile.claim(path)) {
      assertEquals(0644, FileModes.modeOf(path));
      assertThrows(PidFile.AlreadyRunningException.class, () -> PidFile.claim(path));
      assertEquals(CurrentProcess.pid(), PidFile.owner(path));
    }
    assertFalse(Files.exists(path));
    PidFile.claim(path).close();
  }

  @Test
  void aFileLeftOverIsTakenOverEvenIfItsNumberLivesAgain() throws IOException {
    Path path = directory.resolve("daemon.pid");
    for (String left : new String[] {"1\n", "", "999999999999\n", "rubbish".repeat(1000)}) {
      Files.writeString(path, left);
      assertEquals(0, PidFile.owner(path));
      PidFile file = PidFile.claim(path);
      assertEquals(CurrentProcess.pid() + "\n", Files.readString(path));
      file.close();
    }
  }

  @Test
  void anotherProcessIsSeenUntilItIsKilled() throws Exception {
    Path path = directory.resolve("daemon.pid");
    Process other = start(path);
    try (BufferedReader out = other.inputReader()) {
      assertEquals("claimed", out.readLine());
      assertEquals(other.pid(), PidFile.owner(path));
      PidFile.AlreadyRunningException running =
          assertThrows(PidFile.AlreadyRunningException.class, () -> PidFile.claim(path));
      assertEquals(other.pid(), running.pid());
      assertEquals(
          path + " is held by a running process (" + other.pid() + ")", running.getMessage());
      other.destroyForcibly().waitFor();
      assertTrue(Files.exists(path), "a killed process leaves its file");
      assertEquals(0, PidFile.owner(path));
      PidFile.claim(path).close();
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  @Test
  void ofSeveralProcessesOneWins() throws Exception {
    Path path = directory.resolve("daemon.pid");
    Files.writeString(path, "4711\n");
    List<Process> all = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        all.add(start(path));
      }
      int winners = 0;
      for (Process one : all) {
        String line = one.inputReader().readLine();
        if (line.equals("claimed")) {
          winners++;
          assertEquals(one.pid() + "\n", Files.readString(path));
        } else {
          assertTrue(line.startsWith("refused " + path), line);
        }
      }
      assertEquals(1, winners);
    } finally {
      for (Process one : all) {
        one.destroyForcibly().waitFor();
      }
    }
  }

  private static Process start(Path path) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Claimer.class.getName(),
            path.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Claims a pid file and waits to be killed. */
  public static final class Claimer {
    private Claimer() {}

    /** Takes the path of the file. */
    public static void main(String[] arguments) throws IOException {
      try (PidFile _ = PidFile.claim(Path.of(arguments[0]))) {
        System.out.println("claimed");
        while (System.in.read() >= 0) {
          // Until the end of the test.
        }
      } catch (PidFile.AlreadyRunningException e) {
        System.out.println("refused " + e.getMessage());
      }
    }
  }
}
