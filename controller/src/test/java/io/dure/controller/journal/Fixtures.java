package io.dure.controller.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** What the journal's tests share. */
final class Fixtures {
  private Fixtures() {}

  /** Small segments and quick attempts. */
  static JournalSettings settings(int segmentBytes) {
    return new JournalSettings(segmentBytes, 1 << 20, Duration.ofMillis(1));
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
