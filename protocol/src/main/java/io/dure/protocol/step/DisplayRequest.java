package io.dure.protocol.step;

import org.jspecify.annotations.Nullable;

/**
 * The wish of a front end that X clients of a job on the node reach its X server.
 *
 * @param jobId the job
 * @param step the step whose tasks they are, null for all of the job that have no display of their
 *     own
 */
public record DisplayRequest(int jobId, @Nullable Integer step) {}
