package io.dure.agent;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerConnector;
import io.dure.model.collection.IntMap;
import io.dure.model.job.JobState;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's jobs, kept here and brought up to date by what changed, so that the thousandth
 * listing costs the controller next to nothing. Every listing is as new as the moment in which it
 * was asked for: those that are asked for while one is being brought share the next. Any thread.
 */
final class JobCache implements AutoCloseable {
  private static final long USUAL_MILLIS = 500;

  /** Jobs that the controller tells at once: a fraction of a second's work, a few MiB. */
  private static final int MOST_AT_ONCE = 25_000;

  /** What a job takes while all are told and listed, with what the others need. */
  private static final int BYTES_FOR_A_JOB = 1200;

  private static final long FORGIVING_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ControllerConnector port;
  private final long most;

  /** An interrupted caller would close the connection. */
  private final ExecutorService fetching =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("shared-jobs").factory());

  private @Nullable CompletableFuture<Fetched> next;
  private volatile int count;

  // These belong to the thread that fetches.
  private @Nullable ControllerConnection connection;
  private boolean used;
  private @Nullable Snapshot newest;

  /** When there were last too many for this process, by the clock of what only rises. */
  private @Nullable Long tooMany;

  /** What came of asking the controller. */
  private sealed interface Fetched {}

  /** The jobs, null if this process's user may not see them all. */
  private record Brought(@Nullable Snapshot snapshot) implements Fetched {}

  private record Failed(IOException why) implements Fetched {}

  /** There are too many to be kept here: each caller asks the controller itself. */
  private record TooMany() implements Fetched {}

  /**
   * All jobs at one moment.
   *
   * @param pending by job id, as are the others
   * @param evaluated when the scheduler last looked at the pending ones
   * @param now the controller's time
   * @param epoch changes with the settings of visibility
   */
  record Snapshot(
      IntMap<JobInfo> pending,
      IntMap<JobInfo> active,
      IntMap<JobInfo> ended,
      Instant evaluated,
      Instant now,
      long epoch) {}

  /** Jobs of a cluster whose controller is reached in the name of this process's user. */
  JobCache(ControllerConnector port) {
    this(port, Runtime.getRuntime().maxMemory() / BYTES_FOR_A_JOB);
  }

  /** The same where so many jobs may be kept. */
  JobCache(ControllerConnector port, long most) {
    this.port = port;
    this.most = most;
  }

  /**
   * The jobs now; null if this process's user may not see them all.
   *
   * @param turn the call's, which others have meanwhile if this takes long
   * @throws IOException if the controller does not answer
   * @throws CallerDisconnectedException if the thread is interrupted meanwhile
   * @throws MemoryQuotaExceededException if there are more than this process has memory for
   */
  @Nullable Snapshot now(LargeListingSlots.Turn turn) throws IOException {
    return switch (await(asked(), turn)) {
      case Brought(Snapshot snapshot) -> snapshot;
      case Failed(IOException why) -> throw new IOException(why.getMessage(), why);
      case TooMany() ->
          throw new MemoryQuotaExceededException("a listing of more than " + most + " jobs");
    };
  }

  /** The fetch that begins next: one that has begun may have missed what the caller has done. */
  private synchronized CompletableFuture<Fetched> asked() throws IOException {
    CompletableFuture<Fetched> waiting = next;
    if (waiting == null) {
      waiting = new CompletableFuture<>();
      try {
        fetching.execute(this::fetch);
      } catch (RejectedExecutionException e) {
        throw new IOException("the agent is stopping", e);
      }
      next = waiting;
    }
    return waiting;
  }

  private static Fetched await(CompletableFuture<Fetched> fetch, LargeListingSlots.Turn turn) {
    try {
      try {
        return fetch.get(USUAL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        turn.leave();
        try {
          return fetch.get();
        } finally {
          turn.comeBack();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallerDisconnectedException();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a fetch without an outcome", e);
    }
  }

  private void fetch() {
    CompletableFuture<Fetched> mine = takeNext();
    if (mine == null) {
      return;
    }
    Fetched outcome = outcome();
    mine.complete(outcome);
    if (outcome instanceof Failed) {
      // Calls that arrived meanwhile have waited too, and would for as long again.
      CompletableFuture<Fetched> queued = takeNext();
      if (queued != null) {
        queued.complete(outcome);
      }
    }
  }

  private synchronized @Nullable CompletableFuture<Fetched> takeNext() {
    CompletableFuture<Fetched> waiting = next;
    next = null;
    return waiting;
  }

  private Fetched outcome() {
    Long refused = tooMany;
    if (refused != null && System.nanoTime() - refused < FORGIVING_NANOS) {
      return new TooMany();
    }
    try {
      if (!(changes() instanceof Response.JobChanges changes)) {
        return new Brought(null);
      }
      Snapshot brought = changes.whole() ? first(changes) : after(newest, changes);
      while (changes.left() > 0) {
        if (size(brought) + (long) changes.left() > most) {
          forget();
          newest = null;
          count = 0;
          tooMany = System.nanoTime();
          return new TooMany();
        }
        if (!(ask() instanceof Response.JobChanges next)) {
          throw new IOException("the controller did not send all jobs");
        }
        changes = next;
        brought = after(brought, changes);
      }
      newest = brought;
      count = size(brought);
      tooMany = null;
      return new Brought(brought);
    } catch (IOException e) {
      forget();
      return new Failed(e);
    } catch (RuntimeException bug) {
      forget();
      return new Failed(new IOException("cannot list jobs, a bug in Dure: " + bug, bug));
    }
  }

  private static int size(Snapshot snapshot) {
    return snapshot.pending().size() + snapshot.active().size() + snapshot.ended().size();
  }

  /** How many jobs there were at the last request. */
  int count() {
    return count;
  }

  private Response changes() throws IOException {
    boolean mayBeOld = used;
    try {
      return ask();
    } catch (IOException e) {
      forget();
      // The connection may have ended long ago, with a controller that has another now. One that
      // does not answer in time is not asked again.
      if (!mayBeOld || e.getCause() instanceof SocketTimeoutException) {
        throw e;
      }
    }
    return ask();
  }

  private Response ask() throws IOException {
    ControllerConnection open = connection;
    if (open == null) {
      open = port.open();
      connection = open;
    }
    Response response = open.ask(new Request.ChangedJobs(MOST_AT_ONCE));
    used = true;
    return response;
  }

  private void forget() {
    ControllerConnection open = connection;
    connection = null;
    used = false;
    if (open != null) {
      open.closeQuietly();
    }
  }

  private Snapshot first(Response.JobChanges changes) {
    Snapshot empty =
        new Snapshot(
            IntMap.empty(),
            IntMap.empty(),
            IntMap.empty(),
            changes.evaluated(),
            changes.now(),
            System.nanoTime());
    return after(empty, changes);
  }

  private static Snapshot after(@Nullable Snapshot before, Response.JobChanges changes) {
    if (before == null) {
      throw new IllegalStateException("changes to jobs that are not known");
    }
    IntMap<JobInfo> pending = before.pending();
    IntMap<JobInfo> active = before.active();
    IntMap<JobInfo> ended = before.ended();
    for (int id : changes.gone()) {
      pending = pending.without(id);
      active = active.without(id);
      ended = ended.without(id);
    }
    for (JobInfo info : changes.changed()) {
      int id = info.job().id();
      JobState state = info.job().state();
      pending = state instanceof JobState.Pending ? pending.with(id, info) : pending.without(id);
      ended = state instanceof JobState.Ended ? ended.with(id, info) : ended.without(id);
      active =
          state.runningOrSuspended() != null || state instanceof JobState.Completing
              ? active.with(id, info)
              : active.without(id);
    }
    return new Snapshot(pending, active, ended, changes.evaluated(), changes.now(), before.epoch());
  }

  @Override
  public void close() {
    try {
      fetching.execute(this::forget);
    } catch (RejectedExecutionException e) {
      // closed before
    }
    fetching.shutdown();
  }
}
