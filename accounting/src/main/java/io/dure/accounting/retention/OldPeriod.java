package io.dure.accounting.retention;

/**
 * A time whose records go together; in seconds.
 *
 * @param from its begin
 * @param until its end, outside
 * @param cutoff what ended before that is old
 */
record OldPeriod(long from, long until, long cutoff) {}
