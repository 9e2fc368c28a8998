package io.dure.agent;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.connect.ClusterPort;
import io.dure.core.collection.IntMap;
import io.dure.core.model.JobState;
import io.dure.host.user.OwnProcess;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's jobs, kept here and brought up to date by what changed, so that the thousandth
 * listing costs the controller next to nothing. Every listing is as new as the moment in which it
 * was asked for: those that are asked for while one is being brought share the next. Any thread.
 */
final class SharedJobs implements AutoCloseable {
  private final ClusterPort port;
  private @Nullable ControllerConnection connection;
  private @Nullable Snapshot newest;
  private volatile long begun;
  private volatile int count;

  /**
   * All jobs at one moment.
   *
   * @param pending by job id, as are the others
   * @param evaluated when the scheduler last looked at the pending ones
   * @param now the controller's time
   * @param epoch changes with the settings that say who sees what
   */
  record Snapshot(
      IntMap<JobInfo> pending,
      IntMap<JobInfo> active,
      IntMap<JobInfo> ended,
      Instant evaluated,
      Instant now,
      long epoch) {}

  /** Jobs of the cluster that a configuration describes. */
  SharedJobs(Path configuration) {
    port = new ClusterPort(configuration, OwnProcess.effectiveUid(), OwnProcess.effectiveGid());
  }

  /**
   * The jobs now; null if this process's user may not see them all.
   *
   * @throws IOException if the controller does not answer
   */
  @Nullable Snapshot now() throws IOException {
    long asked = System.nanoTime();
    synchronized (this) {
      Snapshot known = newest;
      if (known != null && begun - asked > 0) {
        return known;
      }
      begun = System.nanoTime();
      Response response;
      try {
        response = changes();
      } catch (IOException e) {
        forget();
        // The connection may have ended long ago, with a controller that has another now.
        begun = System.nanoTime();
        response = retried(e);
      }
      if (!(response instanceof Response.JobChanges changes)) {
        return null;
      }
      Snapshot next = changes.whole() ? first(changes) : after(known, changes);
      newest = next;
      count = next.pending().size() + next.active().size() + next.ended().size();
      return next;
    }
  }

  /** How many jobs there were when somebody last asked. */
  int count() {
    return count;
  }

  private Response retried(IOException first) throws IOException {
    try {
      return changes();
    } catch (IOException e) {
      forget();
      e.addSuppressed(first);
      throw e;
    }
  }

  private Response changes() throws IOException {
    ControllerConnection open = connection;
    if (open == null) {
      open = port.open();
      connection = open;
    }
    return open.ask(new Request.ChangedJobs());
  }

  private void forget() {
    ControllerConnection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // it is of no use any more
      }
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
          state instanceof JobState.Running || state instanceof JobState.Completing
              ? active.with(id, info)
              : active.without(id);
    }
    return new Snapshot(pending, active, ended, changes.evaluated(), changes.now(), before.epoch());
  }

  @Override
  public synchronized void close() {
    forget();
    newest = null;
  }
}
