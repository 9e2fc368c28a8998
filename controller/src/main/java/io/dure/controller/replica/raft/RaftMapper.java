package io.dure.controller.replica.raft;

import io.dure.controller.replica.raft.PeerMessage.Batch;
import io.dure.controller.replica.raft.PeerMessage.Change;
import io.dure.controller.replica.raft.PeerMessage.CommitMarker;
import io.dure.controller.replica.raft.PeerMessage.Entry;
import io.dure.controller.replica.raft.PeerMessage.Membership;
import io.dure.controller.replica.raft.PeerMessage.Payload;
import io.dure.controller.replica.raft.ReplicaStateMachine.Proposal;
import io.microraft.MembershipChangeMode;
import io.microraft.RaftEndpoint;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.message.AppendEntriesFailureResponse;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.InstallSnapshotRequest;
import io.microraft.model.message.InstallSnapshotResponse;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.TriggerLeaderElectionRequest;
import io.microraft.model.message.VoteRequest;
import io.microraft.model.message.VoteResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Our records said in MicroRaft's words, and back. Any thread. */
final class RaftMapper {
  /** Every group is the only one of its cluster. */
  static final Object GROUP = "dure";

  static final RaftModelFactory MODELS = new DefaultRaftModelFactory();

  private RaftMapper() {}

  static Entry entry(LogEntry entry) {
    return new Entry(entry.getIndex(), entry.getTerm(), payload(entry.getOperation()));
  }

  private static Payload payload(Object operation) {
    return switch (operation) {
      case Proposal proposal -> new Batch(proposal.records());
      case CommitMarker mark -> mark;
      case UpdateRaftGroupMembersOp change ->
          new Change(
              Endpoint.membersOf(change.getMembers()),
              Endpoint.membersOf(change.getVotingMembers()),
              Endpoint.memberOf(change.getEndpoint()),
              change.getMode().name());
      default -> throw new IllegalStateException("no entry: " + operation);
    };
  }

  static LogEntry logEntry(Entry entry) {
    Object operation =
        switch (entry.payload()) {
          case Batch(List<byte[]> records) -> new Proposal(records, null);
          case CommitMarker mark -> mark;
          case Change change ->
              MODELS
                  .createUpdateRaftGroupMembersOpBuilder()
                  .setMembers(Endpoint.of(change.members()))
                  .setVotingMembers(Endpoint.of(change.voting()))
                  .setEndpoint(new Endpoint(change.changed()))
                  .setMode(MembershipChangeMode.valueOf(change.how()))
                  .build();
        };
    return MODELS
        .createLogEntryBuilder()
        .setIndex(entry.index())
        .setTerm(entry.term())
        .setOperation(operation)
        .build();
  }

  /** Bytes of an entry's records. */
  static long bytes(LogEntry entry) {
    return entry.getOperation() instanceof Proposal batch ? batch.bytes() : 0;
  }

  static List<Entry> entries(Iterable<LogEntry> entries) {
    List<Entry> said = new ArrayList<>();
    for (LogEntry entry : entries) {
      said.add(entry(entry));
    }
    return said;
  }

  static Membership membership(RaftGroupMembersView view) {
    return new Membership(
        view.getLogIndex(),
        Endpoint.membersOf(view.getMembers()),
        Endpoint.membersOf(view.getVotingMembers()));
  }

  static RaftGroupMembersView view(Membership members) {
    return MODELS
        .createRaftGroupMembersViewBuilder()
        .setLogIndex(members.index())
        .setMembers(Endpoint.of(members.members()))
        .setVotingMembers(Endpoint.of(members.voting()))
        .build();
  }

  /** What to send for a message of MicroRaft; {@code hint} goes with a refusal. */
  static PeerMessage said(RaftMessage message, long hint) {
    int term = message.getTerm();
    return switch (message) {
      case AppendEntriesRequest m ->
          new PeerMessage.Append(
              term,
              m.getPreviousLogTerm(),
              m.getPreviousLogIndex(),
              m.getCommitIndex(),
              entries(m.getLogEntries()),
              m.getQuerySequenceNumber(),
              m.getFlowControlSequenceNumber(),
              null);
      case AppendEntriesSuccessResponse m ->
          new PeerMessage.Appended(
              term,
              m.getLastLogIndex(),
              m.getQuerySequenceNumber(),
              m.getFlowControlSequenceNumber());
      case AppendEntriesFailureResponse m ->
          new PeerMessage.AppendRefused(
              term,
              m.getExpectedNextIndex(),
              m.getQuerySequenceNumber(),
              m.getFlowControlSequenceNumber(),
              hint);
      case InstallSnapshotRequest m ->
          new PeerMessage.SnapshotOffer(
              term,
              m.isSenderLeader(),
              m.getSnapshotTerm(),
              m.getSnapshotIndex(),
              m.getSnapshotChunk() != null,
              Endpoint.membersOf(m.getSnapshottedMembers()),
              membership(m.getGroupMembersView()),
              m.getQuerySequenceNumber(),
              m.getFlowControlSequenceNumber());
      case InstallSnapshotResponse m ->
          new PeerMessage.SnapshotWanted(
              term,
              m.getSnapshotIndex(),
              m.getQuerySequenceNumber(),
              m.getFlowControlSequenceNumber());
      case PreVoteRequest m ->
          new PeerMessage.PreVote(term, m.getLastLogTerm(), m.getLastLogIndex());
      case PreVoteResponse m -> new PeerMessage.PreVoted(term, m.isGranted());
      case VoteRequest m ->
          new PeerMessage.Vote(term, m.getLastLogTerm(), m.getLastLogIndex(), m.isSticky());
      case VoteResponse m -> new PeerMessage.Voted(term, m.isGranted());
      case TriggerLeaderElectionRequest m ->
          new PeerMessage.StartElection(term, m.getLastLogTerm(), m.getLastLogIndex());
      default -> throw new IllegalStateException("no message: " + message);
    };
  }

  static AppendEntriesRequest append(GroupMemberId from, PeerMessage.Append m) {
    List<LogEntry> entries = new ArrayList<>(m.entries().size());
    for (Entry entry : m.entries()) {
      entries.add(logEntry(entry));
    }
    return append(from, m, m.previousTerm(), m.previous(), m.committed(), entries);
  }

  /** The same with other entries behind another place. */
  static AppendEntriesRequest append(
      GroupMemberId from,
      PeerMessage.Append m,
      int previousTerm,
      long previous,
      long committed,
      List<LogEntry> entries) {
    return MODELS
        .createAppendEntriesRequestBuilder()
        .setGroupId(GROUP)
        .setSender(new Endpoint(from))
        .setTerm(m.term())
        .setPreviousLogTerm(previousTerm)
        .setPreviousLogIndex(previous)
        .setCommitIndex(committed)
        .setLogEntries(entries)
        .setQuerySequenceNumber(m.query())
        .setFlowControlSequenceNumber(m.flow())
        .build();
  }

  static AppendEntriesFailureResponse refused(
      GroupMemberId from, PeerMessage.AppendRefused m, long next) {
    return MODELS
        .createAppendEntriesFailureResponseBuilder()
        .setGroupId(GROUP)
        .setSender(new Endpoint(from))
        .setTerm(m.term())
        .setExpectedNextIndex(next)
        .setQuerySequenceNumber(m.query())
        .setFlowControlSequenceNumber(m.flow())
        .build();
  }

  static InstallSnapshotRequest offer(
      GroupMemberId from, PeerMessage.SnapshotOffer m, @Nullable SnapshotContent content) {
    var builder =
        MODELS
            .createInstallSnapshotRequestBuilder()
            .setGroupId(GROUP)
            .setSender(new Endpoint(from))
            .setTerm(m.term())
            .setSenderLeader(m.leader())
            .setSnapshotTerm(m.snapshotTerm())
            .setSnapshotIndex(m.snapshot())
            .setTotalSnapshotChunkCount(1)
            .setSnapshottedMembers(Endpoint.of(m.holders()))
            .setGroupMembersView(view(m.members()))
            .setQuerySequenceNumber(m.query())
            .setFlowControlSequenceNumber(m.flow());
    if (content != null) {
      builder.setSnapshotChunk(
          MODELS
              .createSnapshotChunkBuilder()
              .setIndex(m.snapshot())
              .setTerm(m.snapshotTerm())
              .setOperation(content)
              .setSnapshotChunkIndex(0)
              .setSnapshotChunkCount(1)
              .setGroupMembersView(view(m.members()))
              .build());
    }
    return builder.build();
  }

  /** MicroRaft's word for an answer, or for a word to lead. */
  static RaftMessage plain(GroupMemberId from, PeerMessage message) {
    Endpoint sender = new Endpoint(from);
    return switch (message) {
      case PeerMessage.Appended(int term, long last, long query, long flow) ->
          MODELS
              .createAppendEntriesSuccessResponseBuilder()
              .setGroupId(GROUP)
              .setSender(sender)
              .setTerm(term)
              .setLastLogIndex(last)
              .setQuerySequenceNumber(query)
              .setFlowControlSequenceNumber(flow)
              .build();
      case PeerMessage.SnapshotWanted(int term, long snapshot, long query, long flow) ->
          MODELS
              .createInstallSnapshotResponseBuilder()
              .setGroupId(GROUP)
              .setSender(sender)
              .setTerm(term)
              .setSnapshotIndex(snapshot)
              .setRequestedSnapshotChunkIndex(0)
              .setQuerySequenceNumber(query)
              .setFlowControlSequenceNumber(flow)
              .build();
      case PeerMessage.StartElection(int term, int lastTerm, long last) ->
          MODELS
              .createTriggerLeaderElectionRequestBuilder()
              .setGroupId(GROUP)
              .setSender(sender)
              .setTerm(term)
              .setLastLogTerm(lastTerm)
              .setLastLogIndex(last)
              .build();
      case PeerMessage other -> throw new IllegalStateException("no plain message: " + other);
    };
  }

  /** MicroRaft's word in an election. */
  static RaftMessage vote(GroupMemberId from, PeerMessage message) {
    Endpoint sender = new Endpoint(from);
    return switch (message) {
      case PeerMessage.PreVote(int term, int lastTerm, long last) ->
          MODELS
              .createPreVoteRequestBuilder()
              .setGroupId(GROUP)
              .setSender(sender)
              .setTerm(term)
              .setLastLogTerm(lastTerm)
              .setLastLogIndex(last)
              .build();
      case PeerMessage.PreVoted(int term, boolean granted) ->
          MODELS
              .createPreVoteResponseBuilder()
              .setGroupId(GROUP)
              .setSender(sender)
              .setTerm(term)
              .setGranted(granted)
              .build();
      case PeerMessage.Vote(int term, int lastTerm, long last, boolean sticky) ->
          MODELS
              .createVoteRequestBuilder()
              .setGroupId(GROUP)
              .setSender(sender)
              .setTerm(term)
              .setLastLogTerm(lastTerm)
              .setLastLogIndex(last)
              .setSticky(sticky)
              .build();
      case PeerMessage.Voted(int term, boolean granted) ->
          MODELS
              .createVoteResponseBuilder()
              .setGroupId(GROUP)
              .setSender(sender)
              .setTerm(term)
              .setGranted(granted)
              .build();
      case PeerMessage other -> throw new IllegalStateException("no plain message: " + other);
    };
  }

  /** A member as MicroRaft knows it. */
  record Endpoint(GroupMemberId member) implements RaftEndpoint {
    @Override
    public Object getId() {
      return member.toString();
    }

    static GroupMemberId memberOf(RaftEndpoint endpoint) {
      return ((Endpoint) endpoint).member();
    }

    static List<GroupMemberId> membersOf(Collection<RaftEndpoint> endpoints) {
      List<GroupMemberId> members = new ArrayList<>(endpoints.size());
      for (RaftEndpoint endpoint : endpoints) {
        members.add(memberOf(endpoint));
      }
      return List.copyOf(members);
    }

    static List<RaftEndpoint> of(List<GroupMemberId> members) {
      List<RaftEndpoint> endpoints = new ArrayList<>(members.size());
      for (GroupMemberId member : members) {
        endpoints.add(new Endpoint(member));
      }
      return endpoints;
    }
  }
}
