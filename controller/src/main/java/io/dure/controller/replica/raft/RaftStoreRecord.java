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
   * How far the log was known to be kept by a majority, and with what part of that each other
   * member was known to have: by this a member that went back behind its own past is found, and one
   * that is asked to give up what was kept refuses.
   */
  record Progress(long committed, List<PeerMessage.MemberProgress> others)
      implements RaftStoreRecord {
    static final String TAG = "Progress";

    /** Nothing is known. */
    static final Progress NONE = new Progress(0, List.of());

    /** Of one member, 0 if nothing is known of it. */
    public long of(GroupMemberId member) {
      for (PeerMessage.MemberProgress other : others) {
        if (other.member().equals(member)) {
          return other.index();
        }
      }
      return 0;
    }
  }

  /**
   * All before is void: from here on the journal is that of another member, since the one before
   * had been further once.
   */
  record Forgotten(Self self) implements RaftStoreRecord {
    static final String TAG = "Forgotten";
  }

  /**
   * A snapshot of all of it.
   *
   * @param index last entry that the state includes
   * @param term term of that entry
   * @param members as of that entry
   * @param tail entries behind it
   * @param progress null if an earlier release wrote it
   * @param divided whether tail and state are in items of their own, and empty here
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
      byte[] state,
      @Nullable Progress progress,
      boolean divided)
      implements RaftStoreRecord {
    static final String TAG = "Image";

    /** The same with tail and state, or with those of its items. */
    Image with(List<PeerMessage.Entry> itsTail, byte[] itsState, boolean isDivided) {
      return new Image(
          self, voting, founders, now, index, term, members, itsTail, itsState, progress,
          isDivided);
    }
  }
}
