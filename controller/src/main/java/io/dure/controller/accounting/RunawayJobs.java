package io.dure.controller.accounting;

import io.dure.accounting.JobHistory;
import io.dure.cluster.ClusterState;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that are not over in the accounting database and that their cluster does not have. Of
 * another cluster its own controller knows them, and slurmdbd asks it. Any thread.
 */
public final class RunawayJobs {
  /** After so many no more are looked for. */
  private static final int MOST = 5_000;

  /** The other controller waits for its records to be stored, and asks the database. */
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private final Supplier<ClusterState> states;
  private final InstantSource clock;
  private final ClusterAccounting books;

  /**
   * Those in some books.
   *
   * @param states supplies the newest durable state of the controller's own cluster
   */
  public RunawayJobs(Supplier<ClusterState> states, InstantSource clock, ClusterAccounting books) {
    this.states = states;
    this.clock = clock;
    this.books = books;
  }

  /**
   * Those of a cluster.
   *
   * @param cluster null for the controller's own
   * @throws IOException if the database does not answer
   */
  Response of(@Nullable String cluster, Caller.User caller) throws IOException {
    if (cluster == null || isOwn(cluster)) {
      return own();
    }
    return switch (elsewhere(cluster, caller)) {
      case Told.Attempts(Set<AttemptId> attempts) -> listed(cluster, attempts);
      case Told.Not(Response.Failed why) -> why;
    };
  }

  /**
   * Ends those of these attempts that their cluster does not have.
   *
   * @param cluster null for the controller's own
   * @throws IOException if the database does not answer
   */
  Response end(List<AttemptId> attempts, @Nullable String cluster, Caller.User caller)
      throws IOException {
    Predicate<AttemptId> gone;
    if (cluster == null || isOwn(cluster)) {
      ClusterState state = states.get();
      gone = one -> !has(state, one);
    } else {
      switch (elsewhere(cluster, caller)) {
        case Told.Attempts(Set<AttemptId> told) -> gone = told::contains;
        case Told.Not(Response.Failed why) -> {
          return why;
        }
      }
    }
    books.end(
        cluster,
        attempts.stream().filter(gone).toList(),
        caller.identity().userName(),
        clock.instant());
    return new Response.Decided(new Reply.Done());
  }

  private boolean isOwn(String cluster) {
    return cluster.equals(states.get().settings().controller().clusterName());
  }

  /** Those of the controller's own cluster. */
  Response.JobHistory own() throws IOException {
    ClusterState before = states.get();
    List<RecordedJob> found = new ArrayList<>();
    AttemptId after = null;
    do {
      JobHistory.Page page = books.open(after, before, clock.instant());
      ClusterState now = states.get();
      for (RecordedJob one : page.jobs()) {
        if (!has(before, one.attempt()) && !has(now, one.attempt())) {
          found.add(one);
        }
      }
      after = page.last();
    } while (after != null && found.size() < MOST);
    return history(before.settings().controller().clusterName(), found, after);
  }

  private Response.JobHistory history(
      String cluster, List<RecordedJob> found, @Nullable AttemptId after) {
    return new Response.JobHistory(
        cluster, found, after, states.get().settings().resources().trackedTres(), List.of());
  }

  private static boolean has(ClusterState state, AttemptId attempt) {
    Job job = state.job(attempt.jobId());
    return job != null && AttemptId.of(job).equals(attempt);
  }

  /** What the controller of another cluster says. */
  private sealed interface Told {
    record Attempts(Set<AttemptId> attempts) implements Told {}

    record Not(Response.Failed why) implements Told {}
  }

  private Told elsewhere(String cluster, Caller.User caller) throws IOException {
    SlurmdbdClient daemon = books.daemon();
    if (daemon == null) {
      return new Told.Not(
          new Response.Failed(ErrorCode.BAD_INPUT, "there is no cluster " + cluster));
    }
    SlurmdbdReply reply =
        daemon.ask(
            new SlurmdbdRequest.FindRunaways(
                cluster, caller.identity().userName(), caller.operator()),
            SlurmdbdReply.class,
            LIMIT);
    if (reply instanceof SlurmdbdReply.Denied(Reply.Refused refused)) {
      return new Told.Not(new Response.Failed(refused.code(), refused.detail()));
    }
    if (reply instanceof SlurmdbdReply.Runaways(List<AttemptId> attempts)) {
      return new Told.Attempts(Set.copyOf(attempts));
    }
    throw new IOException(daemon.name() + " is of another release");
  }

  private Response listed(String cluster, Set<AttemptId> wanted) throws IOException {
    List<RecordedJob> found = new ArrayList<>();
    AttemptId after = null;
    while (found.size() < wanted.size()) {
      JobHistory.Page page = books.openElsewhere(cluster, after, clock.instant());
      page.jobs().stream().filter(one -> wanted.contains(one.attempt())).forEach(found::add);
      after = page.last();
      if (after == null) {
        break;
      }
    }
    return history(cluster, found, null);
  }
}
