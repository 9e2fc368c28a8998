package io.dure.journal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** The segments of a directory: their names, their making. Any thread. */
public final class SegmentDirectory {
  public static final String TEMPORARY = ".tmp";
  private static final String PREFIX = "journal-";
  private static final int PIECE = 1024 * 1024;

  private final JournalDisk disk;
  private final Path directory;
  private final long segmentBytes;
  private final LongSupplier salts;

  /**
   * Segments of a directory.
   *
   * @param salts a number for each segment that cannot be foreseen
   */
  public SegmentDirectory(JournalDisk disk, Path directory, long segmentBytes, LongSupplier salts) {
    this.disk = disk;
    this.directory = directory;
    this.segmentBytes = segmentBytes;
    this.salts = salts;
  }

  public JournalDisk disk() {
    return disk;
  }

  /** The file of the segment that begins with that record. */
  public Path path(long firstSequence) {
    return directory.resolve(numbered(PREFIX, firstSequence));
  }

  /** First sequences of all segments, rising. */
  public List<Long> list() throws IOException {
    return numbers(disk.list(directory), PREFIX);
  }

  public static String numbered(String prefix, long number) {
    String digits = Long.toString(number);
    return prefix + "0".repeat(Math.max(0, 19 - digits.length())) + digits;
  }

  /** The numbers in the names that are the prefix and 19 digits, rising. */
  public static List<Long> numbers(List<String> names, String prefix) {
    TreeSet<Long> numbers = new TreeSet<>();
    for (String name : names) {
      // Nineteen digits below 9 followed by 18 more always fit a long.
      if (name.startsWith(prefix) && name.substring(prefix.length()).matches("[0-8][0-9]{18}")) {
        numbers.add(Long.parseLong(name.substring(prefix.length())));
      }
    }
    return List.copyOf(numbers);
  }

  /**
   * Makes a segment with room for at least {@code bytes} of frames, all of it taken from the disk
   * before it gets its name; replaces one of the same name, which by then holds nothing promised.
   */
  public OpenSegment create(long firstSequence, long bytes) throws IOException {
    Path target = path(firstSequence);
    Path temporary = target.resolveSibling(target.getFileName() + TEMPORARY);
    return finish(temporary, fill(temporary, sizeFor(bytes)), firstSequence);
  }

  /** Turns a filled temporary file into the segment; on failure nothing of it remains. */
  public OpenSegment finish(Path temporary, JournalDiskFile file, long firstSequence)
      throws IOException {
    boolean done = false;
    try {
      SegmentHeader header = new SegmentHeader(salts.getAsLong(), firstSequence, file.size());
      byte[] mark = JournalFrame.mark(header.salt(), firstSequence, JournalFrame.END);
      ByteBuffer begin = ByteBuffer.allocate(SegmentHeader.BYTES + mark.length);
      file.write(begin.put(header.bytes()).put(mark).flip(), 0);
      file.sync(true);
      disk.rename(temporary, path(firstSequence));
      disk.syncDirectory(directory);
      OpenSegment segment =
          new OpenSegment(file, header, header.size(), SegmentHeader.BYTES, firstSequence);
      done = true;
      return segment;
    } finally {
      if (!done) {
        file.close();
        disk.delete(temporary);
      }
    }
  }

  /** A new file of that many zeros, durable; on failure it is deleted. */
  public JournalDiskFile fill(Path file, long bytes) throws IOException {
    JournalDiskFile made = disk.create(file);
    boolean done = false;
    try {
      ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(PIECE, bytes));
      for (long at = 0; at < bytes; at += zeros.capacity()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
        made.write(zeros, at);
      }
      made.sync(true);
      done = true;
      return made;
    } finally {
      if (!done) {
        made.close();
        disk.delete(file);
      }
    }
  }

  /** File size for a segment with that many bytes of frames. */
  public long sizeFor(long bytes) {
    return Math.max(segmentBytes, bytes + SegmentHeader.BYTES + JournalFrame.HEADER);
  }
}
