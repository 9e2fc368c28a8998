package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.cluster.decide.CommandDecider;
import io.dure.controller.replica.NotCommittedException;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;

/**
 * The thread that owns the cluster's state. Commands that wait together are decided together and
 * stored with one write; while that write is on its way the next ones are decided. Nothing of a
 * command is seen, answered or performed before its events are durable.
 *
 * <p>{@link #submit} and {@link #published} may be called by any thread.
 */
public final class StateLoop implements StateAccess, AutoCloseable {
  private static final int INBOX = 65_536;
  private static final int MOST_AT_ONCE = 1024;
  private static final long PUT_MILLIS = 100;

  /** Longer than the scheduler needs for a short queue, shorter than a person or a disk notices. */
  private static final long HOLD_NANOS = 1_000_000;

  private static final Duration FAREWELL = Duration.ofSeconds(10);
  private static final Reply ELSEWHERE =
      new Reply.Refused(ErrorCode.IN_STANDBY, "the controller is stopping");

  private final CommandBatchProcessor keeper;
  private final EventStore store;
  private final DecisionListener consequences;
  private final Logger log;
  private final BlockingQueue<CommandBatchProcessor.Work> inbox = new ArrayBlockingQueue<>(INBOX);
  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
  private final Crowd crowd = new Crowd();
  private final Thread thread;
  private volatile boolean closing;

  /** Starts the thread on a recovered state. */
  public StateLoop(
      ClusterState recovered,
      EventStore store,
      InstantSource clock,
      DecisionListener consequences,
      Logger log) {
    this.store = store;
    this.keeper =
        new CommandBatchProcessor(
            recovered, store, clock, CommandDecider::decide, consequences, log);
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
   * The newest state, which may never become durable. A command that was made of it is decided
   * after all that led to it, and is durable only if that is.
   */
  ClusterState decided() {
    return keeper.decided();
  }

  /**
   * Has a command decided.
   *
   * @return the reply once the decision is durable; completes with an exception if it could not be
   *     stored. Waits while too many commands wait already.
   */
  public CompletableFuture<Reply> submit(Command command, Caller caller)
      throws InterruptedException {
    return submit(command, caller, false);
  }

  /**
   * The same for a caller that may wait for the start of what it submits.
   *
   * @param awaitsStart see {@link ReplyListener#awaitsStart}
   */
  public CompletableFuture<Reply> submit(Command command, Caller caller, boolean awaitsStart)
      throws InterruptedException {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    submit(
        command,
        caller,
        new ReplyListener() {
          @Override
          public void decided(Reply reply) {
            answer.complete(reply);
          }

          @Override
          public void failed(Throwable failure) {
            answer.completeExceptionally(failure);
          }

          @Override
          public boolean awaitsStart() {
            return awaitsStart;
          }
        });
    return answer;
  }

  /** After {@link #close} the asker is told at once that another leads: IN_STANDBY. */
  @Override
  public void submit(Command command, Caller caller, ReplyListener asker)
      throws InterruptedException {
    Waiting mine = new Waiting(asker);
    waiting.add(mine);
    CommandBatchProcessor.Work work = new CommandBatchProcessor.Work(command, caller, mine);
    // A command that is added after this check is answered by close().
    while (!closing && !inbox.offer(work, PUT_MILLIS, TimeUnit.MILLISECONDS)) {
      // The loop is behind.
    }
    if (closing) {
      mine.sendElsewhere();
    }
    crowd.grew();
  }

  /** Commands in the inbox, and the one that was taken out of it first. */
  private final class Crowd implements EventStore.PendingCommands {
    private int before;
    private volatile int awaited = Integer.MAX_VALUE;

    @Override
    public int before() {
      return before;
    }

    @Override
    public int now() {
      return inbox.size() + 1;
    }

    @Override
    public int await(int count, long nanos) {
      awaited = Math.min(count, MOST_AT_ONCE);
      if (now() < awaited) {
        LockSupport.parkNanos(nanos);
      }
      awaited = Integer.MAX_VALUE;
      return now();
    }

    /** Any thread. */
    void grew() {
      int wanted = awaited;
      if (wanted != Integer.MAX_VALUE && now() >= wanted) {
        LockSupport.unpark(thread);
      }
    }
  }

  private enum Stage {
    WAITS,
    DECIDED,
    ANSWERED
  }

  /** A listener that is called once, with the decision or at the end, whichever comes first. */
  private final class Waiting implements ReplyListener {
    private final ReplyListener asker;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITS);

    Waiting(ReplyListener asker) {
      this.asker = asker;
    }

    /** Whether its command may be decided: false if it was rejected already. */
    boolean take() {
      return stage.compareAndSet(Stage.WAITS, Stage.DECIDED);
    }

    private boolean answer() {
      waiting.remove(this);
      return stage.getAndSet(Stage.ANSWERED) != Stage.ANSWERED;
    }

    /** The end: what was not decided is certainly not done, of the rest it is unknown. */
    void sendElsewhere() {
      if (stage.compareAndSet(Stage.WAITS, Stage.ANSWERED)) {
        waiting.remove(this);
        asker.decided(ELSEWHERE);
      } else {
        failed(StoreBackpressure.stopping());
      }
    }

    @Override
    public void decided(Reply reply) {
      if (answer()) {
        asker.decided(reply);
      }
    }

    @Override
    public void failed(Throwable failure) {
      if (answer()) {
        asker.failed(failure);
      }
    }

    @Override
    public boolean awaitsStart() {
      return asker.awaitsStart();
    }
  }

  /** Decides a command and those that wait behind it. */
  private void take(CommandBatchProcessor.Work first, List<CommandBatchProcessor.Work> batch) {
    batch.clear();
    batch.add(first);
    store.gather(crowd);
    inbox.drainTo(batch, MOST_AT_ONCE - 1);
    crowd.before = batch.size();
    batch.removeIf(work -> !(work.asker() instanceof Waiting mine && mine.take()));
    keeper.decide(batch);
  }

  private void run() {
    List<CommandBatchProcessor.Work> batch = new ArrayList<>();
    try {
      while (!closing) {
        take(inbox.take(), batch);
        if (batch.stream().anyMatch(work -> work.asker().awaitsStart())) {
          keeper.announce();
          // What the scheduler says of it is the next command, as a rule.
          CommandBatchProcessor.Work next = inbox.poll(HOLD_NANOS, TimeUnit.NANOSECONDS);
          if (next != null) {
            take(next, batch);
          }
        }
        keeper.store();
        keeper.announce();
      }
    } catch (InterruptedException e) {
      // closing
    } catch (RuntimeException | Error bug) {
      // The journal holds what was acknowledged; a loop that is gone must not look like a slow one.
      log.error("state loop failed, a bug in Dure: slurmctld exits", bug);
      closing = true;
      waiting.forEach(asker -> asker.failed(bug));
      consequences.stopped(bug);
    }
  }

  /**
   * Ends the thread. Commands that wait are not decided, and told so; what was decided and is not
   * durable yet may still become so, but no caller waits for it: its reply fails with {@link
   * NotCommittedException}. What becomes durable later is still published. Any thread, also more
   * than once; does not wait for the store.
   */
  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    waiting.forEach(Waiting::sendElsewhere);
    inbox.clear();
    try {
      if (thread.getState() != Thread.State.NEW) {
        thread.join(FAREWELL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
