package io.dure.host.process;

/**
 * Memory of the machine in MiB.
 *
 * @param totalMib what the kernel manages
 * @param freeMib memory not in use, which {@code FreeMem} of a node shows
 * @param availableMib what programs could get, caches given back
 */
public record MemoryInfo(long totalMib, long freeMib, long availableMib) {}
