package io.dure.core.scheduler;

import io.dure.core.model.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * A start that the scheduler proposes.
 *
 * @param jobId the record to start
 * @param taskIndex the array task to start where the record stands for waiting tasks, else null
 * @param allocation what it gets
 */
public record Placement(int jobId, @Nullable Integer taskIndex, Allocation allocation) {}
