package io.dure.e2e.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that ends for want of memory cannot say so itself: its JVM has it said in its log. */
@Tag("process")
class OutOfMemoryTest {
  private static final String PROGRAM =
      """
      import java.nio.file.*;
      import java.util.*;
      class Full {
        public static void main(String[] files) throws Exception {
          var journal = Files.newOutputStream(Path.of(files[0]));
          var log =
              Files.newOutputStream(
                  Path.of(files[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          log.write("begins\\n".getBytes());
          List<byte[]> kept = new ArrayList<>();
          while (true) {
            kept.add(new byte[1 << 20]);
          }
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void theLastLineOfTheLogSaysIt() throws IOException, InterruptedException {
    String launcher = Files.readString(Checkout.root().resolve("libexec/daemon"));
    String option = "-XX:OnOutOfMemoryError='$home/libexec/out-of-memory' $name %p";
    assertTrue(launcher.contains(option), "daemons are started otherwise");
    Path program = Files.writeString(directory.resolve("Full.java"), PROGRAM);
    Path journal = directory.resolve("journal");
    Path log = directory.resolve("a log");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx48m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+ExitOnOutOfMemoryError",
                    option
                        .replace("$home", Checkout.root().toString())
                        .replace("$name", "slurmctld"),
                    program.toString(),
                    journal.toString(),
                    log.toString()))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("said").toFile())
            .start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it goes on");
    List<String> lines = Files.readAllLines(log);
    assertEquals(2, lines.size(), String.join("\n", lines));
    assertEquals("begins", lines.getFirst());
    String last = lines.getLast();
    assertTrue(
        last.contains(
            "] fatal: out of memory: slurmctld (process " + process.pid() + ") ends. What was"),
        last);
    assertTrue(last.contains("DURE_HEAP"), "it does not say what to do: " + last);
    assertEquals(0, Files.size(journal), "only the log is written to");
  }
}
