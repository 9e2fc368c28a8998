package io.dure.controller.statistics;

/**
 * What a pass of the scheduler did.
 *
 * @param depth jobs that it looked at
 * @param tried those of them for which it looked for a place
 * @param backfilled jobs that it started ahead of others
 * @param queue jobs that waited
 * @param table times that it looked at
 */
public record PassFound(int depth, int tried, int backfilled, int queue, int table) {
  static final PassFound NOTHING = new PassFound(0, 0, 0, 0, 0);
}
