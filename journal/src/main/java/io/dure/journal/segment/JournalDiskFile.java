package io.dure.journal.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file. One thread at a time. */
public interface JournalDiskFile extends Closeable {
  /** Length in bytes. */
  long size() throws IOException;

  /** Fills the buffer from that offset as far as the file goes. */
  void read(ByteBuffer into, long offset) throws IOException;

  /** Writes the whole buffer at that offset. */
  void write(ByteBuffer from, long offset) throws IOException;

  /** Makes the content durable, and with {@code metadata} also a changed length. */
  void sync(boolean metadata) throws IOException;
}
