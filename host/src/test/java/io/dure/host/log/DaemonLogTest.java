package io.dure.host.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.parameters.DebugFlag;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Marker;

@Tag("pure")
class DaemonLogTest {
  private static final String TIME = "[2026-11-20T16:01:34.123] ";

  @TempDir Path directory;
  private Instant now = Instant.parse("2026-11-20T16:01:34.123456Z");
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final DaemonLog log = DaemonLog.toStream(out, LogLevel.DEBUG, () -> now, ZoneOffset.UTC);

  @Test
  void linesLookAsSlurmsDo() {
    log.error(LogMarkers.FATAL, "the end");
    log.error("bad");
    log.info("hello");
    log.info(LogMarkers.VERBOSE, "more");
    log.debug("even more");
    log.trace("too much");
    assertEquals(
        List.of(
            TIME + "fatal: the end",
            TIME + "error: bad",
            TIME + "hello",
            TIME + "more",
            TIME + "debug:  even more"),
        lines());
  }

  private String timed(String word) {
    out.reset();
    log.timeFormat(LogTimeFormat.of(List.of("format_stderr", word)));
    log.info("x");
    return lines().getFirst();
  }

  @Test
  void timesAreWrittenAsTheWordSays() {
    assertEquals("[2026-11-20T16:01:34] x", timed("iso8601"));
    assertEquals("[2026-11-20T16:01:34.123] x", timed("iso8601_ms"));
    assertEquals("[2026-11-20T16:01:34+00:00] x", timed("rfc5424"));
    assertEquals("[2026-11-20T16:01:34.123+00:00] x", timed("rfc5424_ms"));
    assertEquals("[2026-11-20T16:01:34+00:00] x", timed("rfc3339"));
    assertEquals("[Nov 20 16:01:34] x", timed("short"));
    assertTrue(timed("clock").matches("\\[\\d+] x"), timed("clock"));
    String thread =
        "\\[Fri Nov 20 16:01:34\\.123456 " + ProcessHandle.current().pid() + " .+ \\d+] x";
    assertTrue(timed("thread_id").matches(thread), timed("thread_id"));
  }

  @Test
  void partsAreToldOfWhileTheirFlagIsSet() {
    Marker jobs = LogMarkers.flag(DebugFlag.TRACE_JOBS);
    log.info(jobs, "unheard");
    assertFalse(log.isInfoEnabled(jobs));
    log.flags(List.of(DebugFlag.TRACE_JOBS));
    assertTrue(log.isInfoEnabled(jobs));
    log.info(jobs, "job 1");
    log.info(LogMarkers.flag(DebugFlag.STEPS), "unheard");
    log.level(LogLevel.INFO);
    log.info(jobs, "not at this level, as in Slurm");
    assertEquals(List.of(TIME + "TRACE_JOBS: job 1"), lines());
  }

  @Test
  void anotherLogTakesLinesOfItsOwnLevels() {
    List<String> other = new ArrayList<>();
    log.level(LogLevel.ERROR);
    log.also(LogLevel.INFO, (level, line) -> other.add(level + " " + line));
    log.error("bad");
    log.info("hel\nlo");
    log.debug("even more");
    assertEquals(List.of(TIME + "error: bad"), lines());
    assertEquals(List.of("ERROR error: bad", "INFO hel\\nlo"), other);
    log.level(LogLevel.DEBUG);
    log.debug("even more");
    assertEquals(List.of(TIME + "error: bad", TIME + "debug:  even more"), lines());
    assertEquals(2, other.size());
  }

  @Test
  void theSystemsLogTakesAnyLine() {
    SystemLog system = SystemLog.open("dure-test");
    // Nobody may listen: all that can be seen is that no line, "%s" or not, does harm.
    system.write(LogLevel.DEBUG, "a test: %s%n%d");
    assertEquals(3, SystemLog.priority(LogLevel.ERROR));
    assertEquals(6, SystemLog.priority(LogLevel.VERBOSE));
  }

  @Test
  void timesAreLocal() {
    DaemonLog local = DaemonLog.toStream(out, LogLevel.INFO, () -> now, ZoneId.of("Asia/Seoul"));
    local.info("x");
    assertEquals(List.of("[2026-11-21T01:01:34.123] x"), lines());
  }

  @Test
  void theLevelChangesWhileItRuns() {
    log.level(LogLevel.QUIET);
    log.error(LogMarkers.FATAL, "unheard");
    log.level(LogLevel.DEBUG5);
    log.trace("heard");
    assertTrue(log.tells(LogLevel.DEBUG5));
    assertFalse(log.tells(LogLevel.QUIET));
    assertEquals(List.of(TIME + "debug2: heard"), lines());
    DaemonLog.silent().error(LogMarkers.FATAL, "nothing happens");
  }

  @Test
  void levelsHaveSlurmsNamesAndNumbers() {
    assertEquals(LogLevel.QUIET, LogLevel.parse("quiet"));
    assertEquals(LogLevel.DEBUG2, LogLevel.parse("Debug2"));
    assertEquals(LogLevel.INFO, LogLevel.parse("3"));
    assertEquals(LogLevel.DEBUG5, LogLevel.parse("9"));
    assertNull(LogLevel.parse("10"));
    assertNull(LogLevel.parse("loud"));
    assertEquals("verbose", LogLevel.VERBOSE.word());
  }

  @Test
  void nobodyForgesALine() {
    log.info("user x\n" + TIME + "fatal: ha\r\u001b[31m\0\tend");
    log.info("y".repeat(100_000));
    List<String> lines = lines();
    assertEquals(2, lines.size());
    assertEquals(TIME + "user x\\n" + TIME + "fatal: ha\\r?[31m? end", lines.get(0));
    assertEquals(TIME + "y".repeat(8192) + "...", lines.get(1));
  }

  @Test
  void aFloodBecomesOneLine() {
    for (int i = 0; i < 10_000; i++) {
      log.error(LogMarkers.kind("refused"), "refused number " + i);
      log.info("other");
    }
    assertEquals(40, lines().size());
    now = now.plusSeconds(1);
    log.flush();
    assertEquals(
        List.of(
            "[2026-11-20T16:01:35.123] error: 9980 more like this left out: refused",
            "[2026-11-20T16:01:35.123] 9980 more like this left out: other"),
        lines().subList(40, 42));
    log.error("refused");
    now = now.plusSeconds(60);
    log.flush();
    assertEquals(43, lines().size());
  }

  @Test
  void theNextMessageAfterTheFloodTellsOfItFirst() {
    for (int i = 0; i < 21; i++) {
      log.info("same");
    }
    now = now.plusSeconds(5);
    log.info("same");
    assertEquals(
        List.of(
            "[2026-11-20T16:01:39.123] 1 more like this left out: same",
            "[2026-11-20T16:01:39.123] same"),
        lines().subList(20, 22));
    now = now.minusSeconds(3600);
    log.info("the clock was set back");
    assertEquals(23, lines().size());
  }

  @Test
  void manyDifferentMessagesDoNotFillTheMemory() throws IOException {
    for (int i = 0; i < 100_000; i++) {
      log.trace("not told");
      log.error(LogMarkers.kind("key" + i), "x");
    }
    assertTrue(log.keys() <= 1001, () -> "keys: " + log.keys());
    log.close();
    assertEquals(100_000, lines().size());
  }

  @Test
  void anUnexpectedFailureShowsItsTrace() {
    log.error("step 3", new IllegalStateException("a\nb"));
    List<String> lines = lines();
    assertEquals(TIME + "error: step 3: java.lang.IllegalStateException: a", lines.get(0));
    assertTrue(
        lines.stream().anyMatch(line -> line.contains("  at io.dure.host.log.DaemonLogTest")));
    assertTrue(lines.stream().allMatch(line -> line.startsWith(TIME + "error: ")));
  }

  @Test
  void aRotatedFileIsOpenedAnew() throws IOException {
    Path file = directory.resolve("slurmctld.log");
    Files.writeString(file, "before\n");
    DaemonLog toFile = DaemonLog.toFile(file, out, LogLevel.INFO, () -> now, ZoneOffset.UTC, false);
    toFile.info("one");
    Files.move(file, directory.resolve("slurmctld.log.1"));
    toFile.info("two");
    toFile.reopen();
    toFile.info("three");
    toFile.close();
    toFile.info("after the end");
    assertEquals(
        List.of("before", TIME + "one", TIME + "two"),
        Files.readAllLines(directory.resolve("slurmctld.log.1")));
    assertEquals(List.of(TIME + "three"), Files.readAllLines(file));
    assertEquals(4, lines().size());
    assertEquals(0, toFile.lost());
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aLogOfItsOwnerIsOpenToNobodyElse() throws IOException {
    Path file = directory.resolve("private.log");
    Files.writeString(file, "before\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    try (DaemonLog log =
        DaemonLog.toFile(file, null, LogLevel.INFO, () -> now, ZoneOffset.UTC, true)) {
      assertEquals("rw-------", mode(file));
      Files.delete(file);
      log.reopen();
      assertEquals("rw-------", mode(file));
    }
    Path open = directory.resolve("open.log");
    try (DaemonLog log =
        DaemonLog.toFile(open, null, LogLevel.INFO, () -> now, ZoneOffset.UTC, false)) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
      log.reopen();
      assertEquals("rw-r--r--", mode(open));
      log.ownerOnly(true);
      assertEquals("rw-------", mode(open));
    }
  }

  @Test
  void aFileThatCannotBeReopenedStaysInUse() throws IOException {
    Path file = directory.resolve("sub/slurmd.log");
    Files.createDirectory(file.getParent());
    try (DaemonLog toFile =
        DaemonLog.toFile(file, null, LogLevel.INFO, () -> now, ZoneOffset.UTC, false)) {
      Path moved = directory.resolve("moved");
      Files.move(file.getParent(), moved);
      assertThrows(IOException.class, toFile::reopen);
      toFile.info("still here");
      assertEquals(List.of(TIME + "still here"), Files.readAllLines(moved.resolve("slurmd.log")));
    }
  }

  @Test
  void aFullDiskDoesNotDisturb() throws IOException {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    DaemonLog toFull = DaemonLog.toStream(full, LogLevel.INFO, () -> now, ZoneOffset.UTC);
    toFull.info("x");
    toFull.info("y");
    assertEquals(2, toFull.lost());
    toFull.close();
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
