package io.dure.journal;

import io.dure.journal.segment.JournalFrame;
import io.dure.journal.segment.SegmentDirectory;
import io.dure.journal.segment.SegmentReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a journal that is being written, one behind the other, up to the last
 * durable one. One thread.
 */
public final class JournalFollower implements Closeable {
  private final SegmentDirectory segments;
  private final LongSupplier durable;
  private long last;
  private @Nullable SegmentReader reader;

  /** What was durable when the reader last read ahead. */
  private long readAhead;

  /** The first record of the file that is read. */
  private long first;

  /**
   * The first record of the file behind it. From there on that one may have what the disk refused
   * and the journal wrote again, and lost since.
   */
  private long until;

  JournalFollower(SegmentDirectory segments, LongSupplier durable, long after) {
    this.segments = segments;
    this.durable = durable;
    last = after;
  }

  /** The record that it read last, or began behind. */
  public long last() {
    return last;
  }

  /**
   * The next record, null while no further one is durable.
   *
   * @throws IOException if the disk refuses, or the record is not there any more; it may be asked
   *     again
   */
  public @Nullable JournalRecord next() throws IOException {
    long end = durable.getAsLong();
    if (last >= end) {
      return null;
    }
    SegmentReader from = reader;
    if (from != null && last >= readAhead) {
      from.forgetWindow();
      readAhead = end;
      until = following();
    }
    if (from != null && last + 1 >= until) {
      close();
      from = null;
    }
    if (from == null) {
      from = open();
      readAhead = end;
    }
    JournalFrame frame = from.next();
    if (frame == null) {
      close();
      throw new IOException(
          from.path() + ":" + from.offset() + ": record " + (last + 1) + " is missing");
    }
    last = frame.sequence();
    return new JournalRecord(last, from.payload(frame));
  }

  private long following() throws IOException {
    for (long start : segments.list()) {
      if (start > first) {
        return start;
      }
    }
    return Long.MAX_VALUE;
  }

  /** The file that holds the next record, at that record. */
  private SegmentReader open() throws IOException {
    long begin = 0;
    long behind = Long.MAX_VALUE;
    for (long start : segments.list()) {
      if (start <= last + 1) {
        begin = start;
      } else {
        behind = Math.min(behind, start);
      }
    }
    if (begin == 0) {
      throw new IOException("record " + (last + 1) + " of the journal is not there any more");
    }
    SegmentReader opened = SegmentReader.open(segments.disk(), segments.path(begin), begin);
    reader = opened;
    first = begin;
    until = behind;
    while (opened.expected() <= last) {
      if (opened.next() == null) {
        close();
        throw new IOException(opened.path() + ":" + opened.offset() + ": damaged");
      }
    }
    return opened;
  }

  @Override
  public void close() throws IOException {
    SegmentReader open = reader;
    reader = null;
    if (open != null) {
      open.close();
    }
  }
}
