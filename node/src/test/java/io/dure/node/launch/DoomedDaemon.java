package io.dure.node.launch;

import io.dure.testkit.Await;
import java.nio.file.Path;

/**
 * A daemon to be killed: starts the step of the directory named as its argument, says so, and
 * waits.
 */
final class DoomedDaemon {
  private DoomedDaemon() {}

  public static void main(String[] args) throws Exception {
    RunningStep step = new Shepherd(Bench.PROGRAM).start(new StepDirectory(Path.of(args[0])));
    Await.seconds(20).until("the script runs", () -> step.scriptPid() != 0);
    System.out.println("started");
    System.out.flush();
    step.exit().toCompletableFuture().get();
  }

  /** Starts the step under such a daemon and kills that with SIGKILL once the script runs. */
  static void startAndDie(StepDirectory directory) throws Exception {
    Process daemon =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                DoomedDaemon.class.getName(),
                directory.path().toString())
            .redirectErrorStream(true)
            .start();
    try (var output = daemon.inputReader()) {
      String line = output.readLine();
      if (!"started".equals(line)) {
        throw new AssertionError("daemon said " + line + " " + output.readAllAsString());
      }
    }
    daemon.destroyForcibly().waitFor();
  }
}
