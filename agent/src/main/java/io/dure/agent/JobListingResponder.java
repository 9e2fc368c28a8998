package io.dure.agent;

import io.dure.model.collection.IntMap;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for lists of jobs from the shared ones, as each caller may see them. Any thread.
 */
final class JobListingResponder {
  private static final long TRUST_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int MOST_KNOWN = 1024;
  private static final int LARGE = 1000;

  private final JobCache jobs;
  private final Map<ConnectionUser, Sight> sights = new ConcurrentHashMap<>();

  /** Asks the controller something in the caller's name. */
  interface ControllerQuery {
    Response ask(Request request) throws IOException;
  }

  /** What a user may see, as the controller said at a time. */
  private record Sight(Response.Visible visible, long at, long epoch) {}

  JobListingResponder(JobCache jobs) {
    this.jobs = jobs;
  }

  /**
   * The answer to a request, null if only the controller has it.
   *
   * @param turn taken where there are many jobs
   * @param room takes memory for so many jobs where they are many
   * @param own the way to ask in the caller's name
   */
  @Nullable Response answer(
      Request.ListJobs list,
      ConnectionUser caller,
      LargeListingSlots.Turn turn,
      IntConsumer room,
      ControllerQuery own)
      throws IOException {
    if (!list.jobIds().isEmpty()) {
      return null;
    }
    if (large()) {
      turn.take();
      room.accept(jobs.count());
    }
    JobCache.Snapshot snapshot = jobs.now(turn);
    Response.Visible visible = snapshot == null ? null : visible(snapshot, caller, own);
    if (snapshot == null || visible == null) {
      return null;
    }
    List<JobInfo> found = new ArrayList<>(snapshot.pending().size() + snapshot.active().size());
    Filter filter = new Filter(list, caller.uid(), visible, snapshot, found);
    filter.add(snapshot.pending());
    filter.add(snapshot.active());
    if (list.includeEnded()) {
      filter.add(snapshot.ended());
    }
    return new Response.Jobs(found, snapshot.now());
  }

  /** Whether there are many jobs. */
  boolean large() {
    return jobs.count() >= LARGE;
  }

  private Response.@Nullable Visible visible(
      JobCache.Snapshot snapshot, ConnectionUser caller, ControllerQuery own) throws IOException {
    Sight known = sights.get(caller);
    if (known != null
        && known.epoch() == snapshot.epoch()
        && System.nanoTime() - known.at() < TRUST_NANOS) {
      return known.visible();
    }
    if (!(own.ask(new Request.Visibility()) instanceof Response.Visible visible)) {
      return null;
    }
    if (sights.size() >= MOST_KNOWN) {
      sights.clear();
    }
    sights.put(caller, new Sight(visible, System.nanoTime(), snapshot.epoch()));
    return visible;
  }

  private record Filter(
      Request.ListJobs list,
      int uid,
      Response.Visible visible,
      JobCache.Snapshot snapshot,
      List<JobInfo> found) {

    void add(IntMap<JobInfo> infos) {
      infos.forEach((_, info) -> {
        boolean own = info.job().owner().uid() == uid;
        boolean wanted =
            list.userName() == null || info.job().owner().userName().equals(list.userName());
        if (wanted && (own || isOpen(info.job().spec().account()))) {
          found.add(seen(info));
        }
      });
    }

    private boolean isOpen(@Nullable String account) {
      return !visible.onlyOwn() || account != null && visible.accounts().contains(account);
    }

    private JobInfo seen(JobInfo info) {
      boolean hidden =
          !visible.unlisted().isEmpty()
              && visible.unlisted().containsAll(info.job().spec().partitions());
      return info.asSeen(hidden, snapshot.evaluated());
    }
  }
}
