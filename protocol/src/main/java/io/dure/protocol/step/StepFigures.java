package io.dure.protocol.step;

import java.util.List;

/**
 * The processes of a step on one node.
 *
 * @param jobId its job
 * @param step its name, {@code batch} or a number
 * @param tasks its tasks here that run
 * @param others processes that belong to no task
 */
public record StepFigures(int jobId, String step, List<TaskFigures> tasks, List<Integer> others) {}
