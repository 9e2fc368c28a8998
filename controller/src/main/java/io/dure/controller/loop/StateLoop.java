package io.dure.controller.loop;

import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.host.log.Log;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;

/**
 * The thread that owns the cluster's state. Commands that wait together are decided together and
 * stored with one write; while that write is on its way the next ones are decided. Nothing of a
 * command is seen, answered or performed before its events are durable.
 *
 * <p>{@link #submit} and {@link #published} may be called by any thread.
 */
public final class StateLoop implements StateOwner, AutoCloseable {
  private static final int INBOX = 65_536;
  private static final int MOST_AT_ONCE = 1024;

  private final StateKeeper keeper;
  private final Consequences consequences;
  private final Log log;
  private final BlockingQueue<StateKeeper.Work> inbox = new ArrayBlockingQueue<>(INBOX);
  private final Thread thread;
  private volatile boolean closing;

  /** What to do with decisions once they are durable. */
  public interface Consequences {
    /** A new state is visible. Must not block. */
    void published(ClusterState state);

    /** Perform an effect; must not block. */
    void perform(Effect effect, ClusterState state);

    /**
     * The loop, or what happens once a decision is durable, met a bug or ran out of memory: the
     * program must end.
     */
    default void stopped(Throwable cause) {}
  }

  /** Who waits for a reply. Called by the thread that made it durable; must not block. */
  public interface Asker {
    /** The decision is durable; its effects are performed after this returns. */
    void decided(Reply reply);

    /** It could not be stored. */
    void failed(Throwable failure);
  }

  /** Starts the thread on a recovered state. */
  public StateLoop(
      ClusterState recovered,
      EventStore store,
      InstantSource clock,
      Consequences consequences,
      Log log) {
    this.keeper =
        new StateKeeper(recovered, store, clock, StateKeeper.Rules.CORE, consequences, log);
    this.consequences = consequences;
    this.log = log;
    this.thread = Thread.ofPlatform().name("state-loop").unstarted(this::run);
  }

  /** Lets the thread begin. */
  public void start() {
    thread.start();
  }

  @Override
  public ClusterState published() {
    return keeper.published();
  }

  /**
   * Has a command decided.
   *
   * @return the reply once the decision is durable; completes with an exception if it could not be
   *     stored. Waits while too many commands wait already.
   */
  public CompletableFuture<Reply> submit(Command command, Caller caller)
      throws InterruptedException {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    submit(
        command,
        caller,
        new Asker() {
          @Override
          public void decided(Reply reply) {
            answer.complete(reply);
          }

          @Override
          public void failed(Throwable failure) {
            answer.completeExceptionally(failure);
          }
        });
    return answer;
  }

  @Override
  public void submit(Command command, Caller caller, Asker asker) throws InterruptedException {
    inbox.put(new StateKeeper.Work(command, caller, asker));
  }

  private void run() {
    List<StateKeeper.Work> batch = new ArrayList<>();
    try {
      while (!closing) {
        batch.add(inbox.take());
        inbox.drainTo(batch, MOST_AT_ONCE - 1);
        keeper.process(batch);
        batch.clear();
      }
    } catch (InterruptedException e) {
      // closing
    } catch (RuntimeException | Error bug) {
      // The journal holds what was acknowledged; a loop that is gone must not look like a slow one.
      log.error("bug in the state loop: the controller ends", bug);
      batch.forEach(work -> work.asker().failed(bug));
      consequences.stopped(bug);
    }
  }

  /** Ends the thread; commands that wait are not decided. */
  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (StateKeeper.Work work : inbox) {
      work.asker().decided(new Reply.Refused(ErrorCode.IN_STANDBY, "the controller is stopping"));
    }
  }
}
