package io.dure.node.usage;

import org.jspecify.annotations.Nullable;

/**
 * What is read once for all processes at a look.
 *
 * @param gpus what they have of GPUs, null where that is not known
 */
record MachineLook(ProcessorClocks clocks, @Nullable GpuLook gpus) {}
