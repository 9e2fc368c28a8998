package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.journal.AccountingLog;
import io.dure.journal.JournalSettings;
import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.Command;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log of a controller without a database that does not lead, and tells nobody of ended jobs.
 */
@Tag("process")
class LoneLogTest {
  private static final JournalSettings SMALL =
      new JournalSettings(1 << 16, 64L << 20, Duration.ofSeconds(1));

  /** With the mark behind so many, files go. */
  private static final int RECORDS_A_MARK = 20_000;

  @TempDir Path directory;
  private final AtomicReference<Instant> now = new AtomicReference<>(TestCluster.START);
  private final TestCluster cluster =
      ClusterBuilder.of(8)
          .set("JobCompType", "jobcomp/jsonlines")
          .set("JobCompLoc", "/place")
          .start();

  private long events() {
    return cluster.state().origin().events();
  }

  /** Records enough for a mark, of some events. */
  private void fill(AccountingLog log, long first, long last)
      throws IOException, InterruptedException {
    for (long position = first; position <= last; position++) {
      AccountingRecord one =
          new AccountingRecord.StepPart(
              new AttemptId(1, 1), 0, ExitStatus.OK, now.get(), null, true);
      long count = 1 + RECORDS_A_MARK / (last - first + 1);
      log.append(
          now.get(), Collections.nCopies((int) count, new AccountingLog.Entry(position, one)));
    }
    log.sync();
  }

  @Test
  void whatIsToldAndOldGoes() throws IOException, InterruptedException {
    try (AccountingLog log = AccountingLog.open(directory, SMALL, new SoundDisk());
        AccountingFeed feed =
            new AccountingFeed(
                log,
                new RecordSeeker((_, _) -> {}, List.of()),
                true,
                now::get,
                bug -> {
                  throw new AssertionError(bug);
                },
                new KeptLog())) {
      fill(log, 1, events());
      feed.begin(cluster.state());
      now.set(now.get().plus(Duration.ofDays(3)));
      // As a snapshot of the state does.
      feed.awaitKept(events());
      cluster.forgetSteps();
      cluster.tell(new Command.NoteCompletions(events(), 0));
      TestCluster.Step note = cluster.steps().getLast();
      fill(log, events(), events());
      assertEquals(0, log.reachesBackTo(), "nothing was told yet");
      feed.happened(List.of(note.event()), note.after());
      feed.awaitKept(events());
      fill(log, events() + 1, events() + 1);
      assertTrue(log.reachesBackTo() > 0);
    }
  }
}
