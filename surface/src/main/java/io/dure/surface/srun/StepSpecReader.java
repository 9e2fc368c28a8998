package io.dure.surface.srun;

import io.dure.model.gres.GresRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.step.StepName;
import io.dure.model.step.StepSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sbatch.GresOptions;
import io.dure.surface.sbatch.NodeListOptions;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.StepOptions;
import io.dure.surface.value.MemorySizeParser;
import io.dure.surface.value.NodeCountRange;
import io.dure.surface.value.TimeLimitParser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the request for a step of the options of {@code srun}. */
public final class StepSpecReader {
  private static final int SECONDS_OF_MINUTE = 60;
  private static final int MOST_TASKS = 1 << 20;

  private final SrunSettings settings;
  private final NodeListOptions nodes;
  private final List<String> hosts;
  private final List<StderrMessage> warnings = new ArrayList<>();

  /**
   * Reads these settings.
   *
   * @param hosts the node of each task, empty where they are not named
   */
  public StepSpecReader(SrunSettings settings, NodeListOptions nodes, List<String> hosts) {
    this.settings = settings;
    this.nodes = nodes;
    this.hosts = hosts;
  }

  /** What the user should know of the choices made. */
  public List<StderrMessage> warnings() {
    return warnings;
  }

  /**
   * The request.
   *
   * @param name name of the step
   * @param host where it is launched
   */
  public StepSpec spec(String name, String host) throws CommandException {
    if (settings.has(SrunOption.INTERACTIVE)) {
      return shell(host);
    }
    String nodesText = settings.value(SrunOption.NODES);
    NodeCountRange range = nodesText == null ? null : NodeCountRange.parse(nodesText);
    int least = range == null ? 0 : range.min();
    int most = range == null ? 0 : range.max();
    int tasks = tasks(least);
    if (tasks > 0 && tasks < least) {
      warnings.add(
          StderrMessage.info(
              "Warning: can't run "
                  + tasks
                  + " processes on "
                  + least
                  + " nodes, setting nnodes to "
                  + tasks));
      least = tasks;
      most = tasks;
    }
    TaskDistributionOption asked =
        TaskDistributionOption.parse(settings.valueOr(SrunOption.DISTRIBUTION, "block"));
    boolean packed = asked.nodes() == StepSpec.Distribution.PACKED && tasks > 0;
    if (packed && !settings.shared().isOnCommandLine(SbatchOption.NODES)) {
      // The nodes of the job are no wish of the step, and as few as hold its tasks will do.
      least = 0;
      most = 0;
    }
    checkRelative();
    return new StepSpec(
        name,
        tasks,
        least,
        most,
        Math.max(0, settings.count(SrunOption.CPUS_PER_TASK, 0)),
        mib(SrunOption.MEM),
        nodes.required(settings.shared()),
        nodes.excluded(settings.shared()),
        settings.count(SrunOption.RELATIVE, -1),
        layout(asked, tasksPerNode(tasks, least)),
        sharing(),
        minutes(),
        host,
        0,
        settings.has(SrunOption.OVERCOMMIT),
        null,
        GresOptions.ofStep(settings.shared(), tasks),
        mib(SrunOption.MEM_PER_GPU),
        StepOptions.survivesNodes(settings.shared()),
        mib(SrunOption.MEM_PER_CPU),
        null);
  }

  /** The step of a job's shell: all that the job has on its first node, shared with every step. */
  private static StepSpec shell(String host) {
    return StepSpec.of(new StepName.InteractiveStep().text(), 1)
        .with()
        .minNodes(1)
        .maxNodes(1)
        .sharing(StepSpec.Sharing.INTERACTIVE)
        .host(host)
        .build();
  }

  private int tasks(int nodeCount) throws CommandException {
    int asked = settings.count(SrunOption.NTASKS, hosts.size());
    if (asked > 0) {
      return asked;
    }
    int perNode = settings.count(SrunOption.NTASKS_PER_NODE, 0);
    if (perNode > 0 && nodeCount > 0) {
      return perNode * nodeCount;
    }
    GresRequest gres = GresOptions.ofStep(settings.shared(), 0);
    if (gres == null || gres.tasksPerGpu() == null) {
      return 0;
    }
    return (int) Math.min(MOST_TASKS, GresRequest.gpus(gres.perJob()) * gres.tasksPerGpu());
  }

  private @Nullable Long mib(SrunOption option) {
    String text = settings.value(option);
    Long mib = text == null ? null : MemorySizeParser.parseMib(text);
    return mib == null || mib == 0 ? null : mib;
  }

  private void checkRelative() throws CommandException {
    boolean named = settings.has(SrunOption.NODELIST) || settings.has(SrunOption.EXCLUDE);
    if (named && settings.has(SrunOption.RELATIVE)) {
      throw CommandException.error("-r,--relative not allowed with -w,--nodelist or -x,--exclude.");
    }
  }

  /** Most tasks of a node, 0 where that is not said or contradicts the other numbers. */
  private int tasksPerNode(int tasks, int nodeCount) {
    int perNode = Math.max(0, settings.count(SrunOption.NTASKS_PER_NODE, 0));
    boolean counted =
        hosts.isEmpty() && settings.has(SrunOption.NTASKS) && perNode > 0 && nodeCount > 0;
    if (counted && (long) perNode * nodeCount != tasks) {
      warnings.add(
          StderrMessage.info(
              "Warning: can't honor --ntasks-per-node set to "
                  + perNode
                  + " which doesn't match the requested tasks "
                  + tasks
                  + " with the number of requested nodes "
                  + nodeCount
                  + ". Ignoring --ntasks-per-node."));
      settings.shared().unset(SbatchOption.NTASKS_PER_NODE);
      return 0;
    }
    return perNode;
  }

  private StepSpec.TaskLayout layout(TaskDistributionOption asked, int perNode) {
    if (!hosts.isEmpty()) {
      return StepSpec.TaskLayout.of(StepSpec.Distribution.ARBITRARY, 0, 0, hosts);
    }
    boolean unnamed = asked.nodes() == StepSpec.Distribution.ARBITRARY;
    return new StepSpec.TaskLayout(
        unnamed ? StepSpec.Distribution.BLOCK : asked.nodes(),
        asked.plane(),
        perNode,
        List.of(),
        asked.levels());
  }

  private StepSpec.Sharing sharing() {
    if (settings.has(SrunOption.OVERLAP) || settings.has(SrunOption.EXTERNAL_LAUNCHER)) {
      return StepSpec.Sharing.OVERLAP;
    }
    boolean exact =
        settings.has(SrunOption.EXACT)
            || settings.has(SrunOption.EXCLUSIVE)
            || settings.has(SrunOption.CPUS_PER_TASK);
    return exact && !settings.has(SrunOption.WHOLE)
        ? StepSpec.Sharing.EXACT
        : StepSpec.Sharing.WHOLE;
  }

  private int minutes() throws CommandException {
    String text = settings.value(SrunOption.TIME);
    TimeLimit limit = text == null ? null : TimeLimitParser.parse(text);
    return limit instanceof TimeLimit.Limited limited
        ? (int) ((limited.duration().toSeconds() + SECONDS_OF_MINUTE - 1) / SECONDS_OF_MINUTE)
        : 0;
  }
}
