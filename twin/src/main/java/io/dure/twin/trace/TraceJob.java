package io.dure.twin.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job of a trace.
 *
 * @param name what the trace calls it: a number, or the job's name
 * @param submit when it came, in whole seconds
 * @param run how long it runs if nothing ends it, in whole seconds, not negative
 * @param user whose it is; empty where the trace does not say
 * @param demand what it asks for
 * @param origin the submission that it came with, null where the trace has no submissions
 * @param least how long it is known to run at least where it had not ended when the trace did
 */
public record TraceJob(
    String name,
    Instant submit,
    Duration run,
    String user,
    TraceJobRequest demand,
    @Nullable Origin origin,
    Duration least) {
  /** The run time of a job that only its limit ends: a hundred years. */
  public static final Duration ENDLESS = Duration.ofDays(36_525);

  /** A job that stands alone. */
  public TraceJob(String name, Instant submit, Duration run, String user, TraceJobRequest demand) {
    this(name, submit, run, user, demand, null);
  }

  /** A job of which no more is known than how long it runs. */
  public TraceJob(
      String name,
      Instant submit,
      Duration run,
      String user,
      TraceJobRequest demand,
      @Nullable Origin origin) {
    this(name, submit, run, user, demand, origin, Duration.ZERO);
  }

  /** How many jobs, from that one on, are one heterogeneous job; else 1. */
  public static int components(List<TraceJob> trace, int first) {
    Origin origin = trace.get(first).origin();
    Component lead = origin == null ? null : origin.component();
    if (origin == null || lead == null || lead.offset() != 0) {
      return 1;
    }
    for (int i = 1; i < lead.size(); i++) {
      Origin other = first + i < trace.size() ? trace.get(first + i).origin() : null;
      if (other == null
          || other.number() != origin.number()
          || !new Component(i, lead.size()).equals(other.component())) {
        // A window may begin or end in the middle of it.
        return 1;
      }
    }
    return lead.size();
  }

  /** The same running for another time. */
  public TraceJob lasting(Duration other) {
    return new TraceJob(name, submit, other, user, demand, origin, least);
  }

  /**
   * The submission that a job came with.
   *
   * @param number of the submission, from 1 on, by which others name it
   * @param task the task of an array, null for a job that is none
   * @param throttle how many tasks of the array may run at a time, 0 for any number
   * @param component its place in a heterogeneous job, null for a job that is none
   */
  public record Origin(
      int number, @Nullable Integer task, int throttle, @Nullable Component component) {
    /** A job that is no component of another. */
    public Origin(int number, @Nullable Integer task, int throttle) {
      this(number, task, throttle, null);
    }
  }

  /**
   * A place in a heterogeneous job, whose components stand one behind the other.
   *
   * @param offset 0 for the one that leads
   * @param size how many there are
   */
  public record Component(int offset, int size) {}
}
