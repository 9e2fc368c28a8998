package io.dure.node.job;

import io.dure.host.user.PasswdEntry;
import io.dure.model.HostList;
import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.License;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.node.launch.JobEnvironmentFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads from a job record what its environment tells. All functions are pure. */
final class JobRecordReader {
  private static final List<String> SHARED = List.of("shard", "mps");

  private JobRecordReader() {}

  /** What the job holds, or held while it ends; null before and after. */
  static @Nullable Allocation allocation(Job job) {
    return job.state() instanceof JobState.Ended ended
        ? ended.allocation()
        : job.state().allocated();
  }

  static Instant start(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.start();
      case JobState.Suspended suspended -> suspended.run().start();
      case JobState.Completing completing -> completing.start();
      case JobState.Ended ended -> ended.start() == null ? ended.end() : ended.start();
      case JobState.Pending _ -> job.submitTime();
    };
  }

  static @Nullable Instant end(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.end();
      case JobState.Suspended suspended -> suspended.run().end();
      case JobState.Completing completing -> completing.end();
      case JobState.Ended ended -> ended.end();
      case JobState.Pending _ -> null;
    };
  }

  /** The user's variables, {@code NAME=value}; lines that are none are left out. */
  static SequencedMap<String, String> variables(List<String> lines) {
    SequencedMap<String, String> variables = new LinkedHashMap<>();
    for (String line : lines) {
      int equals = line.indexOf('=');
      if (equals > 0 && line.indexOf('\0') < 0) {
        variables.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return variables;
  }

  static JobEnvironmentFacts.JobIdentity identity(Job job, String cluster, NodeLocalConfig setup) {
    JobSpec spec = job.spec();
    Allocation allocation = allocation(job);
    return new JobEnvironmentFacts.JobIdentity(
        job.id(),
        spec.name(),
        cluster,
        job.owner().userName(),
        job.owner().uid(),
        job.owner().groupName(),
        job.owner().gid(),
        spec.account(),
        spec.qos(),
        allocation == null ? "" : allocation.partition(),
        allocation == null ? null : allocation.reservation(),
        licenses(allocation),
        null,
        job.sluid(),
        start(job),
        end(job),
        job.restarts(),
        job.workload().workDirectory(),
        job.workload().submitHost(),
        setup.confPath());
  }

  private static @Nullable String licenses(@Nullable Allocation allocation) {
    return allocation == null || allocation.licenses().isEmpty()
        ? null
        : License.text(allocation.licenses());
  }

  static JobEnvironmentFacts.AllocatedResources shape(
      Job job, Allocation allocation, NodeShare share, NodeLocalConfig setup) {
    List<Integer> cpus = new ArrayList<>();
    List<Integer> tasks = new ArrayList<>();
    for (NodeShare each : allocation.shares()) {
      cpus.add(each.cpus());
      tasks.add(each.tasks());
    }
    OversubscribeMode sharing = job.spec().resources().sharing();
    return new JobEnvironmentFacts.AllocatedResources(
        HostList.compress(allocation.nodes()),
        cpus,
        tasks,
        share.node(),
        allocation.nodes().indexOf(share.node()),
        share.cpus(),
        setup.topologyAddress(),
        setup.topologyPattern(),
        gpus(share),
        sharing == OversubscribeMode.OVERSUBSCRIBE ? "1" : null,
        sharing == OversubscribeMode.EXCLUSIVE ? "1" : null,
        parts(share, "shard"),
        percent(share, setup));
  }

  /** Indices of the GPUs held, or shared, on the node. */
  static List<Integer> gpus(NodeShare share) {
    return gpus(share.gres());
  }

  /** Indices of the GPUs among these. */
  static List<Integer> gpus(List<GresShare> gres) {
    TreeSet<Integer> gpus = new TreeSet<>();
    for (GresShare one : gres) {
      if (one.name().equals(GresCount.GPU) || SHARED.contains(one.name())) {
        gpus.addAll(one.devices());
      }
    }
    return List.copyOf(gpus);
  }

  private static @Nullable Long parts(NodeShare share, String name) {
    long count = 0;
    for (GresShare one : share.gres()) {
      count += one.name().equals(name) ? one.count() : 0;
    }
    return count == 0 ? null : (Long) count;
  }

  /** The job's part of a GPU's threads under MPS, in hundredths. */
  private static @Nullable Long percent(NodeShare share, NodeLocalConfig setup) {
    Long mps = parts(share, "mps");
    for (CountedGres stock : setup.node().resources().stocks()) {
      if (mps != null && stock.name().equals("mps") && gpus(share).contains(stock.gpu())) {
        return Math.max(1, mps * 100 / Math.max(1, stock.count()));
      }
    }
    return null;
  }

  static JobEnvironmentFacts.RequestedResources asked(Job job) {
    List<String> asked = job.spec().asked();
    ResourceRequest request = job.spec().resources();
    boolean tasks =
        asked.contains("ntasks") || asked.stream().anyMatch(name -> name.startsWith("ntasks-per"));
    MemoryRequest memory = request.memory();
    return new JobEnvironmentFacts.RequestedResources(
        tasks ? (Integer) request.tasks() : null,
        request.tasksPerNode(),
        asked.contains("cpus-per-task") ? (Integer) request.cpusPerTask() : null,
        request.threadsPerCore(),
        memory instanceof MemoryRequest.PerNode(long mib) ? (Long) mib : null,
        memory instanceof MemoryRequest.PerCpu(long mib) ? (Long) mib : null,
        request.overcommit(),
        others(job));
  }

  /** What else was asked for, under the names that srun reads. */
  private static SequencedMap<String, String> others(Job job) {
    List<String> asked = job.spec().asked();
    ResourceRequest request = job.spec().resources();
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

  static JobEnvironmentFacts.@Nullable ArrayPlace array(Job job) {
    return job.array() instanceof ArrayPart.Task task
        ? new JobEnvironmentFacts.ArrayPlace(
            task.arrayJobId(),
            task.index(),
            task.shape().count(),
            task.shape().max(),
            task.shape().min(),
            task.shape().step())
        : null;
  }

  static JobEnvironmentFacts.Login login(PasswdEntry account, NodeLocalConfig setup) {
    String temporary = setup.node().fill(setup.settings().daemon().tmpFs());
    return new JobEnvironmentFacts.Login(
        account.home().isEmpty() ? "/" : account.home(),
        account.shell().isEmpty() ? "/bin/sh" : account.shell(),
        temporary.isEmpty() ? "/tmp" : temporary);
  }
}
