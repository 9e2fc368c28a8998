package io.dure.cli.command;

import java.util.List;

/**
 * What the calling process needs to move files between itself and nodes, with its own rights.
 *
 * @param entries what it is told, {@code key=value} each; docs/agent-protocol.md lists them
 * @param order what it sends to each node
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
public record FileTransfer(List<String> entries, byte[] order) {}
