package io.dure.controller.completion;

import io.dure.surface.completion.CompletedJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A line of a file each. What an attempt that was cut short has left behind the known length of the
 * file is not written again.
 */
final class FileTarget implements CompletionTarget {
  private final Path file;
  private final Function<CompletedJob, String> line;

  /** Bytes of the file behind what is recorded for certain. */
  private long length;

  /** Whether there may be lines behind it that are already those to come. */
  private boolean unsure = true;

  FileTarget(Path file, Function<CompletedJob, String> line, long length) {
    this.file = file;
    this.line = line;
    this.length = length;
  }

  @Override
  public int most() {
    return Integer.MAX_VALUE;
  }

  @Override
  public long fileLength() {
    return length;
  }

  @Override
  public void record(List<CompletedJob> ended) throws IOException {
    StringBuilder text = new StringBuilder();
    ended.forEach(one -> text.append(line.apply(one)).append('\n'));
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuffer lines = ByteBuffer.wrap(bytes);
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (unsure) {
        lines.position(known(channel, bytes));
      } else {
        length = channel.size();
      }
      unsure = true;
      long at = channel.size();
      while (lines.hasRemaining()) {
        at += channel.write(lines, at);
      }
      channel.force(false);
      length = channel.size();
      unsure = false;
    }
  }

  /** How many of the bytes an earlier attempt has written. */
  private int known(FileChannel channel, byte[] lines) throws IOException {
    int size = (int) Math.min(lines.length, Math.max(0, channel.size() - length));
    byte[] tail = new byte[size];
    ByteBuffer left = ByteBuffer.wrap(tail);
    while (left.hasRemaining() && channel.read(left, length + left.position()) >= 0) {
      // on
    }
    return Arrays.equals(tail, 0, size, lines, 0, size) ? size : 0;
  }
}
