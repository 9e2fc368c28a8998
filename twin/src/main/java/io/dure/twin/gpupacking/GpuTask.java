package io.dure.twin.gpupacking;

import io.dure.model.report.GpuTaskShape;

/** A task of a list. */
record GpuTask(String name, GpuTaskShape shape) {}
