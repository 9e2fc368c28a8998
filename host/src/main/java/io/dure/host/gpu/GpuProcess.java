package io.dure.host.gpu;

/**
 * What a process has of one GPU.
 *
 * @param percent of the time of late, how long something of it ran there
 * @param memoryBytes its memory there
 */
public record GpuProcess(int pid, int percent, long memoryBytes) {}
