package io.dure.placement.admission;

import io.dure.model.ErrorCode;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.ClusterSettings.EnforcePartLimits;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.SamplingInterval;
import io.dure.model.request.TimeLimit;
import io.dure.placement.JobFeasibility;
import io.dure.rules.SchedulerView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a request can ever be served by the nodes the cluster has. */
public final class ResourceChecks {
  /** The longest limit in minutes, as many as Slurm can count. */
  public static final long MOST_MINUTES = 0xFFFF_FFFDL;

  private static final long MOST_MIB = 1L << 42;
  private static final long MOST_GPUS = 1L << 20;

  private ResourceChecks() {}

  /** Why a request makes no sense on any cluster, null if it does: what follows may rely on it. */
  public static @Nullable ErrorCode senseless(JobSpec spec) {
    ResourceRequest request = spec.resources();
    if (request.minNodes() < 1 || request.maxNodes() < request.minNodes()) {
      return ErrorCode.INVALID_NODE_COUNT;
    }
    Integer segment = request.reach().segment();
    if (segment != null && (segment < 1 || request.minNodes() % segment != 0)) {
      return ErrorCode.NODE_CONFIG_UNAVAILABLE;
    }
    if (!BatchNode.isPossible(request)) {
      return ErrorCode.INVALID_FEATURE;
    }
    Integer perNode = request.tasksPerNode();
    if (request.tasks() < 1
        || request.cpusPerTask() < 1
        || request.minCpusPerNode() < 1
        || (perNode != null && perNode < 0)) {
      return ErrorCode.CPU_COUNT_INVALID;
    }
    if ((long) request.tasks() * request.cpusPerTask() > Integer.MAX_VALUE) {
      return ErrorCode.TOO_MANY_CPUS;
    }
    long memory =
        switch (request.memory()) {
          case MemoryRequest.PerNode(long mib) -> mib;
          case MemoryRequest.PerCpu(long mib) -> mib;
          case MemoryRequest.PerGpu(long mib) -> mib;
          case MemoryRequest.Default _ -> 0;
        };
    if (memory < 0 || memory > MOST_MIB || request.tmpDiskMib() < 0) {
      return ErrorCode.MEMORY_UNAVAILABLE;
    }
    return spec.timeLimit() instanceof TimeLimit.Limited(Duration limit)
            && (limit.toMinutes() < 1 || limit.toMinutes() > MOST_MINUTES)
        ? ErrorCode.INVALID_TIME_LIMIT
        : null;
  }

  /** Why generic resources cannot be asked for in this way, null if they can. */
  public static @Nullable ErrorCode gresRefusal(List<String> types, ResourceRequest request) {
    GresRequest gres = request.gresOrNone();
    boolean perGpu = request.memory() instanceof MemoryRequest.PerGpu;
    boolean withoutGpus = GresRequest.gpus(gres.all()) == 0;
    if (withoutGpus && (perGpu || gres.cpusPerGpu() != null || gres.tasksPerGpu() != null)) {
      return ErrorCode.INVALID_GRES;
    }
    Map<String, Boolean> typed = new TreeMap<>();
    for (GresCount one : gres.all()) {
      long most = one.name().equals(GresCount.GPU) ? MOST_GPUS : MOST_MIB;
      if (!types.contains(one.name()) || one.count() < 0 || one.count() > most) {
        return ErrorCode.INVALID_GRES;
      }
      Boolean before = typed.put(one.name(), one.type() != null);
      if (before != null && before != (one.type() != null)) {
        return ErrorCode.INVALID_GRES_TYPE;
      }
    }
    long ways = Stream.of(GresCount.GPU, "shard", "mps").filter(typed::containsKey).count();
    boolean sockets = gres.perSocket().isEmpty() || request.socketsPerNode() != null;
    return ways > 1 || !sockets || !agrees(request) ? ErrorCode.INVALID_GRES : null;
  }

  /** Whether what is asked for in two ways is the same number. */
  private static boolean agrees(ResourceRequest request) {
    GresRequest gres = request.gresOrNone();
    long job = GresRequest.gpus(gres.perJob());
    long node = GresRequest.gpus(gres.perNode());
    long task = GresRequest.gpus(gres.perTask());
    boolean byNode =
        job == 0
            || node == 0
            || request.minNodes() == request.maxNodes() && node * request.minNodes() == job;
    return byNode && (job == 0 || task == 0 || task * request.tasks() == job);
  }

  /** Whether a node would have to take more tasks than MaxTasksPerNode. */
  public static boolean tooManyTasks(ClusterSettings.Jobs limits, ResourceRequest request) {
    Integer perNode = request.tasksPerNode();
    return (perNode != null && perNode > limits.maxTasksPerNode())
        || request.tasks() > (long) request.maxNodes() * limits.maxTasksPerNode();
  }

  /** Why a request is refused, null if one of its partitions can serve it, or may some day. */
  public static @Nullable Refusal refusal(SchedulerView view, JobSpec spec) {
    LicenseRequest licenses = spec.resources().more().licenses();
    if (licenses != null && licenses.free(view.licenses(), List.of()) == null) {
      return new Refusal(ErrorCode.INVALID_LICENSES);
    }
    ErrorCode gres = gresRefusal(view.settings().resources().gresTypes(), spec.resources());
    if (gres != null) {
      return new Refusal(gres);
    }
    EnforcePartLimits enforce = view.settings().jobs().enforcePartLimits();
    Refusal last = null;
    boolean some = false;
    for (String name : spec.partitions()) {
      PartitionConfig partition = view.partition(name);
      if (partition == null) {
        continue;
      }
      Refusal one =
          switch (JobFeasibility.configured(view, partition, spec)) {
            case JobFeasibility.Answer.Possible _ -> null;
            case JobFeasibility.Answer.Refused(var code, String detail) ->
                new Refusal(code, detail);
            case JobFeasibility.Answer.Waits(_, var code) ->
                enforce == EnforcePartLimits.NO ? null : new Refusal(code);
          };
      if (one == null) {
        some = true;
      } else if (enforce == EnforcePartLimits.ALL) {
        return one;
      } else {
        last = one;
      }
    }
    return some ? null : last;
  }

  /** Whether the memory of a job with a limit of it would be looked at less than the site wants. */
  static boolean isLookedAtTooSeldom(ClusterSettings settings, ResourceRequest request) {
    boolean limited =
        switch (request.memory()) {
          case MemoryRequest.PerNode(long mib) -> mib > 0;
          case MemoryRequest.PerCpu(long mib) -> mib > 0;
          case MemoryRequest.PerGpu(long mib) -> mib > 0;
          case MemoryRequest.Default _ -> false;
        };
    return !SamplingInterval.mayHave(
        SamplingInterval.ofTasks(request.more().shown().accountingFrequency()),
        settings.steps().memory().every().toSeconds(),
        limited);
  }
}
