package io.dure.journal.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The segment that is being written. The journal's thread only. */
public final class OpenSegment implements Closeable {
  private static final int BUFFER = 256 * 1024;

  private final JournalDiskFile file;
  private final SegmentHeader header;
  private final long size;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private long used;
  private long next;
  private boolean marked = true;
  private boolean broken;
  private boolean torn;

  /**
   * One that was just made or recovered, with its mark.
   *
   * @param used where the next frame goes
   * @param next number of the next record
   */
  public OpenSegment(JournalDiskFile file, SegmentHeader header, long size, long used, long next) {
    this.file = file;
    this.header = header;
    this.size = size;
    this.used = used;
    this.next = next;
  }

  /** Whether that many bytes of frames still fit, with a mark behind them. */
  public boolean fits(long bytes) {
    return !broken && used + bytes + JournalFrame.HEADER <= size;
  }

  /** Whether less than half of the segment is left. */
  public boolean halfFull() {
    return used > size / 2;
  }

  /** Writes a round and makes it durable; after a failure this segment takes no more. */
  public void write(List<AppendBatch> round) throws IOException {
    marked = false;
    torn = true;
    long at = used;
    int place = 0;
    buffer.clear();
    for (AppendBatch batch : round) {
      long sequence = batch.first();
      for (byte[] payload : batch.records()) {
        boolean last = sequence == batch.last();
        at = put(JournalFrame.header(header.salt(), sequence, place, last, payload), at);
        at = put(payload, at);
        place++;
        sequence++;
      }
    }
    at = flush(at);
    file.sync(false);
    torn = false;
    used = at;
    next = round.getLast().last() + 1;
  }

  /**
   * Marks that all which was written is durable, if it is not marked yet. Not synced, so that no
   * thread waits for it: it survives the end of the process, and after some seconds a loss of
   * power. The next round takes its place.
   */
  public void mark() {
    if (!marked && !broken) {
      mark(JournalFrame.END);
    }
  }

  /**
   * Marks that the next record begins another segment, which was made. Tried even where a mark
   * failed before; not where a round failed, which may stand there in parts.
   */
  public void goesOn() {
    if (!torn) {
      mark(JournalFrame.GOES_ON);
      syncMark();
    }
  }

  /** Makes the mark durable as well as it can; a mark less costs no record. */
  public void syncMark() {
    try {
      file.sync(false);
    } catch (IOException e) {
      broken = true;
    }
  }

  private void mark(byte kind) {
    if (used + JournalFrame.HEADER > size) {
      return;
    }
    try {
      file.write(ByteBuffer.wrap(JournalFrame.mark(header.salt(), next, kind)), used);
      marked = true;
    } catch (IOException e) {
      broken = true; // the next round needs another segment, and meets the trouble if it stays
    }
  }

  private long put(byte[] bytes, long at) throws IOException {
    int done = 0;
    long to = at;
    while (done < bytes.length) {
      if (!buffer.hasRemaining()) {
        to = flush(to);
      }
      int count = Math.min(buffer.remaining(), bytes.length - done);
      buffer.put(bytes, done, count);
      done += count;
    }
    return to;
  }

  private long flush(long at) throws IOException {
    int count = buffer.flip().remaining();
    file.write(buffer, at);
    buffer.clear();
    return at + count;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
