package io.dure.journal;

import io.dure.journal.segment.JournalFrame;
import io.dure.journal.segment.LocalJournalDisk;
import io.dure.journal.segment.SegmentReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/** What the journal's tests share. */
final class Fixtures {
  static final Charset UTF_8 = StandardCharsets.UTF_8;

  private Fixtures() {}

  /** Small segments and quick attempts. */
  static JournalSettings settings(int segmentBytes) {
    return new JournalSettings(segmentBytes, 1 << 20, Duration.ofMillis(1));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The records as sequence and text. */
  static List<String> texts(RecoveredJournal recovered) {
    List<String> texts = new ArrayList<>();
    for (JournalRecord record : recovered.records()) {
      texts.add(record.sequence() + " " + new String(record.payload(), StandardCharsets.UTF_8));
    }
    return texts;
  }

  /** The items of the snapshot that was found, one behind the other. */
  static byte[] state(RecoveredJournal recovered) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    recovered.snapshot().into(all::writeBytes);
    return all.toByteArray();
  }

  /** Paths of the segments in the directory, rising. */
  static List<Path> segments(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(f -> f.getFileName().toString().matches("journal-[0-9]{19}"))
          .sorted()
          .toList();
    }
  }

  /** The valid frames of a segment. */
  static List<JournalFrame> frames(Path segment) throws IOException {
    long first = Long.parseLong(segment.getFileName().toString().substring("journal-".length()));
    List<JournalFrame> frames = new ArrayList<>();
    try (SegmentReader reader = SegmentReader.open(new LocalJournalDisk(), segment, first)) {
      for (JournalFrame frame = reader.next(); frame != null; frame = reader.next()) {
        frames.add(frame);
      }
    }
    return frames;
  }

  /** A copy of the files of a directory, made in a new one. */
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  /** As a loss of power may leave it: without the mark behind the last record. */
  static void forgetMark(Path segment) throws IOException {
    JournalFrame last = frames(segment).getLast();
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(JournalFrame.HEADER), last.offset() + last.length());
    }
  }

  /** Turns one bit of a file over. */
  static void flipBit(Path file, long offset) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, offset);
      one.put(0, (byte) (one.get(0) ^ 0x10));
      channel.write(one.flip(), offset);
    }
  }

  /** A listener that keeps what it heard, in order. */
  static final class Heard implements JournalListener {
    private final BlockingQueue<String> words = new LinkedBlockingQueue<>();

    @Override
    public void failed(IOException cause) {
      words.add("failed: " + cause.getMessage());
    }

    @Override
    public void healed() {
      words.add("healed");
    }

    @Override
    public void stopped(Throwable cause) {
      words.add("stopped: " + cause);
    }

    /** The next word; waits for it. */
    String next() throws InterruptedException {
      return words.take();
    }

    /** All not yet taken. */
    List<String> rest() {
      return List.copyOf(words);
    }
  }
}
