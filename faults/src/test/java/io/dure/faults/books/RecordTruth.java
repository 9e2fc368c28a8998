package io.dure.faults.books;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.record.AccountingRecorder;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.config.ClusterConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The records that all durable events make, each once: what books must hold. */
public final class RecordTruth {
  private static final String PROMISE = "books and journal agree";

  private final BiConsumer<String, String> violate;
  private final List<AccountingRecord> records = new ArrayList<>();

  /** How many records the first so many events make. */
  private final TreeMap<Long, Integer> ends = new TreeMap<>();

  private ClusterState state;

  /**
   * Before the first event.
   *
   * @param violate told which promise is broken, and how
   */
  public RecordTruth(ClusterConfig config, BiConsumer<String, String> violate) {
    this.violate = violate;
    state = ClusterState.initial(config);
    ends.put(0L, 0);
  }

  /** Further events are durable. */
  public void happened(List<Event> events) {
    for (Event event : events) {
      ClusterState next = EventApplier.apply(state, event);
      records.addAll(AccountingRecorder.records(state, event, next, next.texts()));
      ends.put(next.origin().events(), records.size());
      state = next;
    }
  }

  int size() {
    return records.size();
  }

  private int end(long position) {
    return ends.floorEntry(position).getValue();
  }

  /** Compares what is about to be stored with what belongs there. */
  void compare(String books, List<AccountingRecord> stored, long after, long upTo) {
    if (upTo > state.origin().events()) {
      violate.accept(PROMISE, books + " get records of events that are not durable: " + upTo);
      return;
    }
    compare(
        books + " between " + after + " and " + upTo,
        stored,
        records.subList(end(after), end(upTo)));
  }

  /** Compares all that books have. */
  void compareAll(String books, List<AccountingRecord> rows) {
    compare(books, rows, records);
  }

  private void compare(String where, List<AccountingRecord> found, List<AccountingRecord> due) {
    if (found.equals(due)) {
      return;
    }
    int at = 0;
    while (at < found.size() && at < due.size() && found.get(at).equals(due.get(at))) {
      at++;
    }
    violate.accept(
        PROMISE,
        "%s have %s records of %s; the %s. is %s, due is %s"
            .formatted(where, found.size(), due.size(), at + 1, at(found, at), at(due, at)));
  }

  private static String at(List<AccountingRecord> all, int at) {
    String text = at < all.size() ? all.get(at).toString() : "none";
    return text.length() > 300 ? text.substring(0, 300) + " ..." : text;
  }
}
