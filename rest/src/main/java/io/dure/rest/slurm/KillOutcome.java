package io.dure.rest.slurm;

import io.dure.model.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * What became of a job that was to get a signal.
 *
 * @param text the job or step in words
 * @param code why nothing was done, null if it was
 */
record KillOutcome(String text, int jobId, @Nullable ErrorCode code) {}
