package io.dure.controller.replica.raft;

import io.dure.controller.replica.raft.RaftMapper.Endpoint;
import io.dure.controller.replica.raft.ReplicaStateMachine.Proposal;
import io.microraft.RaftEndpoint;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.RaftMessage;
import io.microraft.transport.Transport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends MicroRaft's messages, as our records. The log's thread. */
final class RaftTransport implements Transport {
  private static final long MOST_BYTES = 4L << 20;

  private final SnapshotChunks.Wire wire;
  private final RaftExecutor executor;
  private final long beatMillis;
  private final AnsweredIndexShift shift;
  private final LongUnaryOperator hint;
  private final Supplier<List<PeerMessage.MemberProgress>> known;
  private final Map<GroupMemberId, Long> appends = new HashMap<>();
  private final Map<GroupMemberId, Long> told = new HashMap<>();

  /**
   * Sends nothing yet.
   *
   * @param shift corrects the places that responses name
   * @param hint the last entry that may match the leader's, if the one at that place does not
   * @param known how far each member was, which others shall know, too
   */
  RaftTransport(
      SnapshotChunks.Wire wire,
      RaftExecutor executor,
      long beatMillis,
      AnsweredIndexShift shift,
      LongUnaryOperator hint,
      Supplier<List<PeerMessage.MemberProgress>> known) {
    this.wire = wire;
    this.executor = executor;
    this.beatMillis = beatMillis;
    this.shift = shift;
    this.hint = hint;
    this.known = known;
  }

  @Override
  public void send(@Nullable RaftEndpoint target, RaftMessage message) {
    if (target == null) {
      return; // an answer to a leader that is none any more
    }
    GroupMemberId member = Endpoint.memberOf(target);
    if (message instanceof AppendEntriesRequest request && !isWorthwhile(member, request)) {
      return;
    }
    RaftMessage bounded =
        message instanceof AppendEntriesRequest request ? bounded(request) : message;
    PeerMessage said = RaftMapper.said(bounded, 0);
    if (said instanceof PeerMessage.AppendRefused(int term, long next, long query, long flow, _)) {
      said = new PeerMessage.AppendRefused(term, next, query, flow, hint.applyAsLong(next - 1));
    } else if (said instanceof PeerMessage.Appended(int term, long last, long query, long flow)) {
      said = new PeerMessage.Appended(term, last + shift.places(), query, flow);
    } else if (said instanceof PeerMessage.Append append && isToBeTold(member)) {
      said = append.with(known.get());
    }
    wire.send(member, said);
  }

  /**
   * MicroRaft tells all members at once what is committed, in a message that says nothing else and
   * for whose answer it does not wait. On a busy log the next entries say it as well.
   */
  private boolean isWorthwhile(GroupMemberId member, AppendEntriesRequest request) {
    Long last = appends.get(member);
    if (request.getLogEntries().isEmpty()
        && request.getFlowControlSequenceNumber() == 0
        && last != null
        && executor.millis() - last < beatMillis / 2) {
      return false;
    }
    appends.put(member, executor.millis());
    return true;
  }

  /** Once a beat. */
  private boolean isToBeTold(GroupMemberId member) {
    long now = executor.millis();
    Long last = told.get(member);
    if (last != null && now - last < beatMillis) {
      return false;
    }
    told.put(member, now);
    return true;
  }

  /** The same with fewer entries: as if there were no more yet. */
  private static AppendEntriesRequest bounded(AppendEntriesRequest request) {
    long bytes = 0;
    int count = 0;
    for (var entry : request.getLogEntries()) {
      bytes += entry.getOperation() instanceof Proposal p ? p.bytes() : 0;
      if (count > 0 && bytes > MOST_BYTES) {
        return RaftMapper.MODELS
            .createAppendEntriesRequestBuilder()
            .setGroupId(request.getGroupId())
            .setSender(request.getSender())
            .setTerm(request.getTerm())
            .setPreviousLogTerm(request.getPreviousLogTerm())
            .setPreviousLogIndex(request.getPreviousLogIndex())
            .setCommitIndex(request.getCommitIndex())
            .setLogEntries(request.getLogEntries().subList(0, count))
            .setQuerySequenceNumber(request.getQuerySequenceNumber())
            .setFlowControlSequenceNumber(request.getFlowControlSequenceNumber())
            .build();
      }
      count++;
    }
    return request;
  }

  @Override
  public boolean isReachable(RaftEndpoint endpoint) {
    return true;
  }
}
