package io.dure.node.binding;

import io.dure.protocol.step.TaskBinding;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The CPUs that each task of a step on a node is bound to, by {@code --cpu-bind}.
 *
 * @param cpus for each task its CPUs, rising; none where it is not bound
 * @param type what is said of it in {@code SLURM_CPU_BIND_TYPE}; empty where nothing is
 * @param list what is said of it in {@code SLURM_CPU_BIND_LIST}
 * @param word what is said of it where that is asked for
 */
public record CpuBinding(List<List<Integer>> cpus, String type, String list, String word) {
  private static final String MASKS = "mask_cpu:";

  /** CPUs that a step does not have were asked for. */
  public static final class UnsatisfiableException extends Exception {
    private static final long serialVersionUID = 1;

    UnsatisfiableException(List<Integer> has) {
      super("CPU binding outside of job step allocation, allocated CPUs are: " + mask(has) + ".");
    }
  }

  /**
   * Binds tasks.
   *
   * @param domains the CPUs of each domain of memory of the machine
   * @throws UnsatisfiableException if CPUs are named that the step does not have
   */
  public static CpuBinding of(
      TaskBinding.Choice choice, StepCpus cpus, BoundTasks tasks, List<List<Integer>> domains)
      throws UnsatisfiableException {
    List<Integer> all = cpus.all();
    String type = choice.type();
    return switch (type) {
      case "none" -> unbound(tasks.count(), type, "NONE");
      case "rank" -> {
        check(all, all);
        List<List<Integer>> bound = new ArrayList<>();
        for (int task = 0; task < tasks.count(); task++) {
          bound.add(List.of(all.get(task % all.size())));
        }
        yield new CpuBinding(bound, type, "", "RANK");
      }
      case "map_cpu:", MASKS -> named(choice, all, tasks.count());
      case "rank_ldom", "map_ldom:", "mask_ldom:" -> ofDomains(choice, all, tasks.count(), domains);
      default -> {
        String by = type.isEmpty() || type.equals("boards") ? fitting(cpus, tasks) : type;
        boolean crowded = (long) tasks.count() * tasks.cpusPerTask() > all.size();
        yield by.isEmpty() || crowded
            ? together(all, tasks.count())
            : laid(by, cpus, tasks, domains);
      }
    };
  }

  /** So many tasks that are not bound. */
  public static CpuBinding none(int tasks) {
    return unbound(tasks, "", "NONE");
  }

  private static CpuBinding unbound(int tasks, String type, String word) {
    List<List<Integer>> none = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      none.add(List.of());
    }
    return new CpuBinding(none, type, "", word);
  }

  private static void check(List<Integer> wanted, List<Integer> has) throws UnsatisfiableException {
    if (wanted.isEmpty() || !has.containsAll(wanted)) {
      throw new UnsatisfiableException(has);
    }
  }

  private static CpuBinding named(TaskBinding.Choice choice, List<Integer> all, int tasks)
      throws UnsatisfiableException {
    boolean masks = choice.type().equals(MASKS);
    List<List<Integer>> bound = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      String entry = GpuBinding.entry(choice.list(), task);
      List<Integer> own = masks ? GpuBinding.bits(entry) : List.of(GpuBinding.number(entry));
      check(own, all);
      bound.add(own);
    }
    return new CpuBinding(bound, choice.type(), choice.list(), masks ? "MASK" : "MAP ");
  }

  private static CpuBinding ofDomains(
      TaskBinding.Choice choice, List<Integer> all, int tasks, List<List<Integer>> domains)
      throws UnsatisfiableException {
    List<List<Integer>> bound = new ArrayList<>();
    String type = choice.type();
    for (int task = 0; task < tasks; task++) {
      String entry = GpuBinding.entry(choice.list(), task);
      List<Integer> wanted =
          switch (type) {
            case "rank_ldom" -> List.of(task % Math.max(1, domains.size()));
            case "map_ldom:" -> List.of(GpuBinding.number(entry));
            default -> GpuBinding.bits(entry);
          };
      TreeSet<Integer> own = new TreeSet<>();
      for (int domain : wanted) {
        own.addAll(domain < 0 || domain >= domains.size() ? List.of() : domains.get(domain));
      }
      own.retainAll(all);
      check(List.copyOf(own), all);
      bound.add(List.copyOf(own));
    }
    String word =
        switch (type) {
          case "rank_ldom" -> "LDRANK";
          case "map_ldom:" -> "LDMAP";
          default -> "LDMASK";
        };
    return new CpuBinding(bound, type, choice.list(), word);
  }

  /** What was asked for indirectly, or of what the step has as many as its tasks want CPUs. */
  private static String fitting(StepCpus cpus, BoundTasks tasks) {
    if (tasks.perCore() > 0 || tasks.perSocket() > 0) {
      return tasks.perCore() > 0 ? "cores" : "sockets";
    }
    long wanted = (long) tasks.count() * tasks.cpusPerTask();
    if (wanted == cpus.all().size()) {
      return "threads";
    }
    if (wanted == cpus.cores()) {
      return "cores";
    }
    return wanted == cpus.sockets().size() ? "sockets" : tasks.ifNothingFits();
  }

  /** All tasks on all CPUs. */
  private static CpuBinding together(List<Integer> all, int tasks) {
    if (all.isEmpty()) {
      return none(tasks);
    }
    List<List<Integer>> bound = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      bound.add(all);
    }
    return new CpuBinding(bound, MASKS, mask(all), "MASK");
  }

  private static CpuBinding laid(
      String by, StepCpus cpus, BoundTasks tasks, List<List<Integer>> domains) {
    if (cpus.sockets().isEmpty()) {
      return none(tasks.count());
    }
    boolean wholeCores = by.equals("cores") && tasks.cpusPerTask() % cpus.threadsPerCore() != 0;
    List<List<Integer>> bound = new ArrayList<>();
    List<String> masks = new ArrayList<>();
    for (List<Integer> own : CpuOrder.given(cpus, tasks, wholeCores)) {
      List<Integer> wide =
          switch (by) {
            case "cores" -> cpus.wholeCores(own);
            case "sockets" -> cpus.wholeSockets(own);
            case "ldoms" -> wholeDomains(own, cpus.all(), domains);
            default -> own;
          };
      bound.add(wide);
      masks.add(mask(wide));
    }
    return new CpuBinding(bound, MASKS, String.join(",", masks), "MASK");
  }

  private static List<Integer> wholeDomains(
      List<Integer> cpus, List<Integer> all, List<List<Integer>> domains) {
    TreeSet<Integer> wide = new TreeSet<>(cpus);
    for (List<Integer> domain : domains) {
      if (domain.stream().anyMatch(cpus::contains)) {
        wide.addAll(domain);
      }
    }
    wide.retainAll(all);
    return List.copyOf(wide);
  }

  /** As a mask in hexadecimal digits. */
  static String mask(List<Integer> cpus) {
    BigInteger mask = BigInteger.ZERO;
    for (int cpu : cpus) {
      mask = mask.setBit(cpu);
    }
    return "0x" + mask.toString(16);
  }

  /** The variables that tell it; none where nothing is said. */
  public List<String> variables(boolean verbose) {
    String volume = verbose ? "verbose" : "quiet";
    return type.isEmpty()
        ? List.of()
        : List.of(
            "SLURM_CPU_BIND=" + volume + "," + type + list,
            "SLURM_CPU_BIND_LIST=" + list,
            "SLURM_CPU_BIND_TYPE=" + type,
            "SLURM_CPU_BIND_VERBOSE=" + volume);
  }

  /** The line that tells it of a task, with {@code %p} for its process. */
  public @Nullable String note(String node, int rank, int task) {
    List<Integer> own = cpus.get(task);
    return "cpu-bind=%s - %s, task %2d %2d [%%p]: mask %s%s"
        .formatted(word, node, rank, task, mask(own), own.isEmpty() ? "" : " set");
  }
}
