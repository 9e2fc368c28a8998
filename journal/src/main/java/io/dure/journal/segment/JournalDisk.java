package io.dure.journal.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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

  /** Makes creations, renames and deletions in the directory durable. */
  void syncDirectory(Path directory) throws IOException;
}
