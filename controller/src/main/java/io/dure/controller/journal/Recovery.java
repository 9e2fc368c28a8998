package io.dure.controller.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a directory holds: the newest whole snapshot and every record after it. A torn tail is
 * cut; anything that shows the loss of a record that was once durable is refused. One thread.
 */
final class Recovery {
  private static final int PIECE = 1024 * 1024;

  private final Disk disk;
  private final Path directory;
  private final Segments segments;
  private final List<String> notes = new ArrayList<>();

  Recovery(Disk disk, Path directory, Segments segments) {
    this.disk = disk;
    this.directory = directory;
    this.segments = segments;
  }

  /**
   * The outcome.
   *
   * @param snapshot newest whole one, null if there is none
   * @param records those after it
   * @param last sequence of the last record, 0 if there never was one
   * @param segment where the next record goes
   * @param notes for the log
   */
  record Result(
      Snapshots.@Nullable Snapshot snapshot,
      Iterable<JournalRecord> records,
      long last,
      OpenSegment segment,
      List<String> notes) {}

  Result recover(Snapshots snapshots) throws IOException {
    for (String name : disk.list(directory)) {
      if (name.endsWith(Segments.TEMPORARY)) {
        disk.delete(directory.resolve(name));
      }
    }
    Snapshots.Snapshot snapshot = snapshots.newest(notes);
    long after = snapshot == null ? 0 : snapshot.sequence();
    List<Long> firsts = segments.list();
    if (firsts.isEmpty() && after == 0) {
      return new Result(null, List.of(), 0, segments.create(1, 0), notes);
    }
    firsts = firsts.subList(firstNeeded(firsts, after), firsts.size());
    List<Records.Span> spans = new ArrayList<>();
    for (int i = 0; i + 1 < firsts.size(); i++) {
      checkClosed(firsts.get(i), firsts.get(i + 1));
      spans.add(new Records.Span(firsts.get(i), firsts.get(i + 1) - 1));
    }
    long first = firsts.getLast();
    SegmentReader reader = SegmentReader.open(disk, segments.path(first), first);
    boolean done = false;
    try {
      End end = cut(reader, after);
      spans.add(new Records.Span(first, end.last()));
      OpenSegment segment =
          new OpenSegment(reader.file(), reader.header(), reader.size(), end.offset());
      Records records = new Records(disk, segments, spans, after);
      done = true;
      return new Result(snapshot, records, end.last(), segment, List.copyOf(notes));
    } finally {
      if (!done) {
        reader.close();
      }
    }
  }

  private int firstNeeded(List<Long> firsts, long after) throws JournalRefusedException {
    int needed = -1;
    for (int i = 0; i < firsts.size() && firsts.get(i) <= after + 1; i++) {
      needed = i;
    }
    if (needed < 0) {
      String upTo = firsts.isEmpty() ? "and later ones" : "to " + (firsts.getFirst() - 1);
      throw new JournalRefusedException(
          directory
              + ": records "
              + (after + 1)
              + " "
              + upTo
              + " are missing: no file "
              + Segments.numbered("journal-", after + 1)
              + " or earlier; put the missing file back, or "
              + Remedy.RESTORE);
    }
    return needed;
  }

  /** All records of a segment that has a successor must be there. */
  private void checkClosed(long first, long nextFirst) throws IOException {
    try (SegmentReader reader = SegmentReader.open(disk, segments.path(first), first)) {
      while (reader.expected() < nextFirst) {
        if (reader.next() == null) {
          if (reader.tail().empty()) {
            throw new JournalRefusedException(
                reader.path()
                    + ":"
                    + reader.offset()
                    + ": records "
                    + reader.expected()
                    + " to "
                    + (nextFirst - 1)
                    + " are missing: this file ends before them, the next begins after them; put"
                    + " the missing file back, or "
                    + Remedy.RESTORE);
          }
          throw damaged(reader);
        }
      }
    }
  }

  private static JournalRefusedException damaged(SegmentReader reader) {
    return new JournalRefusedException(
        reader.path()
            + ":"
            + reader.offset()
            + ": record "
            + reader.expected()
            + " is damaged, and later ones show that it was promised; "
            + Remedy.RESTORE);
  }

  /** Where the last complete batch ends, and its last record. */
  private record End(long offset, long last) {}

  private End cut(SegmentReader reader, long after) throws IOException {
    End end = new End(reader.offset(), reader.expected() - 1);
    for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
      if (frame.endsBatch()) {
        end = new End(reader.offset(), frame.sequence());
      }
    }
    SegmentReader.Tail tail = reader.tail();
    if (end.last() < Math.max(after, tail.proven())) {
      throw damaged(reader);
    }
    boolean clean = tail.empty() && reader.offset() == end.offset();
    if (!clean) {
      notes.add(
          reader.path()
              + ":"
              + end.offset()
              + ": cut a torn tail after record "
              + end.last()
              + ": "
              + (reader.expected() - 1 - end.last() + tail.frames())
              + " later records were never promised to anyone");
    }
    harden(reader, end.offset(), clean);
    return end;
  }

  /**
   * Writes what was read once more, in place, and zeros after it. The page cache may show bytes
   * that an earlier process wrote and never could sync; only a sync of our own makes them fit to
   * build on.
   */
  private static void harden(SegmentReader reader, long used, boolean clean) throws IOException {
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
    for (long at = 0; at < used; at += PIECE) {
      piece.clear().limit((int) Math.min(PIECE, used - at));
      reader.file().read(piece, at);
      reader.file().write(piece.flip(), at);
    }
    if (!clean) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE);
      for (long at = used; at < reader.size(); at += PIECE) {
        zeros.clear().limit((int) Math.min(PIECE, reader.size() - at));
        reader.file().write(zeros, at);
      }
    }
    reader.file().sync(true);
  }
}
