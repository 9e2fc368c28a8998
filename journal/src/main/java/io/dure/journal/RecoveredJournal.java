package io.dure.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An opened journal and what it held.
 *
 * @param journal ready for appends
 * @param snapshot state as of {@code snapshotSequence}, null where there is none
 * @param snapshotSequence last record that the snapshot includes, 0 without one
 * @param records those after the snapshot, in order; read from disk as they are iterated, so
 *     iterate before the first {@link Journal#snapshot}. A read error is thrown as {@link
 *     java.io.UncheckedIOException}
 * @param notes what recovery did that an administrator should see, one line each
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record RecoveredJournal(
    Journal journal,
    byte @Nullable [] snapshot,
    long snapshotSequence,
    Iterable<JournalRecord> records,
    List<String> notes) {}
