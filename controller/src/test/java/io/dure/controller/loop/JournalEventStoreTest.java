package io.dure.controller.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.TextStorage;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import io.dure.testkit.cluster.ClusterBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** When the journal's store writes snapshots, in real files. */
@Tag("process")
class JournalEventStoreTest {
  private static final int USUAL = 20;
  private static final Instant NOW = Instant.parse("2026-01-06T00:00:00Z");

  @TempDir Path scratch;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final ClusterState state = ClusterBuilder.of(2).start().state();

  private JournalEventStore.Opened open() throws IOException {
    Logger log = DaemonLog.toStream(said, LogLevel.INFO, InstantSource.system(), ZoneOffset.UTC);
    JournalEventStore.Place place =
        new JournalEventStore.Place(
            scratch,
            (at, listener) -> RecoveredJournal.open(at, JournalSettings.defaults(), listener),
            USUAL,
            Runnable::run,
            () -> TextStorage.IN_MEMORY,
            EventFollower.NONE);
    return JournalEventStore.open(place, state.config(), new Silent(), log);
  }

  private void append(JournalEventStore store, int count) {
    for (int i = 0; i < count; i++) {
      EventBatch batch = new EventBatch();
      batch.add(NOW, List.of(new Event.UsageReset(NOW)));
      store.append(batch, _ -> {});
      store.offerSnapshot(state);
    }
  }

  private List<Long> snapshots() throws IOException {
    try (Stream<Path> files = Files.list(scratch)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.matches("snapshot-[0-9]{19}"))
          .map(name -> Long.parseLong(name.substring("snapshot-".length())))
          .sorted()
          .toList();
    }
  }

  /** A directory that lies where the file of a snapshot would be made. */
  private Path obstacle(int sequence) throws IOException {
    Path place = scratch.resolve("snapshot-%019d.tmp".formatted(sequence));
    Files.createDirectories(place.resolve("in the way"));
    return place;
  }

  private void remove(Path obstacle) throws IOException {
    Files.delete(obstacle.resolve("in the way"));
    Files.delete(obstacle);
  }

  @Test
  void aSnapshotThatFailedIsTriedAgainAfterATenthOfTheEvents() throws Exception {
    try (JournalEventStore store = open().store()) {
      append(store, USUAL);
      assertEquals(List.of(20L), snapshots());
      Path first = obstacle(40);
      Path second = obstacle(42);
      append(store, USUAL);
      assertEquals(List.of(20L), snapshots());
      String line = said.toString(StandardCharsets.UTF_8);
      assertTrue(line.contains("error: snapshot failed, all journal files are kept"), line);
      assertTrue(line.contains("next attempt after 2 events: " + scratch), line);
      assertTrue(line.contains("snapshot-0000000000000000040"), line);
      append(store, 2);
      assertEquals(List.of(20L), snapshots());
      append(store, 2);
      assertEquals(List.of(20L, 44L), snapshots());
      assertTrue(said.toString(StandardCharsets.UTF_8).contains("snapshot written, after"));
      append(store, USUAL - 1);
      assertEquals(List.of(20L, 44L), snapshots());
      append(store, 1);
      assertEquals(List.of(44L, 64L), snapshots());
      remove(first);
      remove(second);
    }
    open().store().close();
    assertFalse(said.toString(StandardCharsets.UTF_8).contains("damaged"));
  }

  private static final class Silent implements JournalListener {
    @Override
    public void failed(IOException cause) {}

    @Override
    public void healed() {}

    @Override
    public void stopped(Throwable cause) {}
  }
}
