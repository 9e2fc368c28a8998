package io.dure.node.usage;

import io.dure.protocol.step.GpuFigures;
import org.jspecify.annotations.Nullable;

/**
 * A task at one look.
 *
 * @param rank its number in the step
 * @param startTicks when it began, hundredths of a second since the machine was booted
 * @param micros processor time up to now, microseconds
 * @param memory bytes of memory that it has now
 * @param space bytes of its address space now
 * @param faults page faults up to now that needed a disk
 * @param read bytes read up to now
 * @param written bytes written up to now
 * @param megahertz the mean clock of its processors, 0 where that is not known
 * @param gpus what it has of GPUs now, null where that is not known
 */
record TaskPoint(
    int rank,
    long startTicks,
    long micros,
    long memory,
    long space,
    long faults,
    long read,
    long written,
    long megahertz,
    @Nullable GpuFigures gpus) {}
