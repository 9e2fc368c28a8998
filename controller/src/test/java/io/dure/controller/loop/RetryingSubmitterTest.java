package io.dure.controller.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** News that must not be lost. */
@Tag("process")
final class RetryingSubmitterTest {
  private static final Command.InternalCommand NEWS = new Command.EpilogEnded(7, 1);
  private static final Reply BUG = new Reply.Refused(ErrorCode.BAD_INPUT, "internal error");

  private final CountDownLatch stopping = new CountDownLatch(1);
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private final Deque<Future<Reply>> replies = new ArrayDeque<>();
  private final List<Command> asked = new ArrayList<>();

  private RetryingSubmitter insistence(Duration first) {
    Logger log =
        DaemonLog.toStream(
            lines, LogLevel.INFO, InstantSource.fixed(Instant.EPOCH), ZoneOffset.UTC);
    RetryingSubmitter.RetryDelays pauses =
        new RetryingSubmitter.RetryDelays(first, Duration.ofMinutes(1));
    return new RetryingSubmitter(
        news -> {
          asked.add(news);
          return replies.remove();
        },
        stopping,
        pauses,
        log);
  }

  @Test
  void whatIsRefusedIsNotTold() throws InterruptedException {
    replies.add(CompletableFuture.completedFuture(BUG));
    replies.add(CompletableFuture.failedFuture(new IOException("disk full")));
    replies.add(CompletableFuture.completedFuture(BUG));
    replies.add(CompletableFuture.completedFuture(new Reply.Done()));
    insistence(Duration.ofMillis(1)).tell(NEWS);
    assertEquals(List.of(NEWS, NEWS, NEWS, NEWS), asked);
    String said = lines.toString(StandardCharsets.UTF_8);
    assertEquals(1, said.lines().count(), said);
    assertTrue(said.contains("error: EpilogEnded[jobId=7, run=1] could not be stored"), said);
    assertTrue(said.endsWith("internal error\n"), said);
  }

  @Test
  void nobodyInsistsWhileTheProgramEnds() throws InterruptedException {
    replies.add(CompletableFuture.completedFuture(BUG));
    stopping.countDown();
    insistence(Duration.ofDays(1)).tell(NEWS);
    assertEquals(List.of(NEWS), asked);
    assertEquals(0, lines.size());
  }

  @Test
  void pausesGrow() {
    RetryingSubmitter.RetryDelays pauses =
        new RetryingSubmitter.RetryDelays(Duration.ofSeconds(10), Duration.ofSeconds(30));
    assertEquals(
        List.of(Duration.ofSeconds(20), Duration.ofSeconds(30), Duration.ofSeconds(30)),
        List.of(
            pauses.after(pauses.first()),
            pauses.after(Duration.ofSeconds(20)),
            pauses.after(Duration.ofSeconds(30))));
  }
}
