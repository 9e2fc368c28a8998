package io.dure.node.launch;

import java.time.Duration;
import java.time.Instant;

/**
 * When a step ran and what it used, all its processes together.
 *
 * @param start when the shepherd forked it
 * @param end when its script ended; leftover processes were killed after that
 * @param user processor time in user mode, to the microsecond
 * @param system processor time in the kernel
 * @param maxRssKib the largest resident set of any single process, in KiB
 */
public record StepUsage(
    Instant start, Instant end, Duration user, Duration system, long maxRssKib) {}
