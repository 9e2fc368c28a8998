/**
 * Decides commands about jobs: submit, hold, start, suspend, requeue, cancel, and the end of a run.
 */
@org.jspecify.annotations.NullMarked
package io.dure.cluster.decide.job;
