package io.dure.controller.replica.raft;

/**
 * A leader lacks what a majority had kept: it was elected with members that had lost it. Whoever
 * still has it must not give it up by itself.
 */
public final class LostRecordsException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  LostRecordsException(GroupMemberId self, GroupMemberId leader, long place, long committed) {
    super(
        self.host()
            + " holds acknowledged changes that the leader "
            + leader.host()
            + " lacks (entries "
            + place
            + " to "
            + committed
            + "): controllers were put back from an older copy. slurmctld exits and keeps its"
            + " files. To go on with what "
            + self.host()
            + " has, open the group from its StateSaveLocation; to give it up, move the"
            + " directory away, but for tls/, and start again: docs/admin/recover.md");
  }
}
