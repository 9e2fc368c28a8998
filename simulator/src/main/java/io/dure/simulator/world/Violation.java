package io.dure.simulator.world;

/**
 * A promise that was broken.
 *
 * @param promise which one, the same words for the same promise
 * @param text what happened
 */
public record Violation(String promise, String text) {}
