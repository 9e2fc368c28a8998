package io.dure.journal;

import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalDiskFile;
import io.dure.journal.segment.OpenSegment;
import io.dure.journal.segment.SegmentDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The next segment, filled in the background while the present one is still in use, so that no
 * round waits for it. Without one in time, the round makes its own.
 */
final class SpareSegment implements Closeable {
  private final JournalDisk disk;
  private final SegmentDirectory segments;
  private final Path file;
  private final JournalWorkers workers;
  private boolean tried;
  private @Nullable Thread thread;
  private volatile @Nullable JournalDiskFile ready;

  SpareSegment(
      JournalDisk disk, SegmentDirectory segments, Path directory, JournalWorkers workers) {
    this.disk = disk;
    this.segments = segments;
    this.workers = workers;
    file = directory.resolve("spare" + SegmentDirectory.TEMPORARY);
  }

  /** Begins to make one, once for each segment. Journal's thread. */
  void prepare() {
    if (ready == null && !tried && (thread == null || !thread.isAlive())) {
      tried = true;
      thread = workers.start("journal-spare", this::make);
    }
  }

  private void make() {
    try {
      ready = segments.fill(file, segments.sizeFor(0));
    } catch (IOException e) {
      // A full disk shows again, and is told, when the segment is really needed.
    }
  }

  /** The segment that begins with that record, with room for the bytes. Journal's thread. */
  OpenSegment next(long firstSequence, long bytes) throws IOException {
    tried = false;
    JournalDiskFile filled = ready;
    if (filled == null || segments.sizeFor(bytes) > segments.sizeFor(0)) {
      return segments.create(firstSequence, bytes);
    }
    ready = null;
    return segments.finish(file, filled, firstSequence);
  }

  /** Waits for one in the making and deletes it. */
  @Override
  public void close() throws IOException {
    Thread making = thread;
    if (making != null) {
      boolean interrupted = false;
      while (making.isAlive()) {
        try {
          making.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    JournalDiskFile filled = ready;
    if (filled != null) {
      filled.close();
      disk.delete(file);
    }
  }
}
