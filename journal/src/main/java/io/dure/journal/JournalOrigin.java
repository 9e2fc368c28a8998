package io.dure.journal;

import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalDiskFile;
import io.dure.journal.segment.SegmentDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the files of a journal are those that it wrote, or a copy that was put in their place and
 * may be older. Each process that takes a journal over leaves a mark: a file that names itself and
 * the segments, each with its {@link JournalDisk#identity}, which no copy has. A directory without
 * a mark, as earlier releases left it, tells nothing. One thread.
 */
public final class JournalOrigin {
  private static final String PREFIX = "origin-";

  /** Ends a mark; one that was not written to its end says nothing. */
  private static final String END = ".";

  private static final String UNKNOWN = "-";
  private static final int MOST_BYTES = 1 << 20;

  private final JournalDisk disk;
  private final Path directory;
  private final SegmentDirectory segments;
  private final List<Long> marks;
  private final List<String> listed = new ArrayList<>();
  private @Nullable String copied;

  private JournalOrigin(JournalDisk disk, Path directory, SegmentDirectory segments)
      throws IOException {
    this.disk = disk;
    this.directory = directory;
    this.segments = segments;
    marks = SegmentDirectory.numbers(disk.list(directory), PREFIX);
  }

  /** Reads the marks of a directory, in which nothing may have been renamed before. */
  static JournalOrigin read(JournalDisk disk, Path directory, SegmentDirectory segments)
      throws IOException {
    JournalOrigin origin = new JournalOrigin(disk, directory, segments);
    for (long mark : origin.marks) {
      origin.compare(origin.path(mark));
    }
    return origin;
  }

  private Path path(long mark) {
    return directory.resolve(SegmentDirectory.numbered(PREFIX, mark));
  }

  private void compare(Path mark) throws IOException {
    List<String> lines = lines(mark);
    if (lines.isEmpty() || !lines.getLast().equals(END)) {
      return;
    }
    for (String line : lines.subList(0, lines.size() - 1)) {
      int space = line.indexOf(' ');
      if (space < 0) {
        continue;
      }
      String name = line.substring(0, space);
      String then = line.substring(space + 1);
      String now = then.equals(UNKNOWN) ? null : disk.identity(directory.resolve(name));
      if (now != null && !same(then, now) && copied == null) {
        copied = directory.resolve(name) + " is not the file that was written here, but a copy";
      }
      if (!name.startsWith(PREFIX)) {
        listed.add(name);
      }
    }
  }

  /** An identity may lack its second part where the file system could not tell it. */
  private static boolean same(String one, String other) {
    return one.equals(other) || one.startsWith(other + "/") || other.startsWith(one + "/");
  }

  private List<String> lines(Path mark) throws IOException {
    try (JournalDiskFile file = disk.open(mark)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), MOST_BYTES));
      file.read(bytes, 0);
      return new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII)
          .lines()
          .toList();
    }
  }

  /** The segments that were here when the journal was opened last; none if no mark tells. */
  List<String> listed() {
    return List.copyOf(listed);
  }

  /** What shows that the files are a copy, null if nothing does. */
  public @Nullable String copied() {
    return copied;
  }

  /** Whether there is a mark from an earlier opening, which holds until the next. */
  public boolean isMarked() {
    return !marks.isEmpty();
  }

  /**
   * Leaves a mark: what is here now is what a later opening should find.
   *
   * @param last the last record; a segment without one may be made anew under its name
   * @throws IOException if the disk refuses; an earlier mark stays then
   */
  public void renew(long last) throws IOException {
    write(path(marks.isEmpty() ? 1 : marks.getLast() + 1), last);
    for (long old : marks) {
      disk.delete(path(old));
    }
  }

  private void write(Path made, long last) throws IOException {
    boolean done = false;
    try (JournalDiskFile file = disk.create(made)) {
      StringBuilder text = new StringBuilder(line(made, true));
      for (long first : segments.list()) {
        text.append(line(segments.path(first), first <= last));
      }
      byte[] bytes = text.append(END).append('\n').toString().getBytes(StandardCharsets.US_ASCII);
      file.write(ByteBuffer.wrap(bytes), 0);
      file.sync(true);
      disk.syncDirectory(directory);
      done = true;
    } finally {
      if (!done) {
        disk.delete(made);
      }
    }
  }

  private String line(Path file, boolean stays) throws IOException {
    String identity = stays ? disk.identity(file) : null;
    return file.getFileName() + " " + (identity == null ? UNKNOWN : identity) + "\n";
  }
}
