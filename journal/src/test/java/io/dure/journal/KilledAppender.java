package io.dure.journal;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The process that {@link KillTest} kills: prints "SEQUENCE TEXT." for what is acknowledged. */
final class KilledAppender {
  private static final int CALLERS = 4;
  private static final int SNAPSHOT_EVERY = 500;

  private KilledAppender() {}

  public static void main(String[] args) throws Exception {
    Journal journal =
        RecoveredJournal.open(Path.of(args[0]), Fixtures.settings(64 * 1024), new Fixtures.Heard())
            .journal();
    for (int caller = 0; caller < CALLERS; caller++) {
      int number = caller;
      Thread.ofPlatform().start(() -> appendForEver(journal, number));
    }
  }

  private static void appendForEver(Journal journal, int caller) {
    try {
      for (int i = 0; true; i++) {
        String text = caller + "/" + i + " of " + ProcessHandle.current().pid();
        long sequence = journal.append(List.of(text.getBytes(StandardCharsets.UTF_8))).get();
        byte[] line = (sequence + " " + text + ".\n").getBytes(StandardCharsets.UTF_8);
        synchronized (System.out) {
          System.out.write(line, 0, line.length);
          System.out.flush();
        }
        if (i % SNAPSHOT_EVERY == SNAPSHOT_EVERY - 1) {
          journal.snapshot(sequence, line);
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
