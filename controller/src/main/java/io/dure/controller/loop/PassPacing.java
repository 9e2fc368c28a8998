package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.scheduler.SchedulingPlan;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the scheduler plans again: after a change of what it plans from, and at a time at which its
 * last plan says that something becomes possible. Where neither comes it plans again from time to
 * time, so seldom that it takes a fiftieth of a CPU. One thread.
 */
public final class PassPacing {
  /** Longest time without a plan, if a plan takes so little that this is seldom enough. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** A plan that changes nothing is made anew after so many times the time that it took. */
  private static final int SELDOM = 50;

  /** The same where plans are long. */
  private static final int LESS_SELDOM = 25;

  private @Nullable ClusterState seen;
  private @Nullable Instant wakes;
  private long ended;
  private long took;
  private boolean more;

  /**
   * Whether to plan now.
   *
   * @param nanos monotonic time
   */
  public boolean isDue(ClusterState state, Instant now, long nanos) {
    ClusterState before = seen;
    if (before == null || differ(before, state)) {
      return true;
    }
    if (wakes != null && !now.isBefore(wakes)) {
      return true;
    }
    long seldom = more ? LESS_SELDOM * took : Math.max(SHORTEST.toNanos(), SELDOM * took);
    long most = Math.max(LONGEST.toNanos(), LESS_SELDOM * took);
    return nanos - ended >= Math.min(seldom, most);
  }

  /**
   * A plan was made.
   *
   * @param state of this
   * @param ended when, in monotonic time
   */
  public void planned(ClusterState state, SchedulingPlan plan, long took, long ended) {
    seen = state;
    wakes = plan.wakes();
    this.took = took;
    this.ended = ended;
    more = plan.unfinished() || !plan.starts().isEmpty() || !plan.preemptions().isEmpty();
  }

  /** A plan failed: the next is made however little has changed. */
  void failed() {
    seen = null;
  }

  /** Whether a plan made of one state may be another one than that of the other, at one time. */
  @SuppressWarnings("ReferenceEquality") // states share what did not change, and comparing is slow
  public static boolean differ(ClusterState one, ClusterState other) {
    return one != other
        && (one.jobChanges() != other.jobChanges()
            || one.nodes() != other.nodes()
            || one.partitions() != other.partitions()
            || one.config() != other.config()
            || one.accounts() != other.accounts()
            || one.usage() != other.usage()
            || one.reservationBook() != other.reservationBook());
  }
}
