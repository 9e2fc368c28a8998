package io.dure.node.binding;

import io.dure.protocol.step.TaskBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The domains of memory that a task is bound to, by {@code --mem-bind}.
 *
 * @param domains their numbers, none where it is not bound
 * @param prefers whether other domains do where these are full
 * @param word what is said of it where that is asked for
 * @param failure why it cannot be bound, null if it can
 */
public record MemoryBinding(
    List<Integer> domains, boolean prefers, String word, @Nullable String failure) {

  /** Not bound. */
  public static final MemoryBinding NONE = new MemoryBinding(List.of(), false, "NONE", null);

  /**
   * That of a task.
   *
   * @param task its number on the node
   * @param cpus the CPUs that it runs on, none for any
   * @param all the CPUs of each domain of the machine
   */
  public static MemoryBinding of(
      TaskBinding.Choice choice, int task, List<Integer> cpus, List<List<Integer>> all) {
    String type = choice.type();
    String entry = GpuBinding.entry(choice.list(), task);
    return switch (type) {
      case "local" -> new MemoryBinding(near(cpus, all), choice.prefers(), "LOC", null);
      case "rank" -> named(choice, List.of(task), task, all);
      case "map_mem:" -> named(choice, List.of(GpuBinding.number(entry)), task, all);
      case "mask_mem:" -> named(choice, GpuBinding.bits(entry), task, all);
      default -> NONE;
    };
  }

  private static List<Integer> near(List<Integer> cpus, List<List<Integer>> all) {
    List<Integer> near = new ArrayList<>();
    for (int domain = 0; domain < all.size(); domain++) {
      if (cpus.isEmpty() || all.get(domain).stream().anyMatch(cpus::contains)) {
        near.add(domain);
      }
    }
    return List.copyOf(near);
  }

  private static MemoryBinding named(
      TaskBinding.Choice choice, List<Integer> wanted, int task, List<List<Integer>> all) {
    String type = choice.type().replace(":", "");
    String word =
        switch (type) {
          case "rank" -> "RANK";
          case "map_mem" -> "MAP";
          default -> "MASK";
        };
    for (int domain : wanted) {
      if (domain < 0 || domain >= all.size()) {
        return new MemoryBinding(
            List.of(),
            false,
            word,
            "slurmstepd: error: NUMA node "
                + domain
                + " does not exist; cannot bind local task "
                + task
                + " to it (--mem-bind="
                + type
                + ")");
      }
    }
    return wanted.isEmpty()
        ? new MemoryBinding(
            List.of(),
            false,
            word,
            "slurmstepd: error: --mem-bind value is empty for local task " + task)
        : new MemoryBinding(List.copyOf(wanted), choice.prefers(), word, null);
  }

  /**
   * The line that tells it, with {@code %p} for the task's process.
   *
   * @param all how many domains there are
   */
  public String note(String node, int rank, int task, int all) {
    boolean free = domains.isEmpty() && failure == null;
    return "mem-bind%s%s - %s, task %2d %2d [%%p]: mask %s%s"
        .formatted(
            prefers ? " PREFER " : "=",
            word,
            node,
            rank,
            task,
            CpuBinding.mask(free ? IntStream.range(0, all).boxed().toList() : domains),
            domains.isEmpty() ? "" : " set");
  }
}
