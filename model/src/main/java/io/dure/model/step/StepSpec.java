package io.dure.model.step;

import io.dure.model.gres.GresRequest;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a step asks for, within what its job holds.
 *
 * @param name its name, as {@code squeue -s} shows it
 * @param tasks how many tasks it has; 0 for one on each of its nodes
 * @param minNodes least nodes; 0 for as many as its job has
 * @param maxNodes most nodes; 0 for no bound but the job
 * @param cpusPerTask CPUs of each task, 0 where that is not said
 * @param memoryMib memory on each node, MiB; null for as much as the job has there
 * @param nodes it has these nodes at least, empty where that is not said
 * @param excludedNodes it has none of these
 * @param relativeNode place of its first node in the allocation, -1 where that is not said
 * @param layout how tasks are given to nodes
 * @param sharing which resources it has to itself
 * @param timeLimitMinutes when it is ended, 0 for the end of its job
 * @param host the host where its {@code srun} runs
 * @param processId that process
 * @param overcommit whether a CPU may have several tasks
 * @param het of which whole it is a component, null where it is the whole
 * @param gres generic resources that it asks for, with {@code perJob} for all of its nodes
 *     together; null for all that its job has there, as nothing else is said
 * @param memoryPerGpuMib memory with each of its GPUs instead, MiB; null where that is not said
 * @param survivesNodes whether it goes on when it loses a node
 * @param memoryPerCpuMib memory with each of its CPUs instead, MiB; null where that is not said
 * @param submitLine the command line as typed, its begin where it is long; null where none was
 */
@RecordBuilder
public record StepSpec(
    String name,
    int tasks,
    int minNodes,
    int maxNodes,
    int cpusPerTask,
    @Nullable Long memoryMib,
    List<String> nodes,
    List<String> excludedNodes,
    int relativeNode,
    TaskLayout layout,
    Sharing sharing,
    int timeLimitMinutes,
    String host,
    int processId,
    boolean overcommit,
    @Nullable HetStep het,
    @Nullable GresRequest gres,
    @Nullable Long memoryPerGpuMib,
    boolean survivesNodes,
    @Nullable Long memoryPerCpuMib,
    @Nullable String submitLine)
    implements StepSpecBuilder.With {
  private static final int LONGEST_LINE = 1000;

  /** Memory that is not positive counts as not asked for, whatever program wrote the request. */
  public StepSpec {
    memoryMib = positive(memoryMib);
    memoryPerGpuMib = positive(memoryPerGpuMib);
    memoryPerCpuMib = positive(memoryPerCpuMib);
    submitLine = submitLine == null ? null : begin(submitLine);
  }

  /** As much as a text of a request may have, in whole characters. */
  private static String begin(String line) {
    int bytes = 0;
    int end = 0;
    while (end < line.length()) {
      int codePoint = line.codePointAt(end);
      bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      if (bytes > LONGEST_LINE) {
        return line.substring(0, end);
      }
      end += Character.charCount(codePoint);
    }
    return line;
  }

  private static @Nullable Long positive(@Nullable Long mib) {
    return mib == null || mib <= 0 ? null : mib;
  }

  /** One task on each node of the job, with all that the job has there. */
  public static StepSpec of(String name, int tasks) {
    return new StepSpec(
        name,
        tasks,
        0,
        0,
        0,
        null,
        List.of(),
        List.of(),
        -1,
        TaskLayout.BLOCK,
        Sharing.WHOLE,
        0,
        "localhost",
        0,
        false,
        null,
        null,
        null,
        false,
        null,
        null);
  }

  /**
   * The same as it is placed; its record and its output keep what its user has said.
   *
   * @param packsNodes of {@code SelectTypeParameters=CR_Pack_Nodes}
   */
  public StepSpec placed(boolean packsNodes) {
    return with().layout(layout.placed(packsNodes)).build();
  }

  /** Whether it has a part of the memory of its own. */
  public boolean asksMemory() {
    return memoryMib != null || memoryPerGpuMib != null || memoryPerCpuMib != null;
  }

  /** Which of its job's resources a step has to itself. */
  public enum Sharing {
    /** All CPUs that the job has on the step's nodes and that no other step has. */
    WHOLE,
    /** As many CPUs as it asks for ({@code --exact}). */
    EXACT,
    /** It shares CPUs and memory with any other step ({@code --overlap}). */
    OVERLAP,
    /** The same, and it is the shell of its job ({@code --interactive}). */
    INTERACTIVE;

    /** Whether it takes nothing from other steps, nor they from it. */
    public boolean isShared() {
      return this == OVERLAP || this == INTERACTIVE;
    }
  }

  /** How tasks are given to nodes ({@code --distribution}). */
  public enum Distribution {
    /** As many tasks on each node, those that follow each other on the same. */
    BLOCK,
    /** The same, even where the cluster packs nodes ({@code NoPack}). */
    EVEN,
    /** One task for each node in turn. */
    CYCLIC,
    /** So many tasks for each node in turn. */
    PLANE,
    /** Each task has its node named. */
    ARBITRARY,
    /** A node is filled before the next ({@code Pack}). */
    PACKED
  }

  /** How tasks are given to the sockets of a node, or to the cores of a socket. */
  public enum Level {
    /** One is filled before the next. */
    BLOCK,
    /** Each task has its CPUs on one of them, the next task on the next one. */
    CYCLIC,
    /** Each CPU of a task is on the next one. */
    FCYCLIC
  }

  /**
   * How tasks are given to nodes.
   *
   * @param distribution by which rule
   * @param plane tasks of a block, for {@link Distribution#PLANE}
   * @param tasksPerNode most tasks of a node, 0 where that is not said
   * @param hosts the node of each task, for {@link Distribution#ARBITRARY}
   * @param levels what is said of sockets, and then of cores; the nodes' bindings follow the first
   */
  public record TaskLayout(
      Distribution distribution,
      int plane,
      int tasksPerNode,
      List<String> hosts,
      List<Level> levels) {
    /** Node after node. */
    public static final TaskLayout BLOCK = of(Distribution.BLOCK, 0, 0, List.of());

    /** Nothing is said of sockets and cores. */
    public static TaskLayout of(
        Distribution distribution, int plane, int tasksPerNode, List<String> hosts) {
      return new TaskLayout(distribution, plane, tasksPerNode, hosts, List.of());
    }

    /** The same where it is placed: a cluster that packs nodes fills them unless told not to. */
    TaskLayout placed(boolean packsNodes) {
      return packsNodes && distribution == Distribution.BLOCK
          ? new TaskLayout(Distribution.PACKED, plane, tasksPerNode, hosts, levels)
          : this;
    }

    /** The same with any number of tasks on a node. */
    public TaskLayout unbounded() {
      return new TaskLayout(distribution, plane, 0, hosts, levels);
    }
  }
}
