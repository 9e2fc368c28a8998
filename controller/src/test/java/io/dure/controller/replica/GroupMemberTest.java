package io.dure.controller.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.controller.replica.raft.LostRecordsException;
import io.dure.journal.Journal;
import io.dure.journal.JournalListener;
import io.dure.journal.JournalSettings;
import io.dure.journal.RecoveredJournal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Members with real journals and real connections. */
@Tag("process")
class GroupMemberTest {
  private static final List<String> THREE = List.of("a", "b", "c");
  @TempDir Path directory;

  private static byte[] record(long id, int size) {
    return ByteBuffer.allocate(size).putLong(id).array();
  }

  private static void append(RealGroup.Controller leader, long first, int count) throws Exception {
    CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    for (long id = first; id < first + count; id++) {
      long mine = id;
      last = leader.append(List.of(record(id, 200))).thenAccept(_ -> leader.apply(mine));
    }
    last.get(30, TimeUnit.SECONDS);
  }

  @Test
  void threeStartLoseTheLeaderAndGetItBack() throws Exception {
    try (RealGroup group = new RealGroup(directory, THREE)) {
      for (String host : THREE) {
        group.start(host);
      }
      RealGroup.Controller leader = group.leader();
      append(leader, 1, 500);
      group.stop(leader.host);
      RealGroup.Controller next = group.leader();
      append(next, 501, 500);
      group.start(leader.host);
      group.await("everybody has everything", () -> group.allHave(1000));
      assertNull(next.stopped);
    }
  }

  /**
   * One was away while two acknowledged; then the files of one of these two go back to what they
   * were, and the other is away.
   */
  @Test
  void aMemberPutBackFromAnOlderCopyHasNoVote() throws Exception {
    try (RealGroup group = new RealGroup(directory, THREE)) {
      for (String host : THREE) {
        group.start(host);
      }
      RealGroup.Controller leader = group.leader();
      append(leader, 1, 100);
      group.await("everybody has the first part", () -> group.allHave(100));
      List<String> others = THREE.stream().filter(h -> !h.equals(leader.host)).toList();
      String victim = others.getFirst();
      String behind = others.getLast();
      group.stop(victim);
      Path copy = directory.resolve("copy");
      copy(group.state(victim), copy);
      group.start(victim);
      group.stop(behind);
      append(leader, 101, 50);
      group.await("two have the second part", () -> group.allHave(150));
      group.stop(leader.host);
      group.stop(victim);
      Files.move(group.state(victim), directory.resolve("newer"));
      Files.move(copy, group.state(victim));
      group.start(behind);
      RealGroup.Controller back = group.start(victim);
      group.await(
          "a leader, or what keeps the copy from voting",
          () -> back.log().status().leader() != null || back.log().status().trouble() != null);
      assertNull(back.log().status().leader());
      assertTrue(Files.isDirectory(group.state(victim).resolve("set-aside-1")));
      group.start(leader.host);
      group.await("everybody has everything", () -> group.allHave(150));
      append(group.leader(), 151, 10);
      group.await("everybody goes on", () -> group.allHave(160));
    }
  }

  /** As with a volume that was set back as a whole: nobody who is there can know. */
  @Test
  void whoHoldsWhatTheLeaderLacksStops() throws Exception {
    try (RealGroup group = new RealGroup(directory, THREE)) {
      for (String host : THREE) {
        group.start(host);
      }
      RealGroup.Controller leader = group.leader();
      append(leader, 1, 100);
      group.await("everybody has the first part", () -> group.allHave(100));
      List<String> others = THREE.stream().filter(h -> !h.equals(leader.host)).toList();
      String victim = others.getFirst();
      String behind = others.getLast();
      group.stop(victim);
      Path copy = directory.resolve("copy");
      copy(group.state(victim), copy);
      try (Stream<Path> files = Files.list(copy)) {
        for (Path file : files.filter(f -> f.toString().contains("origin-")).toList()) {
          Files.delete(file);
        }
      }
      group.start(victim);
      group.stop(behind);
      append(leader, 101, 50);
      group.await("two have the second part", () -> group.allHave(150));
      group.stop(leader.host);
      group.stop(victim);
      Files.move(group.state(victim), directory.resolve("newer"));
      Files.move(copy, group.state(victim));
      group.start(behind);
      group.start(victim);
      RealGroup.Controller second = group.leader();
      append(second, 201, 5);
      RealGroup.Controller old = group.start(leader.host);
      group.await("the end of what knows more", () -> old.stopped != null);
      assertInstanceOf(LostRecordsException.class, old.stopped);
      String text = old.stopped.getMessage();
      assertTrue(text.contains("docs/admin/recover.md"), text);
      group.stop(leader.host);
      RealGroup.Controller again = group.start(leader.host);
      group.await("the same after another start", () -> again.stopped != null);
      append(second, 206, 5);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void aLoneControllersJournalIsTheBeginning() throws Exception {
    try (RealGroup group = new RealGroup(directory, THREE)) {
      try (Journal journal =
          RecoveredJournal.open(group.state("b"), JournalSettings.defaults(), new Silent())
              .journal()) {
        for (long id = 1; id <= 100; id++) {
          // Replicas here read the first eight bytes, so the kind of an event is the highest.
          byte[] event = record(id, 200);
          event[0] = 1;
          journal.append(List.of(event)).get();
        }
        journal.snapshot(50, new byte[8 * 50]);
      }
      for (String host : THREE) {
        group.start(host);
      }
      RealGroup.Controller leader = group.leader();
      assertEquals("b", leader.host);
      append(leader, 101, 10);
      group.await("everybody has everything", () -> group.allHave(110));
      group.stop("b");
      group.start("b");
      group.await("everybody has everything", () -> group.allHave(110));
    }
  }

  @Test
  void aDamagedJournalComesFromTheOthers() throws Exception {
    try (RealGroup group = new RealGroup(directory, THREE)) {
      for (String host : THREE) {
        group.start(host);
      }
      RealGroup.Controller leader = group.leader();
      append(leader, 1, 300);
      group.await("everybody has everything", () -> group.allHave(300));
      String victim = leader.host.equals("c") ? "b" : "c";
      group.stop(victim);
      try (Stream<Path> files = Files.list(group.state(victim))) {
        Path segment =
            files.filter(f -> f.getFileName().toString().startsWith("journal-")).findFirst().get();
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
          file.seek(200);
          int old = file.read();
          file.seek(200);
          file.write(old ^ 0x10);
        }
      }
      group.start(victim);
      group.await("everybody has everything", () -> group.allHave(300));
      try (Stream<Path> files = Files.list(group.state(victim))) {
        assertTrue(files.anyMatch(f -> f.getFileName().toString().startsWith("set-aside-")));
      }
    }
  }

  /** Not a test: prints what the decision page says. */
  @Test
  @EnabledIfSystemProperty(named = "dure.replica.bench", matches = "true")
  void speed() throws Exception {
    for (List<String> hosts : List.of(List.of("a"), THREE)) {
      Path place = Files.createDirectory(directory.resolve("bench" + hosts.size()));
      try (RealGroup group = new RealGroup(place, hosts)) {
        for (String host : hosts) {
          group.start(host);
        }
        RealGroup.Controller leader = group.leader();
        group.await("all members", () -> leader.log().status().members().size() == hosts.size());
        for (int callers : new int[] {16, 1, 16, 256}) {
          measure(leader, hosts.size(), callers);
        }
        if (hosts.size() > 1) {
          failover(group);
        }
      }
    }
  }

  private static void measure(RealGroup.Controller leader, int members, int callers)
      throws InterruptedException {
    List<Long> nanos = new ArrayList<>();
    Semaphore places = new Semaphore(callers);
    long began = System.nanoTime();
    long end = began + 5_000_000_000L;
    while (System.nanoTime() < end) {
      places.acquire();
      long start = System.nanoTime();
      var _ =
          leader
              .append(List.of(new byte[200]))
              .whenComplete((_, _) -> {
                nanos.add(System.nanoTime() - start);
                places.release();
              });
    }
    places.acquire(callers);
    double seconds = (System.nanoTime() - began) / 1e9;
    long[] sorted = nanos.stream().mapToLong(n -> n).toArray();
    Arrays.sort(sorted);
    System.out.printf(
        "replica: %d members, %d callers: %.0f/s, p50 %.2f ms, p99 %.2f ms%n",
        members,
        callers,
        sorted.length / seconds,
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6);
  }

  private static void failover(RealGroup group) throws Exception {
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      RealGroup.Controller leader = group.leader();
      long began = System.nanoTime();
      group.stop(leader.host);
      RealGroup.Controller next = group.leader();
      next.append(List.of(new byte[200])).get(10, TimeUnit.SECONDS);
      millis.add((System.nanoTime() - began) / 1_000_000);
      group.start(leader.host);
      group.await(
          "all caught up",
          () -> next.log().status().members().stream().allMatch(m -> m.lag() == 0));
    }
    millis.sort(null);
    System.out.println("replica: leader's end to next acknowledgement, ms: " + millis);
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
