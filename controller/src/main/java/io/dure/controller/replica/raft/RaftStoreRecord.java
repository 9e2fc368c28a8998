package io.dure.controller.replica.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the journal of a member of a group holds. Grows at the end of its records only. */
public sealed interface RaftStoreRecord {
  /**
   * The member that the journal belongs to; {@code lost} if an earlier one was set aside for its
   * damage.
   */
  record Self(GroupMemberId member, boolean lost) implements RaftStoreRecord {
    static final String TAG = "Self";
  }

  /** Whether it has a vote. */
  record VotingStatus(boolean voting) implements RaftStoreRecord {
    static final String TAG = "Voice";
  }

  /** The members that the group began with. */
  record Founders(PeerMessage.Membership members) implements RaftStoreRecord {
    static final String TAG = "Founders";
  }

  /** The current leadership and the member voted for in it. */
  record Term(int term, @Nullable GroupMemberId votedFor) implements RaftStoreRecord {
    static final String TAG = "Term";
  }

  /** An entry, behind the one before. */
  record Logged(PeerMessage.Entry entry) implements RaftStoreRecord {
    static final String TAG = "Logged";
  }

  /**
   * A snapshot up to that entry comes from the group and is about to be stored. A snapshot is named
   * after its last record, and no two may have one name. If the snapshot of that name is damaged,
   * it held entries that this member stored and that no record has.
   */
  record SnapshotAnnounced(long index) implements RaftStoreRecord {
    static final String TAG = "Taken";
  }

  /** Entries from this one on are void. */
  record LogTruncated(long from) implements RaftStoreRecord {
    static final String TAG = "Cut";
  }

  /**
   * A snapshot of all of it.
   *
   * @param index last entry that the state includes
   * @param term term of that entry
   * @param members as of that entry
   * @param tail entries behind it
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  record Image(
      Self self,
      boolean voting,
      PeerMessage.Membership founders,
      Term now,
      long index,
      int term,
      PeerMessage.Membership members,
      List<PeerMessage.Entry> tail,
      byte[] state)
      implements RaftStoreRecord {
    static final String TAG = "Image";
  }
}
