package io.dure.model.command;

/**
 * How a numbered step ended on nodes on which it ended alike.
 *
 * @param nodes these, as a host list
 * @param end how it ended on each of them; what it used is told beside it, of all together
 */
public record StepPartEnds(String nodes, StepEnd end) {}
