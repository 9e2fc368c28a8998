package io.dure.model.accounting;

/**
 * A workload key that a user's jobs may name.
 *
 * @param id its number
 * @param name its name
 * @param usual whether jobs that name none have it
 */
public record Wckey(int id, String name, boolean usual) {}
