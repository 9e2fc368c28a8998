package io.dure.model.report;

import org.jspecify.annotations.Nullable;

/**
 * Where a job stands in the queue.
 *
 * @param partition the partition that is spoken of
 * @param ahead how many jobs that could start by themselves stand before it there
 * @param priority the number by which it stands
 * @param standing by what it stands there in Dure's own order, null in Slurm's
 */
public record QueuePosition(
    String partition, int ahead, long priority, @Nullable DurePriority standing) {}
