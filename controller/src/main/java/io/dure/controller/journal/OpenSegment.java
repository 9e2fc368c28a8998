package io.dure.controller.journal;

import io.dure.controller.journal.AppendQueue.Batch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The segment that is being written. The journal's thread only. */
final class OpenSegment implements Closeable {
  private static final int BUFFER = 256 * 1024;

  private final DiskFile file;
  private final SegmentHeader header;
  private final long size;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private long used;

  OpenSegment(DiskFile file, SegmentHeader header, long size, long used) {
    this.file = file;
    this.header = header;
    this.size = size;
    this.used = used;
  }

  /** Whether that many bytes of frames still fit. */
  boolean fits(long bytes) {
    return used + bytes <= size;
  }

  /** Whether less than half of the segment is left. */
  boolean halfFull() {
    return used > size / 2;
  }

  /** Writes a round and makes it durable; after a failure this segment takes no more. */
  void write(List<Batch> round) throws IOException {
    long at = used;
    int place = 0;
    buffer.clear();
    for (Batch batch : round) {
      long sequence = batch.first();
      for (byte[] payload : batch.records()) {
        boolean last = sequence == batch.last();
        at = put(Frame.header(header.salt(), sequence, place, last, payload), at);
        at = put(payload, at);
        place++;
        sequence++;
      }
    }
    at = flush(at);
    file.sync(false);
    used = at;
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
