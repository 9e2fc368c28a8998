package io.dure.placement.admission;

import io.dure.model.config.MemoryLimit;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.gres.GpuDefaults;
import io.dure.model.config.gres.TresSettings;
import io.dure.model.gres.GresRequest;
import io.dure.model.request.DependencyList;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a request leaves open: partition, time limit, memory, CPUs with each GPU. */
final class SpecDefaults {
  private SpecDefaults() {}

  /** The partition whose time is taken: one that is down would keep the job out of the others. */
  private static PartitionConfig firstThatStarts(
      AdmissionView view, List<String> partitions, PartitionConfig otherwise) {
    for (String name : partitions) {
      PartitionConfig partition = view.partition(name);
      if (partition != null && partition.state().starts()) {
        return partition;
      }
    }
    return otherwise;
  }

  /** The request with partition, time limit and memory settled. */
  static JobSpec fill(AdmissionView view, JobSpec spec, List<String> partitions) {
    PartitionConfig first = view.partition(partitions.getFirst());
    if (first == null) {
      throw new IllegalStateException("unchecked partition " + partitions.getFirst());
    }
    TimeLimit limit =
        spec.timeLimit() instanceof TimeLimit.PartitionDefault
            ? defaultLimit(firstThatStarts(view, partitions, first))
            : spec.timeLimit();
    MemoryRequest memory = spec.resources().memory();
    TresSettings cluster = view.settings().resources();
    GpuDefaults defaults = first.gpuDefaults().or(cluster.cpusPerGpu(), cluster.memoryPerGpuMib());
    ResourceRequest resources = withGpuDefaults(defaults.cpus(), spec.resources());
    boolean gpus = GresRequest.gpus(resources.gresOrNone().all()) > 0;
    Long perGpu = defaults.memoryMib();
    if (memory instanceof MemoryRequest.Default) {
      memory =
          gpus && perGpu != null ? new MemoryRequest.PerGpu(perGpu) : defaultMemory(view, first);
    }
    return spec.with()
        .partitions(partitions)
        .timeLimit(limit)
        .resources(withSwitchWait(view, withinMaxMemory(view, first, resources.withMemory(memory))))
        .dependency(
            spec.dependency().conditions().isEmpty() ? DependencyList.NONE : spec.dependency())
        .build();
  }

  /** How long it waits for few switches, which is no longer than the cluster lets jobs wait. */
  private static ResourceRequest withSwitchWait(AdmissionView view, ResourceRequest request) {
    ResourceRequest.NodePreferences reach = request.reach();
    if (reach.switches() == null) {
      return request;
    }
    Duration most = view.settings().scheduling().maxSwitchWait();
    Duration asked = reach.switchWait();
    Duration wait = asked == null || asked.compareTo(most) > 0 ? most : asked;
    return request.with(reach.withSwitchWait(wait));
  }

  /** CPUs with each GPU where the job asks neither for those nor for CPUs of a task. */
  private static ResourceRequest withGpuDefaults(@Nullable Integer cpus, ResourceRequest request) {
    GresRequest gres = request.gresOrNone();
    boolean open =
        cpus != null
            && gres.cpusPerGpu() == null
            && request.cpusPerTask() == 1
            && GresRequest.gpus(gres.all()) > 0;
    return open ? request.withGres(gres.withCpusPerGpu(cpus)) : request;
  }

  /** More memory than a CPU may have is that of more CPUs (MaxMemPerCPU). */
  private static ResourceRequest withinMaxMemory(
      AdmissionView view, PartitionConfig partition, ResourceRequest request) {
    MemoryLimit most =
        partition.maxMemory() == null ? view.settings().jobs().maxMemory() : partition.maxMemory();
    if (most == null || most.scope() != MemoryLimit.Scope.CPU || most.memoryMib() == 0) {
      return request;
    }
    return switch (request.memory()) {
      case MemoryRequest.PerCpu(long mib) when mib > most.memoryMib() -> {
        long times = Math.ceilDiv(mib, most.memoryMib());
        long cpus = Math.min(Integer.MAX_VALUE / request.tasks(), request.cpusPerTask() * times);
        MemoryRequest less = new MemoryRequest.PerCpu(Math.ceilDiv(mib, times));
        yield request.with((int) cpus, request.minCpusPerNode(), less);
      }
      case MemoryRequest.PerNode(long mib) -> {
        long cpus = Math.min(Integer.MAX_VALUE, Math.ceilDiv(mib, most.memoryMib()));
        int least = Math.max(request.minCpusPerNode(), (int) cpus);
        yield request.with(request.cpusPerTask(), least, request.memory());
      }
      case MemoryRequest.PerCpu _, MemoryRequest.PerGpu _, MemoryRequest.Default _ -> request;
    };
  }

  private static TimeLimit defaultLimit(PartitionConfig partition) {
    Duration limit = partition.limits().defaultTime();
    if (limit == null) {
      limit = partition.limits().maxTime();
    }
    return limit == null ? new TimeLimit.Unlimited() : new TimeLimit.Limited(limit);
  }

  private static MemoryRequest defaultMemory(AdmissionView view, PartitionConfig partition) {
    MemoryLimit limit = partition.defaultMemory();
    if (limit == null) {
      limit = view.settings().jobs().defaultMemory();
    }
    if (limit == null) {
      return new MemoryRequest.Default();
    }
    return switch (limit.scope()) {
      case CPU -> new MemoryRequest.PerCpu(limit.memoryMib());
      case NODE -> new MemoryRequest.PerNode(limit.memoryMib());
    };
  }
}
