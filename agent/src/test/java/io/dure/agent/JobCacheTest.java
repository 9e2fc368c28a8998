package io.dure.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.ControllerConnection;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class JobCacheTest {
  private final LargeListingSlots turns = new LargeListingSlots(1);
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private volatile Answer answer = () -> jobs();
  private final JobCache jobs =
      new JobCache(() -> {
        opened.incrementAndGet();
        return new Connected();
      });

  private interface Answer {
    Response give() throws IOException;
  }

  /** A connection to a controller that answers as the test says. */
  private final class Connected implements ControllerConnection {
    @Override
    public Response ask(Request request) throws IOException {
      asked.incrementAndGet();
      return answer.give();
    }

    @Override
    public Response await(Request request) throws IOException {
      return ask(request);
    }

    @Override
    public void close() {}
  }

  private static Response jobs() {
    return new Response.JobChanges(true, List.of(), List.of(), Instant.EPOCH, Instant.EPOCH, 0);
  }

  private static Response part(int left) {
    return new Response.JobChanges(
        left == 2, List.of(), List.of(), Instant.EPOCH, Instant.EPOCH.plusSeconds(2 - left), left);
  }

  @Test
  void aListingThatComesInPartsIsAskedForToItsEnd() throws IOException {
    answer = () -> part(3 - asked.get());
    JobCache.Snapshot snapshot = jobs.now(turns.turn());
    assertNotNull(snapshot);
    assertEquals(3, asked.get());
    assertEquals(Instant.EPOCH.plusSeconds(2), snapshot.now());
  }

  @Test
  void moreJobsThanThereIsMemoryForAreLeftToEachCaller() {
    answer = () -> part(2);
    try (JobCache small =
        new JobCache(
            () -> {
              opened.incrementAndGet();
              return new Connected();
            },
            1)) {
      assertThrows(MemoryQuotaExceededException.class, () -> small.now(turns.turn()));
      assertThrows(MemoryQuotaExceededException.class, () -> small.now(turns.turn()));
    }
    assertEquals(1, asked.get(), "and the controller is not asked for all of them again at once");
  }

  private Response hang() throws IOException {
    try {
      hanging.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IOException("timed out", new SocketTimeoutException());
  }

  @AfterEach
  void close() {
    hanging.countDown();
    jobs.close();
  }

  @Test
  void whoWaitedForAFetchThatFailedHearsOfIt() throws IOException, InterruptedException {
    assertNotNull(jobs.now(turns.turn()));
    answer = this::hang;
    List<FutureTask<JobCache.Snapshot>> callers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      FutureTask<JobCache.Snapshot> caller = new FutureTask<>(() -> jobs.now(turns.turn()));
      Thread thread = Thread.ofPlatform().start(caller);
      callers.add(caller);
      // The first is being served, the others wait behind it.
      while (asked.get() < 2
          || thread.getState() != Thread.State.TIMED_WAITING
              && thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    hanging.countDown();
    for (FutureTask<JobCache.Snapshot> caller : callers) {
      ExecutionException failure = assertThrows(ExecutionException.class, caller::get);
      assertEquals("timed out", failure.getCause().getMessage());
    }
    assertEquals(2, asked.get(), "what did not answer in time is not asked again");
    answer = JobCacheTest::jobs;
    assertNotNull(jobs.now(turns.turn()), "but by those who come later");
  }

  @Test
  void aConnectionThatHasEndedMeanwhileIsReplaced() throws IOException {
    assertNotNull(jobs.now(turns.turn()));
    AtomicInteger tries = new AtomicInteger();
    answer =
        () -> {
          if (tries.incrementAndGet() == 1) {
            throw new IOException("Zero Bytes were transmitted or received");
          }
          return jobs();
        };
    assertNotNull(jobs.now(turns.turn()));
    assertEquals(2, opened.get());
  }

  @Test
  void whatFailsOnAFreshConnectionIsNotTriedAgain() {
    answer =
        () -> {
          throw new IOException("no");
        };
    assertThrows(IOException.class, () -> jobs.now(turns.turn()));
    assertEquals(1, asked.get());
  }

  @Test
  void aFetchThatTakesLongLeavesTheTurnToOthers() throws InterruptedException {
    answer = this::hang;
    LargeListingSlots.Turn first = turns.turn();
    Thread caller =
        Thread.ofPlatform()
            .start(() -> {
              first.take();
              assertThrows(IOException.class, () -> jobs.now(first));
              first.end();
            });
    while (asked.get() == 0) {
      Thread.onSpinWait();
    }
    LargeListingSlots.Turn second = turns.turn();
    second.take();
    assertTrue(caller.isAlive(), "it still waits");
    second.end();
    hanging.countDown();
    caller.join();
  }
}
