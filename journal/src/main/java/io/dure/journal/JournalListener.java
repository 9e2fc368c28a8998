package io.dure.journal;

import java.io.IOException;

/**
 * Hears how the journal fares. Called on the journal's own threads: answer quickly, never call the
 * journal back.
 */
public interface JournalListener {
  /**
   * The disk refused a write or a sync. Nothing is acknowledged until {@link #healed}; the journal
   * keeps what was appended and tries again. Told once for each spell, not for each attempt.
   */
  void failed(IOException cause);

  /** The disk takes writes again and everything kept is durable. */
  void healed();

  /**
   * Something that lies there in case the newest state is damaged is damaged itself. Nothing is
   * lost; the line names the file.
   */
  default void decayed(String line) {}

  /** The journal's thread ended by a bug; it acknowledges nothing any more. */
  void stopped(Throwable cause);
}
