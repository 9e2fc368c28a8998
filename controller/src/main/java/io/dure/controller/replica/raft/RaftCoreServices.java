package io.dure.controller.replica.raft;

/** What a member's Raft node works with. */
public record RaftCoreServices(
    RaftExecutor turns,
    JournalRaftStore store,
    SnapshotChunks.Wire wire,
    ControllerGroupSettings settings) {}
