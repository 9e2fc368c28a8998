package io.dure.host.script;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Where a program writes: a file that loses its name once the program has it, so that it is gone
 * with the last process that holds it. A pipe would need a reader until the last child has closed
 * it, which may be never. One thread uses it.
 */
final class ScriptOutput implements Closeable {
  private static final int LONGEST = 400;

  private final @Nullable Path file;
  private final @Nullable FileChannel channel;

  private ScriptOutput(@Nullable Path file, @Nullable FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** An empty one; where no file can be made, it takes what is written and keeps nothing. */
  static ScriptOutput open() {
    Path made = null;
    try {
      made = Files.createTempFile("dure-script", null);
      return new ScriptOutput(made, FileChannel.open(made, StandardOpenOption.READ));
    } catch (IOException e) {
      // Many a full disk is mended by a prolog: it runs all the same.
      delete(made);
      return new ScriptOutput(null, null);
    }
  }

  /** What a program is started with. */
  Redirect target() {
    File target = file == null ? null : file.toFile();
    return target == null ? Redirect.DISCARD : Redirect.to(target);
  }

  /** Takes the name away: the program has been started, or will not be. */
  void unlink() {
    delete(file);
  }

  private static void delete(@Nullable Path path) {
    try {
      if (path != null) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      // A small file more in the directory for temporary files.
      return;
    }
  }

  /** {@code ": "} and the first of what was written, without blanks around; empty if nothing. */
  String complaint() {
    ByteBuffer begin = ByteBuffer.allocate(LONGEST);
    try {
      FileChannel open = channel;
      while (open != null && begin.hasRemaining() && open.read(begin, begin.position()) > 0) {}
    } catch (IOException e) {
      // The exit status tells of the failure all the same.
      return "";
    }
    String text = new String(begin.array(), 0, begin.position(), StandardCharsets.UTF_8).strip();
    return text.isEmpty() ? "" : ": " + text;
  }

  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // It was read only: nothing can be lost.
      return;
    }
  }
}
