package io.dure.cli.torque;

import io.dure.model.config.PartitionConfig;
import java.time.Duration;
import java.util.List;

/** The tables of {@code qstat}. */
final class PbsTables {
  /** Widths of columns; negative ones for columns to the left. */
  private static final List<Integer> ROW = List.of(-19, -16, -15, 8, 1, -15);

  private static final List<Integer> WIDE = List.of(-15, -8, -8, -10, 6, 3, 3, 6, 5, 1, 5);

  private static final List<Integer> COUNTS = List.of(-16, 5, 5, 3, 3, 5, 5, 5, 5, 5, 5, -6);
  private static final List<Integer> LIMITS = List.of(-16, 6, 8, 8, 4, 4, 4, 2, -5);
  private static final String STATES = ";Max;Tot;Ena;Str;Que;Run;Hld;Wat;Trn;Ext;";

  private static final String NONE = "--";

  private PbsTables() {}

  /** A line for each job. */
  static String brief(List<PbsRow> rows) {
    StringBuilder text = new StringBuilder();
    header(text, ROW, "Job id;Name;Username;Time Use;S;Queue");
    for (PbsRow row : rows) {
      line(
          text,
          ROW,
          row.id(),
          cut(row.name(), 16),
          cut(row.owner(), 15),
          row.elapsed(),
          row.state(),
          row.queue());
    }
    return text.toString();
  }

  /**
   * The wide form.
   *
   * @param nodes whether with the nodes of each
   * @param oneLine whether they stand in its line
   */
  static String wide(String server, List<PbsRow> rows, boolean nodes, boolean oneLine) {
    StringBuilder text = new StringBuilder("\n").append(server).append(":\n");
    line(text, WIDE, "", "", "", "", "", "", "", "Req'd", "Req'd", " ", "Elap");
    header(text, WIDE, "Job ID;Username;Queue;Jobname;SessID;NDS;TSK;Memory;Time;S;Time");
    for (PbsRow row : rows) {
      int session = row.details().job().workload().sessionId();
      String hosts = row.hosts().isEmpty() ? NONE : row.hosts();
      String line =
          form(
              WIDE,
              row.id(),
              cut(row.owner(), 8),
              cut(row.queue(), 8),
              cut(row.name(), 10),
              session == 0 ? NONE : session,
              row.details().nodeCount(),
              row.details().tasks(),
              row.memory().isEmpty() ? NONE : row.memory(),
              PbsRow.minutes(row.limit()),
              row.state(),
              row.state() == 'R' || row.isDone() ? PbsRow.minutes(row.elapsed()) : NONE);
      text.append(line).append(nodes && oneLine ? " " + hosts : "").append('\n');
      if (nodes && !oneLine) {
        text.append("   ").append(hosts).append('\n');
      }
    }
    return text.toString();
  }

  /** Queues with what a job may ask for. */
  static String limits(String server, List<PartitionConfig> queues, List<PbsRow> rows) {
    StringBuilder text = new StringBuilder("\nserver: ").append(server).append("\n\n");
    header(text, LIMITS, "Queue;Memory;CPU Time;Walltime;Node;Run;Que;Lm;State");
    long allRun = 0;
    long allWait = 0;
    for (PartitionConfig queue : queues) {
      long run = count(rows, queue, "RSE");
      long wait = count(rows, queue, "QHW");
      allRun += run;
      allWait += wait;
      Duration most = queue.limits().maxTime();
      int nodes = queue.limits().maxNodes();
      line(
          text,
          LIMITS,
          queue.name(),
          NONE,
          NONE,
          most == null ? NONE : PbsRow.clock(most.toSeconds()),
          nodes == Integer.MAX_VALUE ? NONE : nodes,
          run,
          wait,
          NONE,
          (queue.state().accepts() ? "E" : "D") + " " + (queue.state().starts() ? "R" : "S"));
    }
    List<Integer> sums = List.of(46, 4, 4);
    line(text, sums, "", "----", "----");
    line(text, sums, "", allRun, allWait);
    return text.toString();
  }

  /** Queues with how many jobs are in which state. */
  static String counts(List<PartitionConfig> queues, List<PbsRow> rows) {
    StringBuilder text = new StringBuilder();
    header(text, COUNTS, "Queue" + STATES + "Type");
    for (PartitionConfig queue : queues) {
      List<PbsRow> its =
          rows.stream()
              .filter(row -> List.of(row.queue().split(",", -1)).contains(queue.name()))
              .toList();
      counts(text, queue.name(), queue.state(), its, "Exec");
    }
    return text.toString();
  }

  /** The same of the whole cluster. */
  static String server(String name, List<PbsRow> rows) {
    StringBuilder text = new StringBuilder();
    header(text, COUNTS, "Server" + STATES + "Status");
    counts(text, name, PartitionConfig.State.UP, rows, "Active");
    return text.toString();
  }

  private static void counts(
      StringBuilder text,
      String name,
      PartitionConfig.State state,
      List<PbsRow> rows,
      String last) {
    line(
        text,
        COUNTS,
        name,
        0,
        count(rows, "QHWRSE"),
        state.accepts() ? "yes" : "no",
        state.starts() ? "yes" : "no",
        count(rows, "Q"),
        count(rows, "RS"),
        count(rows, "H"),
        count(rows, "W"),
        0,
        count(rows, "E"),
        last);
  }

  private static long count(List<PbsRow> rows, String states) {
    return rows.stream().filter(row -> states.indexOf(row.state()) >= 0).count();
  }

  /** Jobs that are in a queue, or ask for it. */
  private static long count(List<PbsRow> rows, PartitionConfig queue, String states) {
    return count(
        rows.stream()
            .filter(row -> List.of(row.queue().split(",", -1)).contains(queue.name()))
            .toList(),
        states);
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width);
  }

  /** Names set apart by semicolons, with a rule under each. */
  private static void header(StringBuilder text, List<Integer> widths, String names) {
    line(text, widths, (Object[]) names.split(";", -1));
    line(text, widths, widths.stream().map(width -> "-".repeat(Math.abs(width))).toArray());
  }

  private static String form(List<Integer> widths, Object... values) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < values.length; i++) {
      String value = String.valueOf(values[i]);
      int width = widths.get(i);
      String blanks = " ".repeat(Math.max(0, Math.abs(width) - value.length()));
      line.append(i == 0 ? "" : " ").append(width < 0 ? value + blanks : blanks + value);
    }
    return line.toString().stripTrailing();
  }

  private static void line(StringBuilder text, List<Integer> widths, Object... values) {
    text.append(form(widths, values)).append('\n');
  }
}
