package io.dure.node.launch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a numbered step on this node, as the shepherd is told of them.
 *
 * @param nodeIndex place of the node among the step's, from 0
 * @param ranks the tasks' numbers in the step, rising
 * @param arguments what each of them runs
 * @param files of each task, in their order
 * @param unbuffered whether output without an end of line is sent at once
 * @param killWaitSeconds from SIGTERM to SIGKILL
 * @param terminal rows and columns of the terminal of the first task, null for none
 * @param mpi what serves their MPI processes, null for nothing
 * @param own what each of them has for itself, in their order
 * @param labelWidth digits of the task's number before each line of a file, 0 for no label
 * @param awaitsChildren whether the step lasts as long as processes that tasks leave behind
 */
public record TaskGroup(
    int nodeIndex,
    List<Integer> ranks,
    List<List<String>> arguments,
    List<TaskFiles> files,
    boolean unbuffered,
    long killWaitSeconds,
    @Nullable TerminalSize terminal,
    @Nullable MpiServer mpi,
    List<TaskOwn> own,
    int labelWidth,
    boolean awaitsChildren) {
  /** A stream from or to the front end. */
  public static final String STREAM = "s:";

  /**
   * Where a task's input, output and errors come from and go to.
   *
   * @param input {@link #STREAM}, or {@code r:PATH}
   * @param output {@link #STREAM}, or {@code a:PATH} or {@code t:PATH}
   * @param error likewise; null to join the output
   */
  public record TaskFiles(String input, String output, @Nullable String error) {}

  /**
   * What a task has that others may not have.
   *
   * @param variables over those of all tasks, {@code NAME=VALUE}
   * @param cpus CPUs of the machine that it runs on, empty for those of the step
   * @param memory domains of memory that it is bound to, null for none
   * @param notes lines among its errors before it begins; {@code %p} in them is its process
   * @param fails whether it ends then, with code 1
   */
  public record TaskOwn(
      List<String> variables,
      List<Integer> cpus,
      @Nullable TaskMemory memory,
      List<String> notes,
      boolean fails) {}

  /**
   * Domains of memory.
   *
   * @param prefers whether others do where these are full
   */
  public record TaskMemory(boolean prefers, List<Integer> domains) {
    String text() {
      String list = String.join(",", domains.stream().map(String::valueOf).toList());
      return (prefers ? "prefer:" : "bind:") + list;
    }
  }

  /** Rows and columns of a terminal. */
  public record TerminalSize(int rows, int columns) {}

  /**
   * A server of PMI or PMIx beside the tasks.
   *
   * @param type {@code pmi2} or {@code pmix}
   * @param token letters and digits that only the step's tasks know
   * @param step what the step is called for all of its nodes, {@code 12.0}
   * @param index this node's place among them
   * @param nodes {@code NAME:RANKS} of each, in their order
   */
  public record MpiServer(String type, String token, String step, int index, List<String> nodes) {
    public MpiServer {
      nodes = List.copyOf(nodes);
    }
  }

  List<String> entries() {
    List<String> entries = new ArrayList<>();
    entries.add("tasks=" + ranks.size());
    ranks.forEach(rank -> entries.add("rank=" + rank));
    entries.add("node=" + nodeIndex);
    TaskFiles first = files.getFirst();
    add(entries, "", first);
    for (int task = 1; task < files.size(); task++) {
      if (!files.get(task).equals(first)) {
        add(entries, task + ":", files.get(task));
      }
    }
    for (int task = 1; task < arguments.size(); task++) {
      if (!arguments.get(task).equals(arguments.getFirst())) {
        int local = task;
        arguments.get(task).forEach(word -> entries.add("task_arg=" + local + ":" + word));
      }
    }
    addOwn(entries);
    if (unbuffered) {
      entries.add("unbuffered=1");
    }
    if (labelWidth > 0) {
      entries.add("label=" + labelWidth);
    }
    entries.add("killwait=" + killWaitSeconds);
    entries.add("lost=kill");
    if (awaitsChildren) {
      entries.add("children=await");
    }
    if (terminal != null) {
      entries.add("pty=" + terminal.rows() + ":" + terminal.columns());
    }
    if (mpi != null) {
      entries.add("mpi=" + mpi.type());
      entries.add("mpi_token=" + mpi.token());
      entries.add("mpi_step=" + mpi.step());
      entries.add("mpi_index=" + mpi.index());
      mpi.nodes().forEach(node -> entries.add("mpi_node=" + node));
    }
    return entries;
  }

  private void addOwn(List<String> entries) {
    for (int i = 0; i < own.size(); i++) {
      String task = i + ":";
      own.get(i).variables().forEach(line -> entries.add("task_env=" + task + line));
      own.get(i).cpus().forEach(cpu -> entries.add("task_cpu=" + task + cpu));
      TaskMemory memory = own.get(i).memory();
      if (memory != null) {
        entries.add("task_memory=" + task + memory.text());
      }
      own.get(i).notes().forEach(line -> entries.add("task_note=" + task + line));
      if (own.get(i).fails()) {
        entries.add("task_fails=" + task);
      }
    }
  }

  private static void add(List<String> entries, String task, TaskFiles files) {
    String key = task.isEmpty() ? "" : "task_";
    entries.add(key + "stdin=" + task + files.input());
    entries.add(key + "stdout=" + task + files.output());
    if (files.error() != null) {
      entries.add(key + "stderr=" + task + files.error());
    }
  }
}
