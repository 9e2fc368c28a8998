package io.dure.node;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The program in a process of its own. */
final class SlurmdProcess implements AutoCloseable {
  private final Process process;
  private final Path errors;

  private SlurmdProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  /** Starts it without waiting. */
  static SlurmdProcess start(Path directory, String... options) throws IOException {
    return start(directory, Map.of(), options);
  }

  /** The same with more in its environment. */
  static SlurmdProcess start(Path directory, Map<String, String> environment, String... options)
      throws IOException {
    Path errors = Files.createTempFile(directory, "slurmd", ".err");
    // The shell that runs the tests may ignore HUP, which a child takes along.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            SlurmdMain.class.getName()));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.redirectInput(new File("/dev/null"));
    builder.environment().put("DURE_READY", "1");
    builder
        .environment()
        .put("DURE_SHEPHERD", Path.of("target/shepherd").toAbsolutePath().toString());
    builder.environment().remove("SLURM_CONF");
    builder.environment().putAll(environment);
    return new SlurmdProcess(builder.start(), errors);
  }

  /** Waits until it serves. */
  SlurmdProcess awaitReady() throws IOException {
    BufferedReader output = process.inputReader();
    String line = output.readLine();
    if (!"ready".equals(line)) {
      throw new AssertionError("slurmd said " + line + " and " + errors());
    }
    return this;
  }

  /** Waits for its end; the exit code. */
  int awaitEnd() throws InterruptedException, IOException {
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError("slurmd does not end: " + errors());
    }
    return process.exitValue();
  }

  String output() throws IOException {
    return process.inputReader().readAllAsString();
  }

  String errors() throws IOException {
    return Files.readString(errors);
  }

  /** Sends a signal by kill(1)'s name. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
