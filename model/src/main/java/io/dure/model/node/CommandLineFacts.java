package io.dure.model.node;

/**
 * What the command line of a node daemon says of its node.
 *
 * @param booted whether the machine counts as booted when the daemon starts, for tests
 * @param notes words for programs, with an empty comment
 */
public record CommandLineFacts(boolean booted, NodeNotes notes) {}
