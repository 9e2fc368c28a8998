package io.dure.journal;

import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalDiskFile;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.journal.segment.SegmentDirectory;
import io.dure.journal.segment.SegmentReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * What an administrator whose journal is refused can do: restore it, or give up what follows the
 * damage by putting a file named after the first lost record beside it. Nothing is thrown away
 * then: what is given up stays under other names.
 */
final class RecoveryConsent {
  private static final String CONSENT = "give-up-from-";
  private static final String ASIDE = "given-up-";
  private static final int PIECE = 1024 * 1024;

  private final JournalDisk disk;
  private final Path directory;
  private final SegmentDirectory segments;
  private final List<String> notes;

  RecoveryConsent(JournalDisk disk, Path directory, SegmentDirectory segments, List<String> notes) {
    this.disk = disk;
    this.directory = directory;
    this.segments = segments;
    this.notes = notes;
  }

  /**
   * Goes on only if the administrator gave up that record and all after it.
   *
   * @throws JournalRefusedException otherwise, with what is wrong and the ways out
   */
  void requireConsent(long record, String what) throws IOException {
    String consent = CONSENT + record;
    if (!disk.list(directory).contains(consent)) {
      throw new JournalRefusedException(
          what
              + "; "
              + JournalRefusedException.RESTORE
              + ", or, to give up record "
              + record
              + " and all after it, create the empty file "
              + directory.resolve(consent)
              + " and start again",
          true);
    }
    notes.add(what + "; given up from record " + record + " on, as " + consent + " demands");
  }

  /** Gives segments other names, the last one first, so that an interruption leaves no hole. */
  void setAside(List<Long> firsts) throws IOException {
    for (long first : firsts.reversed()) {
      disk.rename(segments.path(first), aside(first));
    }
    disk.syncDirectory(directory);
  }

  /** Keeps a copy of a segment that is about to be cut. */
  void keepCopy(SegmentReader reader) throws IOException {
    Path copy = aside(reader.header().firstSequence());
    try (JournalDiskFile out = segments.fill(copy, reader.size())) {
      ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
      for (long at = 0; at < reader.size(); at += PIECE) {
        piece.clear().limit((int) Math.min(PIECE, reader.size() - at));
        reader.file().read(piece, at);
        out.write(piece.flip(), at);
      }
      out.sync(true);
    }
    disk.syncDirectory(directory);
  }

  /** Consents are for one start. */
  void forgetConsents() throws IOException {
    for (String name : disk.list(directory)) {
      if (name.startsWith(CONSENT)) {
        disk.delete(directory.resolve(name));
      }
    }
  }

  private Path aside(long first) {
    Path path = segments.path(first);
    return path.resolveSibling(ASIDE + path.getFileName());
  }
}
