package io.dure.simulator.twin.trace;

import java.time.Duration;
import java.time.Instant;

/**
 * One job of a trace.
 *
 * @param name what the trace calls it: a number, or the job's name
 * @param submit when it came, in whole seconds
 * @param run how long it runs if nothing ends it, in whole seconds, not negative
 * @param user whose it is; empty where the trace does not say
 * @param demand what it asks for
 */
public record TraceJob(String name, Instant submit, Duration run, String user, Demand demand) {
  /** The run time of a job that only its limit ends: a hundred years. */
  public static final Duration ENDLESS = Duration.ofDays(36_525);
}
