package io.dure.controller.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.controller.replica.NotCommittedException;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;

/** The end of a loop: everybody is answered, once. */
@Timeout(30)
@Tag("process")
final class StateLoopTest {
  private static final InstantSource NOON =
      InstantSource.fixed(Instant.parse("2026-01-05T12:00:00Z"));
  private static final Caller SELF = new Caller.Self();

  private final Logger log =
      DaemonLog.toStream(OutputStream.nullOutputStream(), LogLevel.INFO, NOON, ZoneOffset.UTC);

  private StateLoop loop(EventStore store) {
    return loop(store, new Nothing());
  }

  private StateLoop loop(EventStore store, DecisionListener consequences) {
    StateLoop loop =
        new StateLoop(
            ClusterState.initial(CommandBatchProcessorTest.CONFIG), store, NOON, consequences, log);
    loop.start();
    return loop;
  }

  /** Not done for certain, or nobody knows. */
  private static void assertElsewhere(Future<Reply> answer) throws Exception {
    try {
      Reply reply = answer.get(10, TimeUnit.SECONDS);
      assertEquals(ErrorCode.IN_STANDBY, assertInstanceOf(Reply.Refused.class, reply).code());
    } catch (ExecutionException e) {
      assertInstanceOf(NotCommittedException.class, e.getCause());
    }
  }

  @Test
  void whoComesAfterTheEndIsToldToGoElsewhere() throws Exception {
    StateLoop loop = loop(new FakeStore());
    loop.close();
    assertElsewhere(loop.submit(new Command.Tick(), SELF));
    loop.close();
  }

  /** A leadership that is over before it has begun. */
  @Test
  void oneThatNeverBeganEndsToo() {
    StateLoop loop =
        new StateLoop(
            ClusterState.initial(CommandBatchProcessorTest.CONFIG),
            new FakeStore(),
            NOON,
            new Nothing(),
            log);
    loop.close();
    loop.start();
    loop.close();
  }

  @Test
  void whoWaitsForAStoreThatHangsIsAnsweredOnce() throws Exception {
    Hanging store = new Hanging();
    StateLoop loop = loop(store);
    List<Throwable> answers = new ArrayList<>();
    CountDownLatch answered = new CountDownLatch(1);
    loop.submit(
        new Command.Tick(),
        SELF,
        new ReplyListener() {
          @Override
          public void decided(Reply reply) {
            throw new AssertionError(reply);
          }

          @Override
          public void failed(Throwable failure) {
            answers.add(failure);
            answered.countDown();
          }
        });
    Consumer<Throwable> done = store.appended.take();
    loop.close();
    assertTrue(answered.await(10, TimeUnit.SECONDS));
    done.accept(null);
    assertEquals(1, answers.size());
    assertInstanceOf(NotCommittedException.class, answers.getFirst());
  }

  /** A close in the midst of commands: none is forgotten. */
  @Test
  void everyCommandThatRacesWithTheEndIsAnswered() throws Exception {
    for (int round = 0; round < 200; round++) {
      StateLoop loop = loop(new Hanging());
      CountDownLatch begun = new CountDownLatch(1);
      List<Future<Reply>> answers = new ArrayList<>();
      CompletableFuture<Void> callers =
          CompletableFuture.runAsync(() -> {
            try {
              for (int i = 0; i < 100; i++) {
                answers.add(loop.submit(new Command.Tick(), SELF));
                begun.countDown();
              }
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
      begun.await();
      loop.close();
      callers.get();
      for (Future<Reply> answer : answers) {
        assertElsewhere(answer);
      }
    }
  }

  /** Too much waits for a disk that hangs, and then the controller is to end. */
  @Test
  void aStoreWithoutRoomDoesNotKeepTheLoop() throws Exception {
    StoreBackpressure room = new StoreBackpressure();
    CountDownLatch waits = new CountDownLatch(1);
    List<Boolean> granted = new ArrayList<>();
    StateLoop loop =
        loop(
            new EventStore() {
              @Override
              public void append(EventBatch batch, Consumer<Throwable> done) {
                waits.countDown();
                granted.add(room.await(() -> false));
                granted.add(room.await(() -> true));
                done.accept(StoreBackpressure.stopping());
              }

              @Override
              public void offerSnapshot(ClusterState state) {}
            });
    Future<Reply> answer = loop.submit(new Command.Tick(), SELF);
    waits.await();
    loop.close();
    assertElsewhere(answer);
    assertEquals(List.of(false, false), granted);
  }

  /** What the scheduler makes of it comes while the loop waits for that. */
  @Test
  void aSubmissionThatAwaitsItsStartIsStoredTogetherWithIt() throws Exception {
    Hanging store = new Hanging();
    AtomicReference<StateLoop> loop = new AtomicReference<>();
    AtomicReference<Future<Reply>> start = new AtomicReference<>();
    CountDownLatch ready = new CountDownLatch(1);
    DecisionListener scheduler =
        new Nothing() {
          @Override
          public void decided(ClusterState state) {
            try {
              ready.await();
              if (start.get() == null) {
                start.set(loop.get().submit(new Command.Tick(), SELF));
              }
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    loop.set(loop(store, scheduler));
    Future<Reply> submission = loop.get().submit(new Command.Tick(), SELF, true);
    ready.countDown();
    store.appended.take().accept(null);
    submission.get();
    start.get().get();
    assertTrue(store.appended.isEmpty());
    loop.get().close();
  }

  @Test
  void aSubmissionThatAwaitsAStartInVainIsStoredToo() throws Exception {
    Hanging store = new Hanging();
    StateLoop loop = loop(store);
    Future<Reply> submission = loop.submit(new Command.Tick(), SELF, true);
    store.appended.take().accept(null);
    submission.get();
    loop.close();
  }

  /** Takes everything and says nothing. */
  private static final class Hanging implements EventStore {
    final LinkedBlockingQueue<Consumer<Throwable>> appended = new LinkedBlockingQueue<>();

    @Override
    public void append(EventBatch batch, Consumer<Throwable> done) {
      appended.add(done);
    }

    @Override
    public void offerSnapshot(ClusterState state) {}
  }

  private static class Nothing implements DecisionListener {
    @Override
    public void published(ClusterState state) {}

    @Override
    public void perform(Effect effect, ClusterState state) {}
  }
}
