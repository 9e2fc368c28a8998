package io.dure.controller.accounting;

import io.dure.cluster.ClusterState;
import io.dure.cluster.EventApplier;
import io.dure.cluster.record.AccountingRecorder;
import io.dure.journal.AccountingLog;
import io.dure.journal.EventJournal;
import io.dure.journal.JournalDump;
import io.dure.journal.segment.JournalRefusedException;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.config.ClusterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares the records of a log with those that the events of a single controller's journal make,
 * from its oldest snapshot on. It only reads both. Texts are left out, as the log has each once.
 */
public final class JournalCheck implements JournalDump.Listener {
  private final TreeMap<Long, List<AccountingRecord>> due = new TreeMap<>();
  private final List<String> differences = new ArrayList<>();
  private final long after;
  private ClusterState state;
  private @Nullable String unreadable;
  private long first;
  private long agreed;
  private long compared;

  /**
   * What came of it.
   *
   * @param agreed records that are equal
   * @param compared records that were compared
   * @param waiting records of events at the end that are not in the log yet
   * @param unreadable why the journal cannot be compared, null where it was
   * @param differences a line for each event whose records differ
   */
  public record Result(
      long agreed,
      long compared,
      long waiting,
      @Nullable String unreadable,
      List<String> differences) {}

  private JournalCheck(JournalDump.@Nullable State oldest, ClusterConfig config) {
    after = oldest == null ? 0 : oldest.sequence();
    state = oldest == null ? ClusterState.initial(config) : oldest.state();
    first = state.origin().events();
  }

  /**
   * Compares.
   *
   * @param config what an empty journal starts from
   * @throws IOException if one of them cannot be read
   */
  public static Result compare(Path journal, ClusterConfig config, Path log) throws IOException {
    List<JournalDump.State> snapshots = JournalDump.snapshots(journal);
    JournalCheck check =
        new JournalCheck(snapshots.isEmpty() ? null : snapshots.getFirst(), config);
    JournalDump.each(journal, check);
    if (check.unreadable != null) {
      return new Result(0, 0, 0, check.unreadable, List.of());
    }
    check.against(log);
    return new Result(
        check.agreed, check.compared, check.waiting(), null, List.copyOf(check.differences));
  }

  @Override
  public void event(long sequence, EventJournal.Timed timed) {
    if (sequence <= after || unreadable != null) {
      return;
    }
    ClusterState next = EventApplier.apply(state, timed.event());
    List<AccountingRecord> records =
        AccountingRecorder.records(state, timed.event(), next, next.texts()).stream()
            .filter(record -> !(record instanceof AccountingRecord.JobText))
            .toList();
    if (!records.isEmpty()) {
      due.put(next.origin().events(), records);
    }
    state = next;
  }

  @Override
  public void unknown(long sequence, int bytes, JournalRefusedException why) {
    unreadable = String.valueOf(why.getMessage());
  }

  private void against(Path log) throws IOException {
    AccountingLog.read(
        log,
        batch -> {
          // The log may begin later, or lack what it tells that it lacks.
          due.headMap(batch.previous(), true).clear();
          TreeMap<Long, List<AccountingRecord>> found = new TreeMap<>();
          for (AccountingLog.Entry entry : batch.entries()) {
            if (entry.position() > first && !(entry.record() instanceof AccountingRecord.JobText)) {
              found.computeIfAbsent(entry.position(), _ -> new ArrayList<>()).add(entry.record());
            }
          }
          if (batch.last() <= state.origin().events()) {
            var part = due.headMap(batch.last(), true);
            part.forEach((position, records) -> compare(position, records, found.remove(position)));
            part.clear();
            found.forEach((position, records) -> compare(position, List.of(), records));
          }
        });
  }

  private void compare(
      long position, List<AccountingRecord> events, @Nullable List<AccountingRecord> found) {
    List<AccountingRecord> log = found == null ? List.of() : found;
    int larger = Math.max(events.size(), log.size());
    compared += larger;
    if (events.equals(log)) {
      agreed += larger;
    } else {
      differences.add(
          "event "
              + position
              + ": makes "
              + events.size()
              + " records, the log has "
              + (log.size() == events.size() ? "others" : String.valueOf(log.size())));
    }
  }

  private long waiting() {
    return due.values().stream().mapToLong(List::size).sum();
  }
}
