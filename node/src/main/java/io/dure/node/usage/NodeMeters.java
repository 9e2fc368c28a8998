package io.dure.node.usage;

import io.dure.host.process.EnergyMeter;

/**
 * What tells, beside the kernel's records of processes, what steps use.
 *
 * @param gpus what processes have of GPUs
 * @param energy what the machine's processors take
 */
public record NodeMeters(GpuMeter gpus, EnergyMeter energy) {}
