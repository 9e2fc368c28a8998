package io.dure.node.binding;

import io.dure.protocol.step.TaskBinding;

/**
 * The tasks of a step on a node, as they are to be bound.
 *
 * @param count how many there are
 * @param cpusPerTask CPUs of each, at least 1
 * @param sockets how they are given to sockets, see {@link TaskBinding}
 * @param perCore most tasks of a core, 0 for any number
 * @param perSocket most tasks of a socket, 0 for any number
 * @param ifNothingFits what is bound to where nothing is said and nothing fits; empty for nothing
 */
public record BoundTasks(
    int count, int cpusPerTask, String sockets, int perCore, int perSocket, String ifNothingFits) {}
