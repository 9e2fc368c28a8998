package io.dure.accounting;

/**
 * A time in seconds: whole hours, but cut at the present.
 *
 * @param from its begin
 * @param until its end, outside
 */
record UsageWindow(long from, long until) {}
