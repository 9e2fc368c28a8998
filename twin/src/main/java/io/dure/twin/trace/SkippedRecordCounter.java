package io.dure.twin.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what is passed over while a trace is read. For one thread. */
final class SkippedRecordCounter {
  private final Map<String, SkippedRecords> causes = new LinkedHashMap<>();

  /** One more record of that line. */
  void add(String cause, int line) {
    causes.merge(
        cause,
        new SkippedRecords(cause, 1, line),
        (old, _) -> new SkippedRecords(cause, old.count() + 1, old.firstLine()));
  }

  /** The causes in the order in which they were met. */
  List<SkippedRecords> all() {
    return List.copyOf(causes.values());
  }
}
