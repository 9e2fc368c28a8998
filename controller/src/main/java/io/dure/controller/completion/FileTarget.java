package io.dure.controller.completion;

import io.dure.surface.completion.CompletedJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A line of a file each. What an attempt that was cut short has left behind the known length of the
 * file is not written again; other programs may write to the file, and it may be another one now.
 */
final class FileTarget implements CompletionTarget {
  private static final FileAttribute<?>[] OF_ALL = {};
  private static final FileAttribute<?>[] OF_OWNER = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  private final Path file;
  private final Function<CompletedJob, String> line;
  private final boolean ownerOnly;

  /** Bytes of the file behind what is recorded for certain. */
  private long length;

  /** Whether there may be lines behind it that are already those to come. */
  private boolean unsure = true;

  /**
   * A file, which is made when there is something to write.
   *
   * @param length bytes of it behind what is recorded
   * @param ownerOnly whether others may not read it where it is made
   */
  FileTarget(Path file, Function<CompletedJob, String> line, long length, boolean ownerOnly) {
    this.file = file;
    this.line = line;
    this.length = length;
    this.ownerOnly = ownerOnly;
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
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            ownerOnly ? OF_OWNER : OF_ALL)) {
      if (unsure && isWritten(channel.size(), bytes, lines)) {
        channel.force(false);
        length += bytes.length;
        return; // the next ones may stand behind them
      }
      unsure = true;
      if (lines.position() == 0) {
        if (isTorn(channel.size())) {
          write(channel, ByteBuffer.wrap(new byte[] {'\n'}));
        }
        length = channel.size(); // an attempt after this one looks for the lines here
      }
      write(channel, lines);
      channel.force(false);
      length = channel.size();
      unsure = false;
    }
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Moves over what an earlier attempt has written of the lines.
   *
   * @return whether that is all of them, and there is more behind it
   */
  private boolean isWritten(long size, byte[] all, ByteBuffer lines) throws IOException {
    byte[] tail = read(length, (int) Math.min(all.length, Math.max(0, size - length)));
    if (!Arrays.equals(tail, 0, tail.length, all, 0, tail.length)) {
      return false;
    }
    lines.position(tail.length);
    return !lines.hasRemaining() && size > length + tail.length;
  }

  /** Whether the file ends within a line, which is none of these. */
  private boolean isTorn(long size) throws IOException {
    return size > 0 && read(size - 1, 1)[0] != '\n';
  }

  private byte[] read(long from, int count) throws IOException {
    byte[] all = new byte[count];
    ByteBuffer bytes = ByteBuffer.wrap(all);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
        // on
      }
    }
    return all;
  }
}
