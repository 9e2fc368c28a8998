package io.dure.controller.loop;

import io.dure.controller.journal.EventJournal;
import io.dure.core.controller.Event;
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
  static final long MOST_BYTES = 32L << 20;

  /** Bytes after which no further decision is added. */
  static final long ENOUGH_BYTES = 4L << 20;

  private final List<Event> events = new ArrayList<>();
  private final List<byte[]> records = new ArrayList<>();
  private long bytes;

  /**
   * Adds the events of a decision, unless they are more than can be stored in one piece.
   *
   * @param at when it was decided
   * @return their bytes; above {@link #MOST_BYTES} if nothing was added
   */
  long add(Instant at, List<Event> decided) {
    List<byte[]> added = EventJournal.records(at, decided);
    long size = 0;
    for (byte[] record : added) {
      size += record.length;
    }
    if (size <= MOST_BYTES) {
      events.addAll(decided);
      records.addAll(added);
      bytes += size;
    }
    return size;
  }

  /** Whether it is long enough to be stored now. */
  boolean isFull() {
    return bytes >= ENOUGH_BYTES;
  }

  /** In order. */
  public List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  /** The same as the journal keeps them. */
  List<byte[]> records() {
    return Collections.unmodifiableList(records);
  }
}
