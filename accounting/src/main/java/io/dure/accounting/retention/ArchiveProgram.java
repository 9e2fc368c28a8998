package io.dure.accounting.retention;

import java.io.IOException;
import java.util.Map;

/** The program of ArchiveScript, which takes old records out of the database by itself. */
public interface ArchiveProgram {
  /**
   * Runs it to its end.
   *
   * @param variables what it is told
   * @throws IOException if it cannot be run or fails; nothing is purged then
   */
  void run(Map<String, String> variables) throws IOException, InterruptedException;
}
