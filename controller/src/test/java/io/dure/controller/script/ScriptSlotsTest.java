package io.dure.controller.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Who may run, and who waits. */
@Tag("process")
final class ScriptSlotsTest {
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Logger log =
      DaemonLog.toStream(
          new OutputStream() {
            @Override
            public void write(int letter) {
              throw new AssertionError("lines are written whole");
            }

            @Override
            public void write(byte[] bytes, int from, int count) {
              lines.add(new String(bytes, from, count, StandardCharsets.UTF_8));
            }
          },
          LogLevel.INFO,
          InstantSource.fixed(Instant.EPOCH),
          ZoneOffset.UTC);
  private final ScriptSlots places = new ScriptSlots("Epilogs", 1, Duration.ofMillis(1), log);

  private FutureTask<Boolean> taken(ScriptSlots.Ticket ticket) {
    FutureTask<Boolean> taken = new FutureTask<>(() -> places.take(ticket));
    Thread.ofVirtual().start(taken);
    return taken;
  }

  private static boolean soon(FutureTask<Boolean> taken) throws Exception {
    return taken.get(20, TimeUnit.SECONDS);
  }

  private void assertSaid(int waiting) throws InterruptedException {
    String said = lines.poll(20, TimeUnit.SECONDS);
    String wanted =
        "error: Epilogs: limit of 1 at a time reached, %d waiting; check for programs that hang\n"
            .formatted(waiting);
    assertTrue(said != null && said.endsWith(wanted), said);
  }

  @Test
  void whoWaitsIsNextAndItIsSaidOnce() throws Exception {
    assertTrue(places.take(new ScriptSlots.Ticket()));
    FutureTask<Boolean> second = taken(new ScriptSlots.Ticket());
    assertSaid(1);
    ScriptSlots.Ticket withdrawn = new ScriptSlots.Ticket();
    FutureTask<Boolean> third = taken(withdrawn);
    withdrawn.withdraw();
    assertFalse(soon(third));
    places.giveBack();
    assertTrue(soon(second));
    assertEquals(0, lines.size());
    FutureTask<Boolean> fourth = taken(new ScriptSlots.Ticket());
    assertSaid(1);
    places.giveBack();
    assertTrue(soon(fourth));
  }

  @Test
  void whoIsWithdrawnTakesNoPlace() throws Exception {
    ScriptSlots.Ticket withdrawn = new ScriptSlots.Ticket();
    withdrawn.withdraw();
    assertFalse(places.take(withdrawn));
    ScriptSlots.Ticket granted = new ScriptSlots.Ticket();
    assertTrue(places.take(granted));
    granted.withdraw();
    FutureTask<Boolean> next = taken(new ScriptSlots.Ticket());
    assertSaid(1);
    places.giveBack();
    assertTrue(soon(next));
  }
}
