package io.dure.host.storage;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Space of a file system, as {@code df} shows it.
 *
 * @param totalMib size in MiB, 0 or more
 * @param usableMib what an ordinary user may still write, in MiB, 0 or more
 */
public record FreeSpace(long totalMib, long usableMib) {
  private static final long MIB = 1024 * 1024;

  /**
   * Measures the file system that holds {@code path}, or would hold it: for a path that does not
   * exist the nearest parent that does. Any thread may call.
   *
   * @throws IOException if the file system cannot be asked
   */
  public static FreeSpace of(Path path) throws IOException {
    Path existing = path.toAbsolutePath();
    while (!Files.exists(existing)) {
      Path parent = existing.getParent();
      if (parent == null) {
        break;
      }
      existing = parent;
    }
    FileStore store = Files.getFileStore(existing);
    return new FreeSpace(store.getTotalSpace() / MIB, store.getUsableSpace() / MIB);
  }
}
