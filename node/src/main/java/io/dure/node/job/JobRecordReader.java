package io.dure.node.job;

import io.dure.host.user.PasswdEntry;
import io.dure.model.HostList;
import io.dure.model.collection.GroupedShares;
import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobVariables;
import io.dure.model.job.NodeShare;
import io.dure.model.request.AskedVariables;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.node.binding.GpuBinding;
import io.dure.node.launch.JobEnvironmentFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads from a job record what its environment tells. All functions are pure. */
final class JobRecordReader {
  static final List<String> SHARED = List.of("shard", "mps");

  private JobRecordReader() {}

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
    Allocation allocation = JobVariables.allocation(job);
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
        JobVariables.licenses(job),
        null,
        job.sluid(),
        JobVariables.start(job),
        JobVariables.end(job),
        job.restarts(),
        job.workload().workDirectory(),
        job.workload().submitHost(),
        setup.confPath());
  }

  static JobEnvironmentFacts.AllocatedResources shape(
      Job job, Allocation allocation, NodeShare share, NodeLocalConfig setup) {
    OversubscribeMode sharing = job.spec().resources().sharing();
    return new JobEnvironmentFacts.AllocatedResources(
        HostList.compress(allocation.nodes()),
        GroupedShares.numbers(allocation.shares(), NodeShare::cpus),
        GroupedShares.numbers(allocation.shares(), NodeShare::tasks),
        share.node(),
        allocation.nodes().indexOf(share.node()),
        share.cpus(),
        setup.topologyAddress(),
        setup.topologyPattern(),
        gpus(share),
        visible(gpus(share), gpus(share), setup),
        sharing == OversubscribeMode.OVERSUBSCRIBE ? "1" : null,
        sharing == OversubscribeMode.EXCLUSIVE ? "1" : null,
        parts(share, "shard"),
        percent(share, setup));
  }

  /** What drivers call some of these GPUs where a program may open these, and perhaps no others. */
  static String visible(List<Integer> some, List<Integer> gpus, NodeLocalConfig setup) {
    List<Integer> numbers =
        setup.settings().steps().constrainsDevices() ? GpuBinding.local(some, gpus) : some;
    List<String> names = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      String uuid = uuid(some.get(i), setup);
      names.add(uuid.isEmpty() ? numbers.get(i).toString() : uuid);
    }
    return String.join(",", names);
  }

  private static String uuid(int gpu, NodeLocalConfig setup) {
    for (GresDevice device : setup.node().resources().devices()) {
      if (device.name().equals(GresCount.GPU) && device.index() == gpu) {
        return device.uuid();
      }
    }
    return "";
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
        AskedVariables.of(job.spec()));
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
