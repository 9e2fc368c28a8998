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
 * same everywhere, so here it is cut off the request, and the rest is handed on as standing at the
 * beginning of the log, whose place needs no proof. The answer is put right by {@link #shift}.
 */
final class CarefulAppend extends AppendEntriesRequestHandler {
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

  CarefulAppend(RaftNodeImpl node, Member from, PeerMessage.Append words, Shift shift) {
    super(node, RaftWords.append(from, words));
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
      super.handle(request);
      return;
    }
    List<LogEntry> entries = request.getLogEntries();
    int covered = (int) Math.min(snapshot - previous, entries.size());
    List<LogEntry> rest = entries.subList(covered, entries.size());
    shift.places = previous + covered;
    try {
      super.handle(RaftWords.append(from, words, 0, 0, rest));
    } finally {
      shift.places = 0;
    }
  }
}
