package io.dure.controller.journal;

import java.nio.file.Path;

/** What to tell an administrator whose journal is refused. */
final class Remedy {
  static final String RESTORE = "restore the whole directory from a backup";

  private Remedy() {}

  /** Refuses what a newer program wrote. */
  static void checkVersion(Path file, int found, int known) throws JournalRefusedException {
    if (found != known) {
      throw new JournalRefusedException(
          file
              + ":8: format version "
              + found
              + " is not known to this program, which reads version "
              + known
              + "; start the newer program that wrote it, or restore the backup from before");
    }
  }
}
