package io.dure.simulator.twin.packing;

import io.dure.core.scheduler.gpus.GpuShape;

/** A task of a list. */
record GpuTask(String name, GpuShape shape) {}
