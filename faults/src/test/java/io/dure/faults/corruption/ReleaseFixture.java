package io.dure.faults.corruption;

import io.dure.cluster.Event;
import io.dure.cluster.TextStorage;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.loop.JournalEventStore;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.journal.EventJournal;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;

/**
 * What a release leaves on disks, kept so that every later one is tried on it: the files of a
 * controller that is alone ({@code lone}), those of two of the three members of a group ({@code
 * group}), and in {@code state.txt} what they hold.
 */
public final class ReleaseFixture {
  /** The text beside the files. */
  public static final String STATE = "state.txt";

  private static final int DECISIONS = 80;
  private static final int SEEDS = 300;
  private static final JournalSettings SMALL =
      new JournalSettings(8 * 1024, 1 << 24, Duration.ofMillis(10));

  private ReleaseFixture() {}

  /** Makes them in the directory that is the only argument, which must not be there yet. */
  public static void main(String[] args) {
    if (args.length != 1) {
      System.err.println("usage: make-fixture DIRECTORY");
      System.exit(2);
    }
    try {
      make(Path.of(args[0]));
    } catch (IOException | ExecutionException | TimeoutException e) {
      System.err.println("make-fixture: " + e);
      System.exit(1);
    } catch (InterruptedException e) {
      System.exit(1);
    }
  }

  private static void make(Path directory)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Files.createDirectory(directory);
    GeneratedHistory history = richest();
    List<GeneratedHistory.HistoryBatch> all = history.decisions();
    Path lone = directory.resolve("lone");
    try (Journal journal = RecoveredJournal.open(lone, SMALL, new Ear()).journal()) {
      for (int i = 0; i < all.size(); i++) {
        var _ = journal.append(EventJournal.records(all.get(i).at(), all.get(i).events())).get();
        if (i == all.size() / 2) {
          journal.snapshot(
              journal.lastAppended(), StateBytes.snapshot(history.states().get(i + 1)));
        }
      }
    }
    Files.delete(lone.resolve("lock"));
    Path scratch = Files.createTempDirectory("dure-fixture-");
    try {
      ReplicatedFixture.makeTwo(scratch, directory.resolve("group"), history);
    } finally {
      TestDirectories.delete(scratch);
    }
    Files.writeString(directory.resolve(STATE), StateDescription.of(history.last()));
    SortedSet<String> kinds = kinds(history);
    System.out.println(
        kinds.size() + " of " + Event.class.getPermittedSubclasses().length + " kinds: " + kinds);
  }

  /** The one of many with the most kinds of events. */
  private static GeneratedHistory richest() {
    GeneratedHistory best = GeneratedHistory.of(1, DECISIONS);
    for (long seed = 2; seed <= SEEDS; seed++) {
      GeneratedHistory next = GeneratedHistory.of(seed, DECISIONS);
      best = kinds(next).size() > kinds(best).size() ? next : best;
    }
    return best;
  }

  private static SortedSet<String> kinds(GeneratedHistory history) {
    SortedSet<String> kinds = new TreeSet<>();
    for (GeneratedHistory.HistoryBatch decision : history.decisions()) {
      decision.events().forEach(event -> kinds.add(event.getClass().getSimpleName()));
    }
    return kinds;
  }

  /**
   * What today's program reads from the files of a controller that was alone.
   *
   * @param directory a copy: it is opened, and so changed
   * @throws IOException if it is refused
   */
  public static String lone(Path directory) throws IOException {
    Logger log =
        DaemonLog.toStream(
            OutputStream.nullOutputStream(), LogLevel.INFO, InstantSource.system(), ZoneOffset.UTC);
    JournalEventStore.Opened found =
        JournalEventStore.open(
            JournalEventStore.Place.of(directory, () -> TextStorage.IN_MEMORY, EventFollower.NONE),
            GeneratedHistory.config(),
            new Ear(),
            log);
    try (JournalEventStore _ = found.store()) {
      return StateDescription.of(found.state());
    }
  }

  /**
   * What today's members of a group know that start on the files of two, with a third that is
   * blank: all three the same.
   *
   * @param directory a copy: it is opened, and so changed
   * @throws IOException if one is refused
   * @throws TimeoutException if they do not come to agree
   */
  public static String group(Path directory)
      throws IOException, InterruptedException, TimeoutException {
    return StateDescription.of(ReplicatedFixture.agreed(directory));
  }

  private static final class Ear implements JournalListener {
    @Override
    public void failed(IOException cause) {}

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable cause) {}
  }
}
