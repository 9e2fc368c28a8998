package io.dure.controller.replica;

import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.handler.AppendEntriesRequestHandler;
import io.microraft.impl.log.RaftLog;
import io.microraft.model.log.LogEntry;
import io.microraft.model.message.AppendEntriesRequest;
import java.util.List;

/**
 * Takes entries from a leader. MicroRaft 0.7 forgets the term of its snapshot's last entry as soon
 * as entries follow: asked to append right behind the snapshot it answers that it knows no such
 * entry, and leader and follower repeat that for ever. What a snapshot covers is committed and the
 * same everywhere, so here it is cut off the request, which then says the same from a later place
 * that MicroRaft can check. Where there is none, as the entry behind the snapshot is another one or
 * none was sent, at most one entry is handed on as standing at the beginning of the log, whose
 * place needs no proof, and the answer is put right by {@link Shift}.
 */
final class AppendEntriesPatch extends AppendEntriesRequestHandler {
  private final Member from;
  private final PeerMessage.Append words;
  private final Shift shift;

  /** What is to be added to the place that MicroRaft's next answer names. */
  static final class Shift {
    private long places;

    long places() {
      return places;
    }
  }

  AppendEntriesPatch(RaftNodeImpl node, Member from, PeerMessage.Append words, Shift shift) {
    super(node, RaftMapper.append(from, words));
    this.from = from;
    this.words = words;
    this.shift = shift;
  }

  @Override
  protected void handle(AppendEntriesRequest request) {
    RaftLog log = state.log();
    long snapshot = log.snapshotIndex();
    long previous = request.getPreviousLogIndex();
    boolean known = previous == snapshot && log.lastLogOrSnapshotIndex() > snapshot;
    if (snapshot == 0 || request.getTerm() < state.term() || !(previous < snapshot || known)) {
      super.handle(from(previous, request.getPreviousLogTerm(), request.getLogEntries()));
      return;
    }
    List<LogEntry> entries = request.getLogEntries();
    int covered = (int) Math.min(snapshot - previous, entries.size());
    List<LogEntry> rest = entries.subList(covered, entries.size());
    if (log.lastLogOrSnapshotIndex() == snapshot && previous + covered == snapshot) {
      super.handle(from(snapshot, log.snapshotEntry().getTerm(), rest));
    } else if (!rest.isEmpty() && isHeld(log, rest.getFirst())) {
      LogEntry first = rest.getFirst();
      super.handle(from(first.getIndex(), first.getTerm(), rest.subList(1, rest.size())));
    } else {
      shift.places = previous + covered;
      try {
        super.handle(
            RaftMapper.append(from, words, 0, 0, 0, rest.subList(0, Math.min(1, rest.size()))));
      } finally {
        shift.places = 0;
      }
    }
  }

  private AppendEntriesRequest from(long previous, int term, List<LogEntry> entries) {
    // MicroRaft would take back its commit index for a request that ends before it.
    long committed = previous + entries.size() < state.commitIndex() ? 0 : words.committed();
    return RaftMapper.append(from, words, term, previous, committed, entries);
  }

  private static boolean isHeld(RaftLog log, LogEntry entry) {
    LogEntry held = log.getLogEntry(entry.getIndex());
    return held != null && held.getTerm() == entry.getTerm();
  }
}
