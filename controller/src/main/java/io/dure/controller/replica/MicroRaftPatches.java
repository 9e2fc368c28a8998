package io.dure.controller.replica;

import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.handler.AppendEntriesRequestHandler;
import io.microraft.impl.log.RaftLog;
import io.microraft.impl.util.ArrayRingbuffer;
import io.microraft.model.log.LogEntry;
import io.microraft.model.message.AppendEntriesRequest;
import java.lang.reflect.Field;
import java.util.List;

/** Corrections of MicroRaft 0.7 that need its internals. The log's thread. */
final class MicroRaftPatches {
  private MicroRaftPatches() {}

  /** What is to be added to the place that MicroRaft's next answer names. */
  static final class Shift {
    private long places;

    long places() {
      return places;
    }
  }

  /**
   * Takes entries from a leader. MicroRaft 0.7 forgets the term of its snapshot's last entry as
   * soon as entries follow: asked to append right behind the snapshot it answers that it knows no
   * such entry, and leader and follower repeat that for ever. What a snapshot covers is committed
   * and the same everywhere, so here it is cut off the request, which then says the same from a
   * later place that MicroRaft can check. Where there is none, as the entry behind the snapshot is
   * another one or none was sent, at most one entry is handed on as standing at the beginning of
   * the log, whose place needs no proof, and the answer is put right by {@link Shift}.
   */
  static final class AppendEntries extends AppendEntriesRequestHandler {
    private final Member from;
    private final PeerMessage.Append words;
    private final Shift shift;

    AppendEntries(RaftNodeImpl node, Member from, PeerMessage.Append words, Shift shift) {
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

  /**
   * The entries that MicroRaft holds in memory. After a snapshot MicroRaft 0.7 keeps a tenth of an
   * interval before it, and believes so even where it does not have them, because it was started or
   * sent a snapshot since: as leader it then stumbles over the gap for ever. There is no way to
   * that number but by reflection. The log's thread.
   */
  static final class LogBuffer {
    private final ArrayRingbuffer<LogEntry> entries;
    private long first;

    @SuppressWarnings("unchecked")
    LogBuffer(RaftLog log) {
      try {
        Field field = RaftLog.class.getDeclaredField("log");
        field.setAccessible(true);
        entries = (ArrayRingbuffer<LogEntry>) field.get(log);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("another MicroRaft than 0.7", e);
      }
      first = entries.headSequence();
    }

    /** Puts the beginning right; after each snapshot, before anything is sent. */
    void check() {
      if (entries.headSequence() < first) {
        entries.setHeadSequence(first);
      }
      first = entries.headSequence();
    }
  }
}
