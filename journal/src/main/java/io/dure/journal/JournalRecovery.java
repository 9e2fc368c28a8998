package io.dure.journal;

import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalFrame;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.OpenSegment;
import io.dure.journal.segment.SegmentDirectory;
import io.dure.journal.segment.SegmentReader;
import io.dure.journal.segment.SnapshotDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a directory holds: the newest whole snapshot and every record after it. A torn tail is
 * cut; anything that shows the loss of a record that was once durable is refused. One thread.
 */
final class JournalRecovery {
  private static final int PIECE = 1024 * 1024;

  private final JournalDisk disk;
  private final Path directory;
  private final SegmentDirectory segments;
  private final List<String> notes = new ArrayList<>();
  private final RecoveryConsent remedy;
  private final JournalOrigin origin;

  JournalRecovery(
      JournalDisk disk, Path directory, SegmentDirectory segments, JournalOrigin origin) {
    this.origin = origin;
    this.disk = disk;
    this.directory = directory;
    this.segments = segments;
    remedy = new RecoveryConsent(disk, directory, segments, notes);
  }

  /**
   * The outcome.
   *
   * @param snapshot newest whole one, null if there is none
   * @param records those after it
   * @param last sequence of the last record, 0 if there never was one
   * @param segment where the next record goes
   * @param notes for the log
   * @param damagedSnapshots sequences of those that were set aside, now or earlier
   */
  record Result(
      SnapshotDirectory.@Nullable Snapshot snapshot,
      Iterable<JournalRecord> records,
      long last,
      OpenSegment segment,
      List<String> notes,
      Set<Long> damagedSnapshots) {}

  Result recover(SnapshotDirectory snapshots) throws IOException {
    // A process that was killed may have left names that no power loss survives yet.
    disk.syncDirectory(directory);
    List<Path> damaged = new ArrayList<>();
    SnapshotDirectory.Snapshot snapshot = snapshots.newest(damaged);
    long after = snapshot == null ? 0 : snapshot.sequence();
    List<Long> firsts = needed(segments.list(), after, !damaged.isEmpty());
    List<JournalRecords.Span> spans = new ArrayList<>();
    for (int i = 0; i + 1 < firsts.size(); i++) {
      if (closedSegmentIsWhole(firsts.get(i), firsts.get(i + 1))) {
        spans.add(new JournalRecords.Span(firsts.get(i), firsts.get(i + 1) - 1));
      } else {
        remedy.setAside(firsts.subList(i + 1, firsts.size()));
        firsts = firsts.subList(0, i + 1);
      }
    }
    Tail tail = firsts.isEmpty() ? fresh(after) : lastSegment(firsts.getLast(), after, spans);
    snapshots.setAside(damaged, notes);
    remedy.forgetConsents();
    deleteTemporaries();
    JournalRecords records = new JournalRecords(disk, segments, List.copyOf(spans), after);
    return new Result(
        snapshot, records, tail.last(), tail.segment(), List.copyOf(notes), snapshots.damaged());
  }

  /** Where the journal goes on. */
  private record Tail(OpenSegment segment, long last) {}

  /** What never got its name; not before it is sure that nothing is refused. */
  private void deleteTemporaries() throws IOException {
    for (String name : disk.list(directory)) {
      if (name.endsWith(SegmentDirectory.TEMPORARY)) {
        disk.delete(directory.resolve(name));
      }
    }
  }

  private Tail fresh(long after) throws IOException {
    deleteTemporaries(); // their space may be needed
    return new Tail(segments.create(after + 1, 0), after);
  }

  private Tail lastSegment(long first, long after, List<JournalRecords.Span> spans)
      throws IOException {
    SegmentReader reader = SegmentReader.open(disk, segments.path(first), first);
    boolean keep = false;
    try {
      End end = end(reader);
      String loss = end.last() < Math.max(after, end.proven()) ? damage(reader) : end.loss();
      if (loss != null) {
        remedy.requireConsent(reader.expected(), at(reader) + loss);
        if (end.last() < after) {
          remedy.setAside(List.of(first)); // the snapshot knows more than is left here
          return fresh(after);
        }
        remedy.keepCopy(reader);
      }
      harden(reader, end);
      spans.add(new JournalRecords.Span(first, end.last()));
      keep = true;
      long size = reader.file().size();
      return new Tail(
          new OpenSegment(reader.file(), reader.header(), size, end.offset(), end.last() + 1),
          end.last());
    } finally {
      if (!keep) {
        reader.close();
      }
    }
  }

  /**
   * The segments from the one that holds the record after the snapshot; none to begin afresh.
   *
   * @param damaged whether a snapshot is there that cannot be read: then there was a journal
   */
  private List<Long> needed(List<Long> firsts, long after, boolean damaged) throws IOException {
    int from = -1;
    for (int i = 0; i < firsts.size() && firsts.get(i) <= after + 1; i++) {
      from = i;
    }
    if (from >= 0) {
      return firsts.subList(from, firsts.size());
    }
    if (!firsts.isEmpty() || after > 0 || damaged) {
      String upTo = firsts.isEmpty() ? "and all later ones" : "to " + (firsts.getFirst() - 1);
      remedy.requireConsent(
          after + 1,
          directory + ": the files with records " + (after + 1) + " " + upTo + " are missing");
      remedy.setAside(firsts);
    } else if (!origin.listed().isEmpty()) {
      remedy.requireConsent(
          1,
          directory.resolve(origin.listed().getLast())
              + " is missing, and no other file of the journal is here: "
              + directory
              + " is not that of a new controller");
    }
    return List.of();
  }

  /**
   * Whether all records of a segment that has a successor are there.
   *
   * @return false if not and the administrator gave up the rest
   */
  private boolean closedSegmentIsWhole(long first, long nextFirst) throws IOException {
    try (SegmentReader reader = SegmentReader.open(disk, segments.path(first), first)) {
      while (reader.expected() < nextFirst) {
        if (reader.next() == null) {
          String what =
              reader.rest().empty()
                  ? "records "
                      + reader.expected()
                      + " to "
                      + (nextFirst - 1)
                      + " are missing: this file ends before them and the next begins after them"
                  : damage(reader);
          remedy.requireConsent(reader.expected(), at(reader) + what);
          return false;
        }
      }
      lookBehind(reader);
      return true;
    }
  }

  /** What follows the last record of a segment with a successor means nothing, but is told. */
  private void lookBehind(SegmentReader reader) throws IOException {
    long end = reader.offset();
    SegmentReader.SegmentTail rest = reader.rest();
    if (!rest.empty() || reader.isShortened()) {
      notes.add(
          reader.path()
              + ":"
              + end
              + ": behind its last record this file is not as it was made; nothing is lost");
    }
  }

  private static String at(SegmentReader reader) {
    return reader.path() + ":" + reader.offset() + ": ";
  }

  private static String damage(SegmentReader reader) {
    return "record " + reader.expected() + " is damaged though it was stored safely once";
  }

  /**
   * Where a segment ends.
   *
   * @param offset end of the last complete batch
   * @param last its last record
   * @param proven last record that what follows shows to have been durable
   * @param loss what shows that records behind the last one are lost, null if nothing does
   * @param mark kind of the mark that follows, 0 for none
   * @param clean nothing but a mark and zeros follows
   */
  private record End(
      long offset, long last, long proven, @Nullable String loss, byte mark, boolean clean) {}

  private End end(SegmentReader reader) throws IOException {
    long offset = reader.offset();
    long last = reader.expected() - 1;
    for (JournalFrame frame = reader.next(); frame != null; frame = reader.next()) {
      if (frame.endsBatch()) {
        offset = reader.offset();
        last = frame.sequence();
      }
    }
    SegmentReader.SegmentTail rest = reader.rest();
    boolean whole = reader.offset() == offset;
    boolean clean = rest.empty() && whole && !reader.isShortened();
    String loss = loss(reader, rest);
    if (!clean && loss == null) {
      long later = reader.expected() - 1 - last + rest.frames();
      notes.add(
          reader.path()
              + ":"
              + offset
              + ": cut the tail after record "
              + last
              + (later == 0 ? "" : ", with " + later + " later records that are whole"));
    }
    return new End(offset, last, rest.proven(), loss, whole ? rest.mark() : 0, clean);
  }

  /** Whether a segment without a successor shows that there was more. */
  private static @Nullable String loss(SegmentReader reader, SegmentReader.SegmentTail rest) {
    if (rest.mark() == JournalFrame.GOES_ON) {
      return "record "
          + reader.expected()
          + " and all later ones are missing: they began another file";
    }
    if (reader.isShortened() && rest.mark() == 0) {
      return "record "
          + reader.expected()
          + " may be lost: this file has "
          + reader.size()
          + " bytes and was made with "
          + reader.header().size();
    }
    return null;
  }

  /**
   * Writes what was read once more, in place, zeros after it, and then a mark between. The page
   * cache may show bytes that an earlier process wrote and never could sync; only a sync of our own
   * makes them fit to build on, and only after it may the mark say that they are durable.
   */
  private static void harden(SegmentReader reader, End end) throws IOException {
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
    for (long at = 0; at < end.offset(); at += PIECE) {
      piece.clear().limit((int) Math.min(PIECE, end.offset() - at));
      reader.file().read(piece, at);
      reader.file().write(piece.flip(), at);
    }
    if (!end.clean()) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE);
      long size = Math.max(reader.size(), reader.header().size());
      for (long at = end.offset(); at < size; at += PIECE) {
        zeros.clear().limit((int) Math.min(PIECE, size - at));
        reader.file().write(zeros, at);
      }
    }
    reader.file().sync(true);
    if (end.offset() + JournalFrame.HEADER <= reader.file().size()) {
      byte[] mark = JournalFrame.mark(reader.header().salt(), end.last() + 1, JournalFrame.END);
      reader.file().write(ByteBuffer.wrap(mark), end.offset());
      reader.file().sync(false);
    }
  }

  /**
   * Looks at what an opening has no need of: the older snapshot and the records up to the newest
   * one. They are there for the day on which the newest is damaged, so damage to them should not
   * wait unseen for that day. Reads only; while a snapshot is written it must not run.
   *
   * @param newest sequence of the snapshot that was opened, 0 for none
   */
  record Inspection(
      JournalDisk disk, SegmentDirectory segments, SnapshotDirectory snapshots, long newest) {

    /**
     * What is damaged or missing, one line each.
     *
     * @throws IOException if the disk refuses
     */
    List<String> lines() throws IOException {
      if (newest == 0) {
        return List.of();
      }
      List<String> lines = new ArrayList<>(snapshots.decayed(newest));
      long from = snapshots.oldest();
      List<Long> firsts = segments.list();
      if (firsts.isEmpty() || firsts.getFirst() > from + 1) {
        lines.add(
            "the records from " + (from + 1) + " on, before the newest snapshot, are missing");
      }
      for (int i = 0; i + 1 < firsts.size() && firsts.get(i + 1) <= newest + 1; i++) {
        String damage = damage(firsts.get(i), firsts.get(i + 1));
        if (damage != null) {
          lines.add(damage);
        }
      }
      return lines;
    }

    private @Nullable String damage(long first, long nextFirst) throws IOException {
      try (SegmentReader reader = SegmentReader.open(disk, segments.path(first), first)) {
        while (reader.expected() < nextFirst) {
          if (reader.next() == null) {
            return reader.path()
                + ":"
                + reader.offset()
                + ": record "
                + reader.expected()
                + " is damaged; the snapshot after it is whole";
          }
        }
        boolean asMade = reader.rest().empty() && !reader.isShortened();
        return asMade ? null : reader.path() + ":" + reader.offset() + ": not as it was made";
      } catch (JournalRefusedException e) {
        return e.getMessage();
      }
    }
  }
}
