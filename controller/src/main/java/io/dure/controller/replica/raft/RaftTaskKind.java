package io.dure.controller.replica.raft;

import io.microraft.impl.task.HeartbeatTask;
import io.microraft.impl.task.LeaderElectionTimeoutTask;
import io.microraft.impl.task.PreVoteTimeoutTask;

/** What a task is for that MicroRaft schedules. */
enum RaftTaskKind {
  /** Ends the wait for votes. */
  ELECTION_TIMEOUT,
  /** The periodic one. */
  HEARTBEAT,
  OTHER;

  static RaftTaskKind of(Runnable task) {
    if (task instanceof LeaderElectionTimeoutTask || task instanceof PreVoteTimeoutTask) {
      return ELECTION_TIMEOUT;
    }
    return task instanceof HeartbeatTask ? HEARTBEAT : OTHER;
  }
}
