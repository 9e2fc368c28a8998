package io.dure.host.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("process")
class DaemonSignalsTest {
  @Test
  void aDaemonHearsItsSignalsAndEndsByItself() throws Exception {
    Process daemon =
        // Whoever runs the tests may ignore signals, which a child takes along.
        new ProcessBuilder(
                "env",
                "--default-signal=HUP,INT,TERM",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Daemon.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = daemon.inputReader();
        Writer _ = daemon.outputWriter()) {
      assertEquals("ready", out.readLine());
      send("HUP", daemon);
      assertEquals("RECONFIGURE", out.readLine());
      send("USR2", daemon);
      assertEquals("REOPEN_LOG", out.readLine());
      send("HUP", daemon);
      assertEquals("RECONFIGURE", out.readLine());
      send("INT", daemon);
      assertEquals("STOP", out.readLine());
      send("TERM", daemon);
      assertEquals("STOP", out.readLine());
      assertEquals(17, daemon.waitFor());
    } finally {
      daemon.destroyForcibly().waitFor();
    }
  }

  private static void send(String signal, Process daemon) throws Exception {
    new ProcessBuilder("kill", "-" + signal, "" + daemon.pid()).start().waitFor();
  }

  /** Prints the signals it hears, and ends with code 17 at the second STOP. */
  public static final class Daemon {
    private Daemon() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
      BlockingQueue<DaemonSignal> heard = new LinkedBlockingQueue<>();
      DaemonSignals.listen(heard::add);
      System.out.println("ready");
      for (int stops = 0; stops < 2; ) {
        DaemonSignal signal = heard.take();
        System.out.println(signal);
        stops += signal == DaemonSignal.STOP ? 1 : 0;
      }
      System.exit(17);
    }
  }
}
