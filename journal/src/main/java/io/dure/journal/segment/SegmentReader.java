package io.dure.journal.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads a segment from its begin, frame by frame, and looks at what follows. One thread. */
public final class SegmentReader implements Closeable {
  private static final int WINDOW = 256 * 1024;

  /** Bytes that are read first, since a reader of the end of a segment finds a frame or two. */
  private static final int FIRST = 8 * 1024;

  private static final byte[] ZEROS = new byte[WINDOW];

  private final Path path;
  private final JournalDiskFile file;
  private final SegmentHeader header;
  private final long size;
  private byte[] window = new byte[0];
  private int filled;
  private int ahead = FIRST;
  private long windowAt;
  private long offset = SegmentHeader.BYTES;
  private long expected;

  private SegmentReader(Path path, JournalDiskFile file, SegmentHeader header, long size) {
    this.path = path;
    this.file = file;
    this.header = header;
    this.size = size;
    expected = header.firstSequence();
  }

  /** Opens the segment that by its name begins with that record. */
  public static SegmentReader open(JournalDisk disk, Path path, long firstSequence)
      throws IOException {
    JournalDiskFile file = disk.open(path);
    boolean done = false;
    try {
      ByteBuffer head = ByteBuffer.allocate(SegmentHeader.BYTES);
      file.read(head, 0);
      SegmentHeader header = SegmentHeader.parse(path, head.flip());
      if (header.firstSequence() != firstSequence) {
        throw new JournalRefusedException(
            path
                + ":24: begins with record "
                + header.firstSequence()
                + ", which contradicts its name; restore its name, or "
                + JournalRefusedException.RESTORE,
            true);
      }
      SegmentReader reader = new SegmentReader(path, file, header, file.size());
      done = true;
      return reader;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  public Path path() {
    return path;
  }

  public JournalDiskFile file() {
    return file;
  }

  public SegmentHeader header() {
    return header;
  }

  public long size() {
    return size;
  }

  /** Where the next frame begins, or where reading stopped. */
  public long offset() {
    return offset;
  }

  /** Sequence of the next frame. */
  public long expected() {
    return expected;
  }

  /** The next frame, null if none that is valid and next in number begins here. */
  public @Nullable JournalFrame next() throws IOException {
    if (!load(JournalFrame.HEADER)) {
      return null;
    }
    int at = (int) (offset - windowAt);
    if (!JournalFrame.plausible(window, at, size - offset)) {
      return null;
    }
    JournalFrame frame = JournalFrame.of(window, at, offset);
    if (frame.sequence() != expected || frame.place() < 0 || !load(frame.length())) {
      return null;
    }
    if (!JournalFrame.intact(header.salt(), window, (int) (offset - windowAt))) {
      return null;
    }
    offset += frame.length();
    expected++;
    return frame;
  }

  /** The payload of the frame that {@link #next} returned last. */
  public byte[] payload(JournalFrame frame) {
    int at = (int) (frame.offset() - windowAt);
    return Arrays.copyOfRange(window, at + JournalFrame.HEADER, at + frame.length());
  }

  /** Forgets what was read ahead: the file has grown since. */
  public void forgetWindow() {
    filled = 0;
    ahead = FIRST;
  }

  /** Has {@code count} bytes from the offset in the window; false if the file is shorter. */
  private boolean load(int count) throws IOException {
    if (offset + count > size) {
      return false;
    }
    if (offset + count > windowAt + filled) {
      int length = (int) Math.min(Math.max(ahead, count), size - offset);
      if (window.length < length) {
        window = new byte[length];
      }
      filled = 0;
      windowAt = offset;
      file.read(ByteBuffer.wrap(window, 0, length), windowAt);
      filled = length;
      ahead = Math.min(4 * ahead, WINDOW);
    }
    return true;
  }

  /**
   * What lies from the offset on, where no valid frame begins.
   *
   * @param mark kind of the mark that stands there, 0 for none
   * @param empty nothing but zeros, behind the mark where there is one
   * @param proven last record known to have been durable by a frame or mark found there, 0 by none
   * @param frames how many intact frames are there
   */
  public record SegmentTail(byte mark, boolean empty, long proven, int frames) {}

  /** Whether the file has lost its end. */
  public boolean isShortened() {
    return size < header.size();
  }

  /** Looks through all that follows the offset. */
  public SegmentTail rest() throws IOException {
    byte mark = mark();
    if (zeroToEnd(mark == 0 ? offset : offset + JournalFrame.HEADER)) {
      return new SegmentTail(mark, true, 0, 0);
    }
    byte[] bytes = new byte[(int) (size - offset)];
    file.read(ByteBuffer.wrap(bytes), offset);
    long most = expected + bytes.length / JournalFrame.HEADER;
    long proven = 0;
    int frames = 0;
    for (int at = 1; at + JournalFrame.HEADER <= bytes.length; at++) {
      if (JournalFrame.markAt(header.salt(), bytes, at) != 0) {
        long sequence = JournalFrame.of(bytes, at, offset + at).sequence();
        proven = sequence <= most ? Math.max(proven, sequence - 1) : proven;
      } else if (JournalFrame.plausible(bytes, at, bytes.length - at)) {
        JournalFrame frame = JournalFrame.of(bytes, at, offset + at);
        if (frame.sequence() > expected
            && frame.sequence() <= most
            && frame.place() >= 0
            && JournalFrame.intact(header.salt(), bytes, at)) {
          proven = Math.max(proven, frame.proven());
          frames++;
          at += frame.length() - 1;
        }
      }
    }
    return new SegmentTail(mark, false, proven, frames);
  }

  private byte mark() throws IOException {
    if (!load(JournalFrame.HEADER)) {
      return 0;
    }
    int at = (int) (offset - windowAt);
    return JournalFrame.of(window, at, offset).sequence() == expected
        ? JournalFrame.markAt(header.salt(), window, at)
        : 0;
  }

  private boolean zeroToEnd(long from) throws IOException {
    byte[] piece = new byte[WINDOW];
    for (long at = from; at < size; at += WINDOW) {
      int count = (int) Math.min(WINDOW, size - at);
      file.read(ByteBuffer.wrap(piece, 0, count), at);
      if (!Arrays.equals(piece, 0, count, ZEROS, 0, count)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
