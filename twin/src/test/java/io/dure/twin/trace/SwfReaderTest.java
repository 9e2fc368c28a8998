package io.dure.twin.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class SwfReaderTest {
  private static final SwfReadOptions SC15 = new SwfReadOptions(SwfReadOptions.Cleaning.SC15, null);
  private static final String HEADER =
      "; Version: 2.2\n; UnixStartTime: 1000\n; MaxNodes: 8\n; MaxProcs: 16\n";

  /** A record of user {@code id + 5}. */
  private static String job(int id, long submit, long run, int used, int asked, long limit) {
    return id
        + " "
        + submit
        + " -1 "
        + run
        + " "
        + used
        + " -1 -1 "
        + asked
        + "  "
        + limit
        + "\t-1 1 "
        + (id + 5)
        + " 1 -1 -1 -1 -1 -1\n";
  }

  private static WorkloadTrace read(String text, SwfReadOptions rules)
      throws IOException, TraceException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return TraceOpener.read("log.swf", new ByteArrayInputStream(bytes), rules);
  }

  private static SkippedRecords onlySkip(WorkloadTrace trace) {
    assertEquals(1, trace.skipped().size(), trace.skipped().toString());
    return trace.skipped().getFirst();
  }

  @Test
  void aRecordSaysWhoAskedForWhatAndWhen() throws Exception {
    WorkloadTrace trace = read(HEADER + job(7, 20, 300, 3, 4, 600), SwfReadOptions.PLAIN);
    assertEquals(16, trace.processors());
    assertEquals(
        List.of(
            new TraceJob(
                "7",
                Instant.ofEpochSecond(1020),
                Duration.ofMinutes(5),
                "12",
                new TraceJobRequest.ProcessorRequest(4, Duration.ofMinutes(10)))),
        trace.jobs());
    assertEquals(List.of(), trace.skipped());
  }

  @Test
  void whatIsNotKnownIsTakenFromBeside() throws Exception {
    TraceJob job = read(HEADER + job(-6, 0, 30, 3, -1, -1), SwfReadOptions.PLAIN).jobs().getFirst();
    assertEquals(new TraceJobRequest.ProcessorRequest(3, Duration.ofSeconds(30)), job.demand());
    assertEquals("", job.user());
  }

  @Test
  void impossibleJobsAreCountedByCause() throws Exception {
    String good = job(1, 0, 30, 1, 1, 60);
    record Case(String line, String cause) {}
    for (Case one :
        List.of(
            new Case(job(2, 0, 30, 17, 17, 60), "more processors than the machine has"),
            new Case(job(2, 0, 30, 0, -1, 60), "no processors"),
            new Case(job(2, 0, -1, 1, 1, 60), "no run time"),
            new Case(job(2, -1, 30, 1, 1, 60), "no submit time"),
            new Case(job(2, 1L << 50, 30, 1, 1, 60), "a time beyond all bounds"),
            new Case("2 0 -1 30 1\n", "columns are missing"),
            new Case("2 0 x 30 1\n", "a column is not a number"))) {
      SkippedRecords skip =
          onlySkip(read(HEADER + good + one.line() + job(3, 9, 1, 1, 1, 60), SC15));
      assertEquals(new SkippedRecords(one.cause(), 1, 6), skip);
    }
  }

  @Test
  void theFilterOfThePublishedNumbersIsStricter() throws Exception {
    String text =
        HEADER + job(1, 0, 30, 1, 1, 60) + job(2, 0, 0, 1, 1, 60) + job(3, 0, 30, 1, 1, -1);
    assertEquals(3, read(text, SwfReadOptions.PLAIN).jobs().size());
    WorkloadTrace strict = read(text, SC15);
    assertEquals(1, strict.jobs().size());
    assertEquals(
        List.of(new SkippedRecords("no run time", 1, 6), new SkippedRecords("no time limit", 1, 7)),
        strict.skipped());
  }

  /** A job without a limit has its run time as one, which nobody who looks ahead may know. */
  @Test
  void whoLooksAheadIsNotToldRunTimes() throws Exception {
    String text =
        HEADER + job(1, 0, 30, 1, 1, 60) + job(2, 0, 0, 1, 1, 60) + job(3, 0, 30, 1, 1, -1);
    WorkloadTrace ahead = read(text, new SwfReadOptions(SwfReadOptions.Cleaning.UNLIMITED, null));
    assertEquals(2, ahead.jobs().size());
    assertEquals(List.of(new SkippedRecords("no time limit", 1, 7)), ahead.skipped());
  }

  @Test
  void theGivenMachineCountsMoreThanTheHeader() throws Exception {
    String text = HEADER + job(1, 0, 30, 20, 20, 60);
    assertThrows(TraceException.class, () -> read(text, SwfReadOptions.PLAIN));
    SwfReadOptions larger = new SwfReadOptions(SwfReadOptions.Cleaning.IMPOSSIBLE, 32);
    assertEquals(32, read(text, larger).processors());
  }

  @Test
  void whatCameBeforeTheLineAboveIsPutInOrder() throws Exception {
    WorkloadTrace trace =
        read(
            HEADER + job(1, 50, 1, 1, 1, 9) + job(2, 40, 1, 1, 1, 9) + job(3, 50, 1, 1, 1, 9),
            SC15);
    assertEquals(List.of("2", "1", "3"), trace.jobs().stream().map(TraceJob::name).toList());
    assertEquals(
        new SkippedRecords("submitted before the line above: put in order", 1, 6), onlySkip(trace));
  }

  @Test
  void aClockThatJumpedByYearsIsLeftOut() throws Exception {
    String text =
        HEADER
            + job(1, 50, 1, 1, 1, 9)
            + job(2, 4_000_000_000L, 1, 1, 1, 9)
            + job(3, 4_000_000_000L, 1, 1, 1, 9);
    WorkloadTrace trace = read(text, SC15);
    assertEquals(List.of("2", "3"), trace.jobs().stream().map(TraceJob::name).toList());
    assertEquals(
        new SkippedRecords("submitted a year and more apart from the rest", 1, 5), onlySkip(trace));
  }

  @Test
  void aFileWithoutJobsIsRefusedWithPlaceAndRemedy() {
    TraceException wrong =
        assertThrows(TraceException.class, () -> read(HEADER + "1 2 3 4\n", SC15));
    assertEquals(
        "log.swf:5: column 5: the column is missing; each job of the Standard Workload Format is a"
            + " line of 18 numbers, -1 for what is not known",
        wrong.text());
    TraceException number = assertThrows(TraceException.class, () -> read("1 2 three 4\n", SC15));
    assertTrue(number.text().startsWith("log.swf:1: column 3: not a number: three; "));
    assertThrows(TraceException.class, () -> read("", SC15));
    assertThrows(TraceException.class, () -> read("; MaxProcs: 5\n", SC15));
    assertThrows(
        TraceException.class,
        () -> TraceOpener.read(Path.of("/nowhere/log.swf"), SwfReadOptions.PLAIN));
  }

  @Test
  void aLineWithoutEndIsRefused() {
    assertThrows(TraceException.class, () -> read("1 ".repeat(100_000), SC15));
  }

  @Test
  void aCompressedLogIsTheSameLog() throws Exception {
    String text = HEADER + job(7, 20, 300, 3, 4, 600);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray());
    assertEquals(read(text, SC15), TraceOpener.read("log.swf", in, SC15));
  }
}
