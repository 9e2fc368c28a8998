package io.dure.protocol.step;

import java.util.List;

/**
 * What a node knows of the steps that were asked for.
 *
 * @param denied whether there are such steps that the asking user has no business with
 * @param steps the others
 */
public record StepAnswer(boolean denied, List<StepFigures> steps) {}
