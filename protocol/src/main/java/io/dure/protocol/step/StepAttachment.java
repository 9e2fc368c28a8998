package io.dure.protocol.step;

/**
 * The wish to follow a step that runs.
 *
 * @param jobId its job
 * @param step its number
 */
public record StepAttachment(int jobId, int step) {}
