package io.dure.simulator.twin;

import io.dure.simulator.twin.trace.TraceJob;

/**
 * A job of a trace and what became of it.
 *
 * @param job the job
 * @param cpus CPUs it held at last, 0 if it never started
 * @param ending what became of it
 */
public record JobResult(TraceJob job, int cpus, Ending ending) {}
