package io.dure.controller.replica;

import java.io.IOException;
import java.util.List;

/** The journal as a member's store sees it; tests put one in place that loses power. */
interface LogFile {
  /** Writes behind what is there; durable after {@link #sync}. The log's thread. */
  void append(List<byte[]> records) throws IOException;

  /** Waits until all that was appended is durable; as long as the disk refuses. */
  void sync() throws IOException;

  /** Number of the last record appended. */
  long last();

  /** Stores a state in place of the records up to that number. Any thread; waits. */
  void snapshot(long number, byte[] state) throws IOException, InterruptedException;

  /**
   * The same with a state that the group sent: waits as long as the disk refuses, since MicroRaft
   * would go on after a failure as if it were kept.
   */
  void install(long number, byte[] state) throws IOException;

  /** Ends. */
  void close() throws IOException;
}
