package io.dure.protocol.step;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task has used so far, its children with it.
 *
 * @param rank its number in the step
 * @param localId its number on the node
 * @param pids its processes, the task itself first
 * @param cpuMicros processor time, microseconds
 * @param rssBytes the most memory that it was seen with, bytes
 * @param vmBytes the largest address space, bytes
 * @param pages page faults that needed a disk
 * @param readBytes bytes that it read
 * @param writtenBytes bytes that it wrote
 * @param megahertz the mean clock of the processors that it ran on last, 0 where that is not known
 * @param gpus the most of GPUs that it was seen with, null where no driver tells that
 * @param joules what its node took since the step began, of its first task there; 0 of others and
 *     where that is not known
 */
public record TaskFigures(
    int rank,
    int localId,
    List<Integer> pids,
    long cpuMicros,
    long rssBytes,
    long vmBytes,
    long pages,
    long readBytes,
    long writtenBytes,
    long megahertz,
    @Nullable GpuFigures gpus,
    long joules) {}
