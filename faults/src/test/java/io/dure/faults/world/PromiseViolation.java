package io.dure.faults.world;

/**
 * A promise that was broken.
 *
 * @param promise which one, the same words for the same promise
 * @param text what happened
 */
public record PromiseViolation(String promise, String text) {}
