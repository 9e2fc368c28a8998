package io.dure.controller.replica.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group as one of its members sees it.
 *
 * @param self the member that says this
 * @param role its role
 * @param term number of the current leadership, 0 before the first
 * @param leader host of the leader, null if none is known
 * @param serving whether this member leads and may append
 * @param committed place of the last batch known to be kept
 * @param last place of the last batch on this member's disk
 * @param members all, as this member knows them
 * @param trouble what keeps the group or this member from working, null if nothing does
 */
public record ControllerGroupStatus(
    GroupMemberId self,
    Role role,
    long term,
    @Nullable String leader,
    boolean serving,
    long committed,
    long last,
    List<MemberStatus> members,
    @Nullable String trouble) {

  /** What a member does in its group. */
  public enum Role {
    /** Has no log yet and looks for the group. */
    JOINING,
    /** Receives the log without a vote. */
    LEARNER,
    /** Keeps the log and votes. */
    FOLLOWER,
    /** Asks for votes. */
    CANDIDATE,
    /** Decides what comes next. */
    LEADER,
    /** Stands still: its disk does not answer. */
    STALLED,
    /** Not in the group any more. */
    REMOVED
  }

  /** The same while the log stands still, and what was known of a leader is old. */
  public ControllerGroupStatus stalled() {
    return new ControllerGroupStatus(
        self,
        Role.STALLED,
        term,
        null,
        false,
        committed,
        last,
        members,
        "the log of " + self.host() + " stands still: its StateSaveLocation does not answer");
  }

  /**
   * One member.
   *
   * @param voting whether it counts for a majority
   * @param matched place up to which its disk is known to hold the log; only the leader knows, 0
   *     otherwise
   * @param lag batches that it lacks; only the leader knows, -1 otherwise
   * @param silentMillis for how long nothing was heard of it, at most since this member began; a
   *     follower hears of other followers only while there is no leader
   */
  public record MemberStatus(
      GroupMemberId member, boolean voting, long matched, long lag, long silentMillis) {}
}
