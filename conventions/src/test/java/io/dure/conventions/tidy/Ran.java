package io.dure.conventions.tidy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A finished program: its exit code (127 when it is not installed) and all that it printed. */
record Ran(int exitCode, String output) {
  static final int NOT_INSTALLED = 127;

  static Ran of(Path folder, String input, String... command) {
    Process process;
    try {
      process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    } catch (IOException e) {
      return new Ran(NOT_INSTALLED, "");
    }
    try (OutputStream toProcess = process.getOutputStream()) {
      toProcess.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It ended without reading everything; what it printed says why.
    }
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(command[0] + " does not end");
      }
      return new Ran(process.exitValue(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(command[0] + " was interrupted", e);
    }
  }
}
