package io.dure.model.request;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the environment of a job tells the steps in it of what the job asked for, beside CPUs, tasks
 * and memory: variables that {@code srun} reads, by their names after {@code SLURM_}.
 */
public final class AskedVariables {
  private AskedVariables() {}

  /** What the user asked for, and only that. */
  public static SequencedMap<String, String> of(JobSpec spec) {
    List<String> asked = spec.asked();
    ResourceRequest request = spec.resources();
    GresRequest gres = request.gresOrNone();
    SequencedMap<String, String> names = new LinkedHashMap<>();
    put(names, "GPUS", asked.contains("gpus") ? counts(gres.perJob()) : null);
    put(names, "GPUS_PER_NODE", asked.contains("gpus-per-node") ? counts(gres.perNode()) : null);
    put(
        names,
        "GPUS_PER_SOCKET",
        asked.contains("gpus-per-socket") ? counts(gres.perSocket()) : null);
    put(names, "GPUS_PER_TASK", asked.contains("gpus-per-task") ? counts(gres.perTask()) : null);
    put(names, "CPUS_PER_GPU", asked.contains("cpus-per-gpu") ? gres.cpusPerGpu() : null);
    layout(request.more().laid(), names);
    put(names, "TRES_PER_TASK", asked.contains("tres-per-task") ? tresPerTask(request) : null);
    put(names, "NTASKS_PER_CORE", request.more().tasksPerCore());
    put(names, "NTASKS_PER_SOCKET", request.more().tasksPerSocket());
    put(names, "NTASKS_PER_GPU", gres.tasksPerGpu());
    put(names, "GPU_FREQ", request.more().shown().gpuFrequency());
    put(names, "PROFILE", request.more().shown().profile());
    put(names, "ACCTG_FREQ", request.more().shown().accountingFrequency());
    put(names, "NETWORK", request.more().shown().network());
    put(names, "CONTAINER", request.more().shown().container());
    put(names, "CONTAINER_ID", request.more().shown().containerId());
    if (asked.contains("mem-per-gpu")
        && request.memory() instanceof MemoryRequest.PerGpu(long mib)) {
      names.put("MEM_PER_GPU", Long.toString(mib));
    }
    return names;
  }

  private static void put(SequencedMap<String, String> names, String name, @Nullable Object value) {
    if (value != null) {
      names.put(name, value.toString());
    }
  }

  /** Words that only steps follow. */
  private static void layout(
      ResourceRequest.CoreLayout layout, SequencedMap<String, String> names) {
    if (layout.distribution() != null) {
      String text = layout.distribution();
      boolean plane = text.startsWith("plane=");
      names.put("DISTRIBUTION", plane ? "plane" : text);
      if (plane) {
        names.put("DIST_PLANESIZE", text.substring("plane=".length()));
      }
    }
    put(names, "GPU_BIND", layout.gpuBind());
    if (layout.memoryBind() != null) {
      boolean verbose = layout.memoryBind().toLowerCase(Locale.ROOT).startsWith("v");
      names.put("MEM_BIND", layout.memoryBind());
      names.put("MEM_BIND_VERBOSE", verbose ? "verbose" : "quiet");
    }
    put(names, "HINT", layout.hint());
  }

  private static String tresPerTask(ResourceRequest request) {
    StringBuilder text = new StringBuilder();
    if (request.cpusPerTask() > 1) {
      text.append("cpu=").append(request.cpusPerTask());
    }
    for (GresCount one : request.gresOrNone().perTask()) {
      text.append(text.isEmpty() ? "" : ",").append("gres/").append(one.name());
      text.append(one.type() == null ? "" : ":" + one.type()).append('=').append(one.count());
    }
    return text.isEmpty() ? "cpu=1" : text.toString();
  }

  /** GPUs as the options take them: {@code a100:2} or {@code 2}. */
  private static String counts(List<GresCount> counts) {
    StringBuilder text = new StringBuilder();
    for (GresCount one : counts) {
      if (one.name().equals(GresCount.GPU)) {
        text.append(text.isEmpty() ? "" : ",");
        text.append(one.type() == null ? "" : one.type() + ":").append(one.count());
      }
    }
    return text.toString();
  }
}
