package io.dure.journal.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the journal needs of a file system; tests and the simulator put one that fails and loses
 * power in place.
 */
public interface JournalDisk {
  /** Creates the directory if it is not there, durably. */
  void createDirectory(Path directory) throws IOException;

  /**
   * Takes the directory for this process alone until the result is closed.
   *
   * @throws JournalRefusedException if another has it
   */
  Closeable lock(Path directory) throws IOException;

  /** Names of the files in the directory, in any order. */
  List<String> list(Path directory) throws IOException;

  /** A new empty file in place of any old one. */
  JournalDiskFile create(Path file) throws IOException;

  /** An existing file. */
  JournalDiskFile open(Path file) throws IOException;

  /** Renames at once and replaces; durable after {@link #syncDirectory}. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes if it is there. */
  void delete(Path file) throws IOException;

  /**
   * Tells a file from every copy of it: equal as long as it is the same file, whatever is written
   * into it and however it is renamed; another one for a file that was copied or restored to its
   * place.
   *
   * @return null if the file is not there, or the file system cannot tell
   */
  @Nullable String identity(Path file) throws IOException;

  /** Makes creations, renames and deletions in the directory durable. */
  void syncDirectory(Path directory) throws IOException;
}
