package io.dure.controller.replica;

import io.microraft.impl.log.RaftLog;
import io.microraft.impl.util.ArrayRingbuffer;
import io.microraft.model.log.LogEntry;
import java.lang.reflect.Field;

/**
 * The entries that MicroRaft holds in memory. After a snapshot MicroRaft 0.7 keeps a tenth of an
 * interval before it, and believes so even where it does not have them, because it was started or
 * sent a snapshot since: as leader it then stumbles over the gap for ever. There is no way to that
 * number but by reflection. The log's thread.
 */
final class LogBufferPatch {
  private final ArrayRingbuffer<LogEntry> entries;
  private long first;

  @SuppressWarnings("unchecked")
  LogBufferPatch(RaftLog log) {
    try {
      Field field = RaftLog.class.getDeclaredField("log");
      field.setAccessible(true);
      entries = (ArrayRingbuffer<LogEntry>) field.get(log);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another MicroRaft than 0.7", e);
    }
    first = entries.headSequence();
  }

  /** Puts the beginning right; after each snapshot, before anything is sent. */
  void check() {
    if (entries.headSequence() < first) {
      entries.setHeadSequence(first);
    }
    first = entries.headSequence();
  }
}
