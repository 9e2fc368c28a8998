package io.dure.cli.lsf;

import io.dure.model.job.JobOutcome;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.OutputPaths;
import io.dure.surface.print.PlainText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The listings of {@code bjobs}, with times of a zone. */
record LsfTables(ZoneId zone) {
  private static final List<Integer> WIDTHS = List.of(7, 7, 5, 10, 11, 11, 10);
  private static final int HOST = 5;
  private static final List<String> HEADER =
      List.of("JOBID", "USER", "STAT", "QUEUE", "FROM_HOST", "EXEC_HOST", "JOB_NAME");
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("MMM ppd HH:mm", Locale.ROOT);
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss", Locale.ROOT);
  private static final String RULE = "-".repeat(78);

  /**
   * A line for each job, and one for each further host.
   *
   * @param wide whether nothing is cut, and hosts are in one line
   */
  String table(List<LsfRow> rows, boolean wide, boolean header) {
    StringBuilder text = new StringBuilder();
    if (header) {
      line(text, HEADER, "SUBMIT_TIME", true);
    }
    for (LsfRow row : rows) {
      List<String> hosts = row.hosts();
      String host = hosts.isEmpty() ? "-" : wide ? String.join(":", hosts) : hosts.getFirst();
      List<String> cells =
          List.of(
              row.id(),
              row.user(),
              row.state(),
              row.queue(),
              row.fromHost().isEmpty() ? "-" : row.fromHost(),
              host,
              row.name());
      line(text, cells, MINUTE.format(row.details().job().submitTime().atZone(zone)), wide);
      for (int i = 1; i < hosts.size() && !wide; i++) {
        text.repeat(' ', before(HOST)).append(hosts.get(i)).append('\n');
      }
    }
    return text.toString();
  }

  private static int before(int column) {
    return WIDTHS.subList(0, column).stream().mapToInt(width -> width + 1).sum();
  }

  private static void line(StringBuilder text, List<String> cells, String last, boolean whole) {
    for (int i = 0; i < cells.size(); i++) {
      int width = WIDTHS.get(i);
      String cell = cells.get(i);
      boolean cut = !whole && i > 0 && cell.length() > width;
      // Of names and hosts the end tells more.
      boolean end = i >= HOST - 1;
      String shown =
          !cut
              ? cell
              : end ? "*" + cell.substring(cell.length() - width + 1) : cell.substring(0, width);
      text.append(shown).repeat(' ', Math.max(0, width - shown.length())).append(' ');
    }
    text.append(last).append('\n');
  }

  /** All that is known of each job. */
  String full(List<LsfRow> rows) {
    StringBuilder text = new StringBuilder();
    for (LsfRow row : rows) {
      text.append(text.isEmpty() ? "" : RULE + "\n").append('\n');
      full(text, row);
    }
    return text.toString();
  }

  private void full(StringBuilder text, LsfRow row) {
    JobDetails details = row.details();
    text.append("Job <").append(row.fullId()).append(">, Job Name <").append(row.name());
    text.append(">, User <").append(row.user()).append(">, Project <");
    text.append(Objects.requireNonNullElse(details.spec().account(), "default"));
    text.append(">, Status <").append(row.state()).append(">, Queue <").append(row.queue());
    text.append(">, Command <").append(PlainText.of(command(details))).append(">\n");
    event(text, details.job().submitTime());
    text.append("Submitted from host <").append(row.fromHost()).append(">, CWD <");
    text.append(PlainText.of(details.job().workload().workDirectory())).append('>');
    if (details.job().isBatch()) {
      String output = OutputPaths.expand(OutputPaths.output(details), details);
      text.append(", Output File <").append(PlainText.of(output)).append('>');
    }
    text.append(", ").append(details.tasks()).append(" Task(s);\n");
    if (details.allocation() != null) {
      event(text, details.start());
      text.append("Started on <").append(String.join("> <", row.hosts())).append(">;\n");
    } else if (!row.isOver()) {
      text.append(" PENDING REASONS:\n ").append(details.info().reason()).append(";\n");
    }
    JobOutcome outcome = details.outcome();
    if (outcome != null) {
      event(text, details.end());
      text.append(
          outcome instanceof JobOutcome.Completed
              ? "Done successfully.\n"
              : "Exited with exit code " + row.exitCode() + ".\n");
    }
  }

  private static String command(JobDetails details) {
    String command = details.job().workload().command();
    return command == null ? details.job().workload().submitLine() : command;
  }

  private void event(StringBuilder text, @Nullable Instant at) {
    text.append(at == null ? "" : SECOND.format(at.atZone(zone)) + ": ");
  }

  /**
   * Named columns.
   *
   * @param format names, {@code jobid stat}, and perhaps {@code delimiter=','}
   * @return null where a name is unknown
   */
  @Nullable String columns(List<LsfRow> rows, String format, boolean header) {
    String delimiter = " ";
    List<String> names = new ArrayList<>();
    for (String word : format.strip().split("\\s+", -1)) {
      if (word.startsWith("delimiter=")) {
        delimiter = word.substring("delimiter=".length()).replaceAll("^['\"]|['\"]$", "");
      } else {
        names.add(word.split(":", -1)[0].toLowerCase(Locale.ROOT));
      }
    }
    StringBuilder text = new StringBuilder();
    if (header) {
      text.append(String.join(delimiter, names).toUpperCase(Locale.ROOT)).append('\n');
    }
    for (LsfRow row : rows) {
      List<String> cells = new ArrayList<>();
      for (String name : names) {
        String value = value(row, name);
        if (value == null) {
          return null;
        }
        cells.add(value.isEmpty() ? "-" : value);
      }
      text.append(String.join(delimiter, cells)).append('\n');
    }
    return text.toString();
  }

  private @Nullable String value(LsfRow row, String name) {
    JobDetails details = row.details();
    return switch (name) {
      case "jobid", "id" -> row.id();
      case "jobindex" -> row.fullId().replaceAll("^\\d+\\[?|]$", "");
      case "stat" -> row.state();
      case "user" -> row.user();
      case "queue" -> row.queue();
      case "job_name", "name" -> row.name();
      case "proj_name", "proj", "project" ->
          Objects.requireNonNullElse(details.spec().account(), "");
      case "from_host" -> row.fromHost();
      case "exec_host" -> String.join(":", row.hosts());
      case "submit_time" -> MINUTE.format(details.job().submitTime().atZone(zone));
      case "start_time" -> time(details.allocation() == null ? null : details.start());
      case "finish_time" -> time(details.outcome() == null ? null : details.end());
      case "exit_code" -> row.exitCode();
      case "run_time" -> details.elapsedSeconds() + " second(s)";
      case "slots", "nalloc_slot", "nreq_slot" -> Integer.toString(details.cpus());
      case "command", "cmd" -> PlainText.of(command(details));
      case "pend_reason" -> row.state().equals("PEND") ? details.info().reason() : "";
      default -> null;
    };
  }

  private String time(@Nullable Instant at) {
    return at == null ? "" : MINUTE.format(at.atZone(zone));
  }
}
