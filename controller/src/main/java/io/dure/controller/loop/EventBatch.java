package io.dure.controller.loop;

import io.dure.cluster.Event;
import io.dure.journal.EventJournal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Events of one or more decisions that are stored together or not at all, with their bytes. It ends
 * between two decisions, never within one, and is never more than a log of several controllers can
 * send in one piece. One thread.
 */
public final class EventBatch {
  /** Bytes of one decision's events at most. */
  static final int MOST_BYTES = 32 << 20;

  /** Bytes after which no further decision is added. */
  static final int ENOUGH_BYTES = 4 << 20;

  private final List<Event> events = new ArrayList<>();
  private final EventJournal.Batch bytes = new EventJournal.Batch();

  /**
   * Adds the events of a decision, unless they are more than can be stored in one piece.
   *
   * @param at when it was decided
   * @return their bytes; above {@link #MOST_BYTES} if nothing was added
   */
  long add(Instant at, List<Event> decided) {
    int before = bytes.size();
    try {
      bytes.add(at, decided);
    } catch (RuntimeException bug) {
      bytes.cut(before);
      throw bug;
    }
    int size = bytes.size() - before;
    if (size <= MOST_BYTES) {
      events.addAll(decided);
    } else {
      bytes.cut(before);
    }
    return size;
  }

  /** Whether it is long enough to be stored now. */
  boolean isFull() {
    return bytes.size() >= ENOUGH_BYTES;
  }

  /** In order. */
  public List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  /** The same as the journal keeps them. */
  List<byte[]> records() {
    return bytes.records();
  }
}
