package io.dure.host.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the system refuses for a while. */
@Timeout(30)
@Tag("process")
final class AcceptLoopTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final DaemonLog log =
      DaemonLog.toStream(
          written, LogLevel.INFO, InstantSource.fixed(Instant.EPOCH), ZoneOffset.UTC);
  private int rounds;

  @Test
  void aFailureIsSaidOnceAndAcceptingGoesOn() {
    // Refused twice, granted, refused twice more.
    new AcceptLoop(
            "token desk",
            () -> rounds < 5,
            () -> {
              if (++rounds != 3) {
                throw new IOException("Too many open files");
              }
            },
            log)
        .run();
    assertEquals(5, rounds);
    log.flush();
    String text = written.toString(StandardCharsets.UTF_8);
    assertEquals(
        2, text.lines().filter(line -> line.endsWith("token desk: Too many open files")).count());
  }
}
