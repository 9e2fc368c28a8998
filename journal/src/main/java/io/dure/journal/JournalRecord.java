package io.dure.journal;

/**
 * One record of the journal.
 *
 * @param sequence its number, from 1, rising by 1
 * @param payload its bytes as appended
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, records never compared
public record JournalRecord(long sequence, byte[] payload) {}
