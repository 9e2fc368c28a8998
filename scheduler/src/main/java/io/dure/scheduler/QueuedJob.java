package io.dure.scheduler;

import io.dure.model.TaskIndices;
import io.dure.model.command.PendingVerdict;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.scheduler.timeline.ShadowReservation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pending job record, with what is known of it from plan to plan. */
final class QueuedJob {
  /** No second. */
  static final long NEVER = Long.MIN_VALUE;

  Job job;

  /** What it asks for now: some wishes are given up after a while. */
  ResourceRequest request;

  /** One for each of its partitions; none while it may not be considered. */
  final List<PartitionQueueEntry> entries = new ArrayList<>(1);

  /** By what its lanes were found; another request, owner or tree of accounts may mean others. */
  @Nullable EquivalenceBasis footing;

  /** The second at which it is looked at again by itself, {@link #NEVER} for none. */
  long wakes = NEVER;

  /** What waits says of it where it has no entries, or the best of its entries' verdicts. */
  @Nullable PendingVerdict verdict;

  /** Number of the pass in which all of it started. */
  long started;

  /** Number of the pass that {@link #tasksLeft} is of. */
  long split;

  /** Tasks of an array that have not started in that pass. */
  @Nullable TaskIndices tasksLeft;

  /** Starts that it was promised, in each of its partitions. */
  final List<ShadowReservation> bookings = new ArrayList<>(1);

  /** The start that is reserved for it because it is overdue, null for none. */
  @Nullable ShadowReservation reserved;

  /**
   * The second by which it starts because a start was first reserved for it then; it counts only
   * while one is.
   */
  long latestStart;

  /** Number of the pass that promised it a start, or tried to. */
  long promisedIn;

  /**
   * What lanes are found by, but for times.
   *
   * @param accounts the version of the accounts
   */
  record EquivalenceBasis(JobSpec spec, ResourceRequest request, int uid, long accounts) {
    /** Whether that of a job is the same without a doubt. */
    @SuppressWarnings("ReferenceEquality") // others that are equal are looked at as a whole
    boolean isOf(Job job, ResourceRequest its, long version) {
      return spec == job.spec()
          && request == its
          && uid == job.owner().uid()
          && accounts == version;
    }
  }

  QueuedJob(Job job) {
    this.job = job;
    request = job.spec().resources();
  }
}
