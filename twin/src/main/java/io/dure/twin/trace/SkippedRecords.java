package io.dure.twin.trace;

/**
 * Records of a trace that were not taken as they stand, by cause.
 *
 * @param cause in words
 * @param count how many
 * @param firstLine the first of them, from 1; 0 where the trace has no lines
 */
public record SkippedRecords(String cause, int count, int firstLine) {}
