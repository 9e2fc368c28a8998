package io.dure.surface.show;

import io.dure.model.gres.GresShare;
import io.dure.model.node.NodeGpu;
import io.dure.model.node.NodeMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs of a node as its drivers tell of them, a line each, which Slurm has not. What is not
 * known is left out; how a GPU is stands at the end, as it may be a sentence.
 */
final class NodeGpuText {
  private NodeGpuText() {}

  static List<String> lines(List<NodeGpu> gpus, @Nullable NodeMetrics load) {
    List<String> health = load == null ? List.of() : load.gpuHealth();
    List<String> lines = new ArrayList<>();
    for (NodeGpu gpu : gpus) {
      int index = lines.size();
      StringBuilder line = new StringBuilder("GPU=").append(index);
      add(line, "Driver", gpu.driver());
      add(line, "Type", gpu.type());
      add(line, "UUID", gpu.uuid());
      add(line, "File", String.join(",", gpu.files()));
      add(line, "Memory", gpu.memoryMib() == 0 ? "" : gpu.memoryMib() + "M");
      add(line, "Cores", GresShare.ranges(gpu.cores()));
      add(line, "Links", joined(gpu.links()));
      add(line, "MIG", parts(gpu));
      add(line, "Health", index < health.size() ? health.get(index) : NodeGpu.UNKNOWN);
      lines.add(line.toString());
    }
    return lines;
  }

  private static void add(StringBuilder line, String key, String value) {
    if (!value.isEmpty()) {
      line.append(' ').append(key).append('=').append(value);
    }
  }

  private static String joined(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static String parts(NodeGpu gpu) {
    return gpu.parts().stream()
        .map(part -> part.profile() + ":" + part.uuid())
        .collect(Collectors.joining(","));
  }
}
