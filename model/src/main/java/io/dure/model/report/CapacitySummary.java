package io.dure.model.report;

/**
 * What becomes of the nodes: what is in use, free, reserved and closed is all together.
 *
 * @param all all of it
 * @param inUse what jobs hold, of whatever partition and on whatever node
 * @param free what a job might have now
 * @param useless of what is free, what is of no use: CPUs without memory beside them, GPUs in
 *     pieces that no job that waits or runs could have, on the mean
 * @param reserved what is free and kept by a reservation now
 * @param closed what is free on nodes on which no job may start
 */
public record CapacitySummary(
    ResourceAmounts all,
    ResourceAmounts inUse,
    ResourceAmounts free,
    ResourceAmounts useless,
    ResourceAmounts reserved,
    ResourceAmounts closed) {}
