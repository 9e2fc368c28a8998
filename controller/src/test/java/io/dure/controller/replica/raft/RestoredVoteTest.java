package io.dure.controller.replica.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.controller.replica.raft.RaftMapper.Endpoint;
import io.dure.journal.segment.SnapshotItems;
import io.microraft.RaftRole;
import io.microraft.impl.state.RaftState;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A member starts whatever its snapshot and its own record say of its vote. */
@Tag("pure")
class RestoredVoteTest {
  private static final GroupMemberId MEMBER = new GroupMemberId("c1", "d1");
  private static final GroupMemberId OTHER = new GroupMemberId("c2", "d2");

  @ParameterizedTest
  @CsvSource({
    // founders, record, snapshot, vote
    "true, true, true, true",
    "true, true, false, false",
    "true, false, false, false",
    "false, true, true, true",
    "false, false, true, true",
    "false, false, false, false",
    // the entry that gave the vote is behind the snapshot
    "false, true, false, true",
    // the entry that took the vote is behind the snapshot
    "true, false, true, false",
  })
  void itsVoteIsThatOfTheSnapshotThatChangedIt(
      boolean founders, boolean record, boolean snapshot, boolean vote) throws IOException {
    RestoredLog found = read(members(0, founders), record, members(7, snapshot));
    assertEquals(vote, found.voting());
    if (founders && !snapshot) {
      // MicroRaft asserts that it had a vote, which holds for none; without assertions it goes on.
      return;
    }
    RaftState state =
        RaftState.restore(
            RaftMapper.GROUP,
            RaftCore.restored(found, members(0, founders), found.voting()),
            100,
            RaftMapper.MODELS);
    assertEquals(new Endpoint(MEMBER), state.localEndpoint());
    assertEquals(vote ? RaftRole.FOLLOWER : RaftRole.LEARNER, state.role());
  }

  private static Membership members(long index, boolean voting) {
    List<GroupMemberId> all = List.of(MEMBER, OTHER);
    return new Membership(index, all, voting ? all : List.of(OTHER));
  }

  private static RestoredLog read(Membership founders, boolean voting, Membership members)
      throws IOException {
    RaftStoreRecord.Self self = new RaftStoreRecord.Self(MEMBER, false);
    byte[] image =
        RaftStoreFormat.image(
            new RaftStoreRecord.Image(
                self,
                voting,
                founders,
                new RaftStoreRecord.Term(3, null),
                10,
                3,
                members,
                List.of(),
                new byte[] {1, 2, 3},
                null,
                false));
    return RestoredLog.read(self, SnapshotItems.of(image), 10, Set.of(), _ -> {});
  }
}
