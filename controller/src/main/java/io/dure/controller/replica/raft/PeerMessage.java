package io.dure.controller.replica.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What members say to each other. Grows at the end of its records only. */
public sealed interface PeerMessage {
  /** A message on its way; {@code to} is null where only the host is known. */
  record Envelope(
      GroupMemberId from, String toHost, @Nullable GroupMemberId to, PeerMessage message) {}

  /**
   * Entries behind a known one; none as a sign of life.
   *
   * @param known what the leader knows of how far each member was; null most times
   */
  record Append(
      int term,
      int previousTerm,
      long previous,
      long committed,
      List<Entry> entries,
      long query,
      long flow,
      @Nullable List<MemberProgress> known)
      implements PeerMessage {
    static final String TAG = "Append";

    Append with(List<MemberProgress> progress) {
      return new Append(term, previousTerm, previous, committed, entries, query, flow, progress);
    }
  }

  /** The last entry of those kept by a majority that a member is known to have had. */
  record MemberProgress(GroupMemberId member, long index) {}

  /** The log matches up to {@code last}. */
  record Appended(int term, long last, long query, long flow) implements PeerMessage {
    static final String TAG = "Appended";
  }

  /** It does not match before {@code next}; {@code hint} is the last entry that may. */
  record AppendRefused(int term, long next, long query, long flow, long hint)
      implements PeerMessage {
    static final String TAG = "AppendRefused";
  }

  /** A snapshot to be had, or with {@code content} its announced content. */
  record SnapshotOffer(
      int term,
      boolean leader,
      int snapshotTerm,
      long snapshot,
      boolean content,
      List<GroupMemberId> holders,
      Membership members,
      long query,
      long flow)
      implements PeerMessage {
    static final String TAG = "SnapshotOffer";
  }

  /** Asks for the content of a snapshot. */
  record SnapshotWanted(int term, long snapshot, long query, long flow) implements PeerMessage {
    static final String TAG = "SnapshotWanted";
  }

  /** Would you vote for me? */
  record PreVote(int term, int lastTerm, long last) implements PeerMessage {
    static final String TAG = "PreVote";
  }

  /** Perhaps. */
  record PreVoted(int term, boolean granted) implements PeerMessage {
    static final String TAG = "PreVoted";
  }

  /** Asks for a vote. */
  record Vote(int term, int lastTerm, long last, boolean sticky) implements PeerMessage {
    static final String TAG = "Vote";
  }

  /** Gives or refuses it. */
  record Voted(int term, boolean granted) implements PeerMessage {
    static final String TAG = "Voted";
  }

  /** Asks to begin an election. */
  record StartElection(int term, int lastTerm, long last) implements PeerMessage {
    static final String TAG = "Lead";
  }

  /**
   * Asks for bytes of a snapshot's content.
   *
   * @param items whether as a {@link SnapshotStream}; the whole state in one array otherwise
   */
  record PartWanted(long snapshot, long from, boolean items) implements PeerMessage {
    static final String TAG = "PartWanted";
  }

  /**
   * Bytes of a snapshot's content.
   *
   * @param total length of all; of a stream -1 as long as more follows
   * @param items whether they are of a {@link SnapshotStream}
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  record Part(long snapshot, long total, long from, byte[] bytes, boolean items)
      implements PeerMessage {
    static final String TAG = "Part";
  }

  /** A controller without a group introduces itself, and asks for an introduction. */
  record JoinProbe(Disk disk) implements PeerMessage {
    static final String TAG = "Knock";
  }

  /**
   * The answer.
   *
   * @param founders first members of the answerer's group, null if it is in none
   * @param past the last entry of those kept by a majority that the asker is known to have had, 0
   *     if nothing is known of it
   */
  record Answer(Disk disk, @Nullable Membership founders, long past) implements PeerMessage {
    static final String TAG = "Answer";
  }

  /** What a member's disk holds. */
  enum Disk {
    /** Nothing, and never did. */
    BLANK,
    /** Nothing any more: a group that lost what was here may exist. */
    LOST,
    /** The log of a lone controller. */
    ALONE,
    /** The log of a group. */
    GROUP
  }

  /** Members as of an entry. */
  record Membership(long index, List<GroupMemberId> members, List<GroupMemberId> voting) {}

  /** An entry of the log. */
  record Entry(long index, int term, Payload payload) {}

  /** What an entry holds. */
  sealed interface Payload {}

  /** A batch. */
  record Batch(List<byte[]> records) implements Payload {
    static final String TAG = "Batch";
  }

  /** Nothing; its being kept tells its maker that all before it is. */
  record CommitMarker(GroupMemberId by, long number) implements Payload {
    static final String TAG = "Mark";
  }

  /** Another membership. */
  record Change(
      List<GroupMemberId> members, List<GroupMemberId> voting, GroupMemberId changed, String how)
      implements Payload {
    static final String TAG = "Change";
  }
}
