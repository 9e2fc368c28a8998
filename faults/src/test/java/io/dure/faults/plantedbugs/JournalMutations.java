package io.dure.faults.plantedbugs;

import io.dure.faults.world.FaultHooks;
import io.dure.journal.JournalRecord;
import io.dure.journal.RecoveredJournal;
import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A controller of several that does not take its journal as it is. */
final class JournalMutations {
  /** As a member's store writes them: kind, version, and the name of the record. */
  private static final byte KIND = 2;

  private static final String TERM = "Term";
  private static final int NAME_AT_MOST = 8;
  private static final Pattern CONSENT = Pattern.compile("give-up-from-\\d+");

  private JournalMutations() {}

  /** Forgets at each start in which term it was and whom it voted for. */
  static final class ForgottenVotes implements FaultHooks {
    @Override
    public RecoveredJournal journal(Opening real, JournalDisk disk) throws IOException {
      RecoveredJournal found = real.open();
      List<JournalRecord> kept = new ArrayList<>();
      for (JournalRecord record : found.records()) {
        if (!isTerm(record.payload())) {
          kept.add(record);
        }
      }
      return new RecoveredJournal(
          found.journal(),
          found.snapshot(),
          found.snapshotSequence(),
          kept,
          found.notes(),
          found.damagedSnapshots(),
          found.origin());
    }

    private static boolean isTerm(byte[] payload) {
      int length = Math.min(NAME_AT_MOST, payload.length);
      return payload[0] == KIND
          && new String(payload, 0, length, StandardCharsets.US_ASCII).contains(TERM);
    }
  }

  /** Takes whatever files it finds for those that it wrote. */
  static final class TrustedCopy implements FaultHooks {
    @Override
    public JournalDisk disk(JournalDisk real) {
      return new DiskOver(real) {
        @Override
        public @Nullable String identity(Path file) {
          return null;
        }
      };
    }
  }

  /** Cuts a damaged journal off before the damage, and goes on as if nothing had been there. */
  static final class ReadAround implements FaultHooks {
    @Override
    public RecoveredJournal journal(Opening real, JournalDisk disk) throws IOException {
      try {
        return real.open();
      } catch (JournalRefusedException e) {
        Matcher consent = CONSENT.matcher(String.valueOf(e.getMessage()));
        if (!consent.find()) {
          throw e;
        }
        disk.create(Path.of("journal", consent.group())).close();
        return real.open();
      }
    }
  }
}
