package io.dure.twin.trace;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads logs in the Standard Workload Format of the Parallel Workloads Archive. Used once.
 *
 * @see <a href="https://www.cs.huji.ac.il/labs/parallel/workload/swf.html">the format</a>
 */
final class SwfReader {
  /** A pause as long as this between two submissions is a clock that was wrong. */
  private static final long LONGEST_PAUSE_SECONDS = 366L * 24 * 3600;

  private static final long MOST_SECONDS = 1L << 40;

  private final SwfReadOptions rules;
  private final SkippedRecordCounter skips = new SkippedRecordCounter();
  private final List<SwfRecord> records = new ArrayList<>();
  private SwfRecord.@Nullable ParseError firstWrong;
  private int firstWrongLine;
  private long unixStart;
  private long maxProcs;
  private long maxNodes;

  SwfReader(SwfReadOptions rules) {
    this.rules = rules;
  }

  /**
   * Reads all lines.
   *
   * @param first the first line, read already
   */
  WorkloadTrace read(TraceLineReader lines, @Nullable String first)
      throws IOException, TraceException {
    for (String line = first; line != null; line = lines.next()) {
      if (line.startsWith(";")) {
        header(line);
      } else if (!line.isEmpty()) {
        take(lines.number(), line);
      }
    }
    String file = lines.file();
    Integer processors = processors(file);
    records.removeIf(record -> leavesOut(record, processors));
    inOrder();
    dropStrayTimes();
    if (records.isEmpty()) {
      throw nothing(file);
    }
    List<TraceJob> jobs = new ArrayList<>(records.size());
    for (SwfRecord record : records) {
      jobs.add(job(record));
    }
    return new WorkloadTrace(file, Instant.ofEpochSecond(unixStart), jobs, processors, skips.all());
  }

  private void header(String line) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      return;
    }
    String key = line.substring(1, colon).strip().toLowerCase(Locale.ROOT);
    String word = line.substring(colon + 1).strip().split("\\s", 2)[0];
    if (!word.matches("[0-9]{1,12}")) {
      return;
    }
    long value = Long.parseLong(word);
    switch (key) {
      case "maxprocs" -> maxProcs = value;
      case "maxnodes" -> maxNodes = value;
      case "unixstarttime" -> unixStart = value;
      default -> {}
    }
  }

  private void take(int line, String text) {
    SwfRecord.Reading reading = SwfRecord.of(line, text);
    SwfRecord record = reading.record();
    if (record != null) {
      records.add(record);
      return;
    }
    SwfRecord.ParseError wrong = reading.wrong();
    if (firstWrong == null) {
      firstWrong = wrong;
      firstWrongLine = line;
    }
    skips.add(
        wrong != null && wrong.problem().startsWith("not")
            ? "a column is not a number"
            : "columns are missing",
        line);
  }

  private @Nullable Integer processors(String file) throws TraceException {
    Integer given = rules.processors();
    if (given != null) {
      return given;
    }
    long header = maxProcs > 0 ? maxProcs : maxNodes;
    if (header > Integer.MAX_VALUE / 2) {
      throw new TraceException(
          file, "its header names " + header + " processors", "say how many with --procs");
    }
    return header == 0 ? null : Integer.valueOf((int) header);
  }

  private boolean leavesOut(SwfRecord record, @Nullable Integer processors) {
    String cause = cause(record, processors);
    if (cause != null) {
      skips.add(cause, record.line());
    }
    return cause != null;
  }

  private @Nullable String cause(SwfRecord record, @Nullable Integer processors) {
    boolean strict = rules.cleaning() == SwfReadOptions.Cleaning.SC15;
    if (record.processors() <= 0) {
      return "no processors";
    }
    if (processors != null && record.processors() > processors
        || record.processors() > Integer.MAX_VALUE / 2) {
      return "more processors than the machine has";
    }
    if (record.runSeconds() < 0 || strict && record.runSeconds() == 0) {
      return "no run time";
    }
    if (rules.cleaning() != SwfReadOptions.Cleaning.IMPOSSIBLE && record.limitSeconds() <= 0) {
      return "no time limit";
    }
    if (record.submitSecond() < 0) {
      return "no submit time";
    }
    return record.submitSecond() > MOST_SECONDS
            || record.runSeconds() > MOST_SECONDS
            || record.limitSeconds() > MOST_SECONDS
        ? "a time beyond all bounds"
        : null;
  }

  /** Jobs of one second stay in the order of the log. */
  private void inOrder() {
    long before = Long.MIN_VALUE;
    for (SwfRecord record : records) {
      if (record.submitSecond() < before) {
        skips.add("submitted before the line above: put in order", record.line());
      }
      before = record.submitSecond();
    }
    records.sort(Comparator.comparingLong(SwfRecord::submitSecond));
  }

  /** Leaves out what lies a year and more apart from most of the jobs. */
  private void dropStrayTimes() {
    int from = 0;
    int bestFrom = 0;
    int bestTo = 0;
    for (int i = 1; i <= records.size(); i++) {
      boolean ends =
          i == records.size()
              || records.get(i).submitSecond() - records.get(i - 1).submitSecond()
                  > LONGEST_PAUSE_SECONDS;
      if (ends && i - from > bestTo - bestFrom) {
        bestFrom = from;
        bestTo = i;
      }
      from = ends ? i : from;
    }
    for (int i = 0; i < records.size(); i++) {
      if (i < bestFrom || i >= bestTo) {
        skips.add("submitted a year and more apart from the rest", records.get(i).line());
      }
    }
    List<SwfRecord> kept = List.copyOf(records.subList(bestFrom, bestTo));
    records.clear();
    records.addAll(kept);
  }

  private TraceException nothing(String file) {
    SwfRecord.ParseError wrong = firstWrong;
    return wrong != null
        ? new TraceException(
            file,
            firstWrongLine,
            wrong.column(),
            wrong.problem(),
            "each job of the Standard Workload Format is a line of 18 numbers, -1 for what is"
                + " not known")
        : new TraceException(
            file,
            "no job in it can be replayed" + skipped(),
            "is it the right file, the right machine?");
  }

  private String skipped() {
    StringBuilder text = new StringBuilder();
    for (SkippedRecords skip : skips.all()) {
      text.append(text.isEmpty() ? " (" : ", ")
          .append(skip.count())
          .append(" ")
          .append(skip.cause());
    }
    return text.isEmpty() ? "" : text.append(')').toString();
  }

  private TraceJob job(SwfRecord record) {
    long limit =
        Math.max(1, record.limitSeconds() > 0 ? record.limitSeconds() : record.runSeconds());
    return new TraceJob(
        Long.toString(record.number()),
        Instant.ofEpochSecond(unixStart + record.submitSecond()),
        Duration.ofSeconds(record.runSeconds()),
        record.user() < 0 ? "" : Long.toString(record.user()),
        new TraceJobRequest.ProcessorRequest((int) record.processors(), Duration.ofSeconds(limit)));
  }
}
