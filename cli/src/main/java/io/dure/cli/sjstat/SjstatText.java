package io.dure.cli.sjstat;

import java.util.List;

/**
 * The two tables, from lines of fields set apart by bars.
 *
 * @param verbose with the limits of partitions and jobs
 */
record SjstatText(boolean verbose) {
  private static final int POOL_FIELDS = 7;
  private static final int JOB_FIELDS = 9;

  /** Lines of partition, memory, CPUs, nodes, time limit, size of jobs and features. */
  String pools(String lines) {
    StringBuilder text = new StringBuilder("Scheduling pool data:\n");
    String header = "Pool        Memory  Cpus  Total Usable   Free  ";
    header += verbose ? "Time limit  Job size  Other Traits  " : "Other Traits  ";
    framed(text, header);
    for (String line : lines.lines().toList()) {
      List<String> field = List.of(line.split("\\|", POOL_FIELDS));
      String[] nodes = field.get(3).split("/", -1);
      long other = number(nodes[2]);
      long total = number(nodes[3]);
      text.append(left(field.get(0), 9))
          .append(' ')
          .append(right(field.get(1) + "Mb", 8))
          .append(right(field.get(2), 6))
          .append(right(Long.toString(total), 7))
          .append(right(Long.toString(total - other), 7))
          .append(right(Long.toString(number(nodes[1])), 7));
      if (verbose) {
        text.append("  ").append(left(field.get(4), 10)).append("  ").append(left(field.get(5), 8));
      }
      text.append("  ").append(field.get(6).equals("(null)") ? "" : field.get(6));
      end(text);
    }
    return text.append('\n').toString();
  }

  /** Lines of job, user, CPUs, partition, state, time, limit, count of nodes and nodes. */
  String jobs(String lines) {
    StringBuilder text = new StringBuilder("Running job data:\n");
    String header = "JobID    User      Procs Pool      Status        Used  ";
    header += verbose ? "     Limit  Nodes  Master/Other   " : "Master/Other   ";
    framed(text, header);
    for (String line : lines.lines().toList()) {
      List<String> field = List.of(line.split("\\|", JOB_FIELDS));
      text.append(left(field.get(0), 8))
          .append(' ')
          .append(left(field.get(1), 8))
          .append(right(field.get(2), 7))
          .append(' ')
          .append(left(field.get(3), 9))
          .append(' ')
          .append(left(field.get(4), 6))
          .append(right(field.get(5), 12))
          .append("  ");
      if (verbose) {
        text.append(right(field.get(6), 10)).append("  ").append(right(field.get(7), 5));
        text.append("  ");
      }
      text.append(field.get(8));
      end(text);
    }
    return text.toString();
  }

  private static void framed(StringBuilder text, String header) {
    String rule = "-".repeat(header.length());
    text.append(rule).append('\n').append(header).append('\n').append(rule).append('\n');
  }

  private static void end(StringBuilder text) {
    while (!text.isEmpty() && text.charAt(text.length() - 1) == ' ') {
      text.setLength(text.length() - 1);
    }
    text.append('\n');
  }

  private static long number(String text) {
    boolean thousands = text.endsWith("K");
    double value = Double.parseDouble(thousands ? text.substring(0, text.length() - 1) : text);
    return Math.round(thousands ? value * 1024 : value);
  }

  private static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }
}
