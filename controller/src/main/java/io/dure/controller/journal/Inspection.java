package io.dure.controller.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what an opening has no need of: the older snapshot and the records up to the newest one.
 * They are there for the day on which the newest is damaged, so damage to them should not wait
 * unseen for that day. Reads only; while a snapshot is written it must not run.
 *
 * @param newest sequence of the snapshot that was opened, 0 for none
 */
record Inspection(Disk disk, Segments segments, Snapshots snapshots, long newest) {

  /**
   * What is damaged or missing, one line each.
   *
   * @throws IOException if the disk refuses
   */
  List<String> lines() throws IOException {
    if (newest == 0) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(snapshots.decayed(newest));
    long from = snapshots.oldest();
    List<Long> firsts = segments.list();
    if (firsts.isEmpty() || firsts.getFirst() > from + 1) {
      lines.add("the records from " + (from + 1) + " on, before the newest snapshot, are missing");
    }
    for (int i = 0; i + 1 < firsts.size() && firsts.get(i + 1) <= newest + 1; i++) {
      String damage = damage(firsts.get(i), firsts.get(i + 1));
      if (damage != null) {
        lines.add(damage);
      }
    }
    return lines;
  }

  private @Nullable String damage(long first, long nextFirst) throws IOException {
    try (SegmentReader reader = SegmentReader.open(disk, segments.path(first), first)) {
      while (reader.expected() < nextFirst) {
        if (reader.next() == null) {
          return reader.path()
              + ":"
              + reader.offset()
              + ": record "
              + reader.expected()
              + " is damaged; the snapshot after it is whole";
        }
      }
      boolean asMade = reader.rest().empty() && !reader.isShortened();
      return asMade ? null : reader.path() + ":" + reader.offset() + ": not as it was made";
    } catch (JournalRefusedException e) {
      return e.getMessage();
    }
  }
}
