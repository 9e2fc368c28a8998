package io.dure.journal;

import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalFrame;
import io.dure.journal.segment.SegmentDirectory;
import io.dure.journal.segment.SegmentReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The records after a snapshot, read from disk at each iteration.
 *
 * @param spans what to read, in order
 * @param after records up to this one are left out
 */
record JournalRecords(JournalDisk disk, SegmentDirectory segments, List<Span> spans, long after)
    implements Iterable<JournalRecord> {

  /**
   * Records of one segment.
   *
   * @param first its first record
   * @param last the last one that counts; below {@code first} if there are none
   */
  record Span(long first, long last) {}

  @Override
  public Iterator<JournalRecord> iterator() {
    return new Cursor(this);
  }

  private static final class Cursor implements Iterator<JournalRecord> {
    private final JournalRecords records;
    private final Iterator<Span> spans;
    private @Nullable SegmentReader reader;
    private long spanLast;
    private @Nullable JournalRecord next;

    Cursor(JournalRecords records) {
      this.records = records;
      spans = records.spans.iterator();
      advance();
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public JournalRecord next() {
      JournalRecord found = next;
      if (found == null) {
        throw new NoSuchElementException();
      }
      advance();
      return found;
    }

    private void advance() {
      try {
        next = read();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private @Nullable JournalRecord read() throws IOException {
      while (true) {
        if (reader == null) {
          if (!spans.hasNext()) {
            return null;
          }
          Span span = spans.next();
          spanLast = span.last();
          reader =
              SegmentReader.open(records.disk, records.segments.path(span.first()), span.first());
        }
        if (reader.expected() > spanLast) {
          reader.close();
          reader = null;
          continue;
        }
        JournalFrame frame = reader.next();
        if (frame == null) {
          throw new IOException(
              reader.path() + ":" + reader.offset() + ": no longer as it was when opened");
        }
        if (frame.sequence() > records.after) {
          return new JournalRecord(frame.sequence(), reader.payload(frame));
        }
      }
    }
  }
}
