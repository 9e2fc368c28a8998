package io.dure.node.usage;

import org.jspecify.annotations.Nullable;

/**
 * What is read once for all processes at a look.
 *
 * @param gpus what they have of GPUs, null where that is not known
 * @param microjoules what the machine has taken, since some moment before all steps; null where
 *     that is not gathered
 */
record MachineLook(ProcessorClocks clocks, @Nullable GpuLook gpus, @Nullable Long microjoules) {}
