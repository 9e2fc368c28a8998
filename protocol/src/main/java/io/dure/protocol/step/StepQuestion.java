package io.dure.protocol.step;

/**
 * A question about the processes of steps on one node.
 *
 * @param jobId of this job alone, 0 for any
 * @param step of this step alone, as {@code squeue -s} names it without the job; empty for any
 * @param pid of the step that this process belongs to alone, 0 for any
 */
public record StepQuestion(int jobId, String step, int pid) {}
