package io.dure.model.step;

/**
 * Of which whole a step is a component, where its job is heterogeneous: tasks are numbered through
 * all components.
 *
 * @param firstRank number of its first task
 * @param tasks how many tasks all components have together
 * @param components how many there are
 */
public record HetStep(int firstRank, int tasks, int components) {}
