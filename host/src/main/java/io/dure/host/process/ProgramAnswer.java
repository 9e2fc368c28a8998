package io.dure.host.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a program that only tells has printed.
 *
 * @param code its exit status
 * @param lines its output, without empty lines
 */
public record ProgramAnswer(int code, List<String> lines) {
  private static final int MOST_OUTPUT = 4 << 20;

  /** Keeps its own copy. */
  public ProgramAnswer {
    lines = List.copyOf(lines);
  }

  /**
   * Runs it, without input, and waits for its end.
   *
   * @param command a program of the search path, and its arguments
   * @param patience after which it is killed
   * @throws ProgramHangsException if it takes longer
   * @throws IOException if it cannot be run, or prints more than 4 MiB
   */
  public static ProgramAnswer of(List<String> command, Duration patience) throws IOException {
    // Into a file, because reading a pipe would hang with a program that a sick driver holds.
    Path output = Files.createTempFile("dure-answer", ".txt");
    Process process = null;
    try {
      process =
          new ProcessBuilder(command)
              .redirectInput(new File("/dev/null"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new ProgramHangsException(
            command.getFirst() + " has not ended after " + patience, process.toHandle());
      }
      if (Files.size(output) > MOST_OUTPUT) {
        throw new IOException(command.getFirst() + " prints too much");
      }
      String text = Files.readString(output, StandardCharsets.ISO_8859_1);
      return new ProgramAnswer(
          process.exitValue(), text.lines().filter(line -> !line.isBlank()).toList());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command.getFirst() + " ran", e);
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(output);
    }
  }
}
