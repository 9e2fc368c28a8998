package io.dure.surface.show;

import io.dure.model.HostList;
import io.dure.model.TaskIndices;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.surface.facts.GresFormat;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.print.MemorySizeFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a job's record that say what it asked for and what it got.
 *
 * @param facts the job with what its state says
 */
record JobResourceText(JobDetails facts) {

  private static final String NONE = "(null)";

  void addTo(RecordText record, boolean details) {
    ResourceRequest asked = facts.info().job().spec().resources();
    record
        .line("ReqNodeList", list(asked.requiredNodes()))
        .and("ExcNodeList", list(asked.excludedNodes()));
    nodes(record);
    counts(record, asked);
    record
        .line("Socks/Node", star(asked.socketsPerNode()))
        .and(
            "NtasksPerN:B:S:C",
            (asked.tasksPerNode() == null ? 0 : asked.tasksPerNode())
                + ":0:"
                + star(asked.more().tasksPerSocket())
                + ":"
                + star(asked.more().tasksPerCore()))
        .and("CoreSpec", "*");
    if (details && facts.allocation() != null) {
      shares(record, facts.allocation());
    }
    record
        .line("MinCPUsNode", facts.minCpus() + " " + minMemory(asked.memory()))
        .and("MinTmpDiskNode", MemorySizeFormat.format(asked.tmpDiskMib()));
    String features = asked.features();
    KeptOptions kept = asked.more().shown();
    Duration boot = kept.delayBoot();
    record
        .line("Features", features == null ? NONE : features)
        .and("DelayBoot", ElapsedTimeFormat.full(boot == null ? 0 : boot.toSeconds()));
    record.lineIf(kept.clusterFeatures() != null, "ClusterFeatures=" + kept.clusterFeatures());
    String prefer = asked.reach().prefer();
    record.lineIf(prefer != null, "Prefer=" + prefer);
    String reservation = facts.reservation();
    record.lineIf(reservation != null, "Reservation=" + reservation);
    record
        .line(sharing(asked, facts.sharesCores()))
        .and("Contiguous", asked.contiguous() ? 1 : 0)
        .and("Licenses", asked.more().licenses() == null ? NONE : asked.more().licenses().text())
        .and("LicensesAlloc", facts.licenses(NONE))
        .and("Network", kept.network() == null ? NONE : kept.network());
  }

  /** The lines that only jobs with generic resources have. */
  void addGres(RecordText record) {
    ResourceRequest asked = facts.info().job().spec().resources();
    GresRequest gres = asked.gresOrNone();
    if (gres.cpusPerGpu() != null) {
      record.line("CpusPerTres=gres/gpu:" + gres.cpusPerGpu());
    }
    if (asked.memory() instanceof MemoryRequest.PerGpu(long mib)) {
      record.line("MemPerTres=gres/gpu:" + mib);
    }
    counts(record, "TresPerJob=", gres.perJob());
    counts(record, "TresPerNode=", gres.perNode());
    counts(record, "TresPerSocket=", gres.perSocket());
    String bind = asked.more().laid().gpuBind();
    if (bind != null) {
      record.line("TresBind=gres/gpu:" + bind);
    }
    KeptOptions kept = asked.more().shown();
    record.lineIf(kept.tresBind() != null, "TresBind=" + kept.tresBind());
    record.lineIf(kept.gpuFrequency() != null, "TresFreq=gpu:" + kept.gpuFrequency());
    record.lineIf(!gres.perTask().isEmpty(), "TresPerTask=" + GresFormat.perTask(gres.perTask()));
  }

  private static void counts(RecordText record, String name, List<GresCount> counts) {
    record.lineIf(!counts.isEmpty(), name + GresFormat.asked(counts));
  }

  private void nodes(RecordText record) {
    Allocation allocation = facts.allocation();
    String planned =
        facts.info().scheduledNodes().isEmpty()
            ? ""
            : " SchedNodeList=" + HostList.compress(facts.info().scheduledNodes());
    if (allocation == null) {
      record.line("NodeList=" + planned);
    } else {
      record.line("NodeList", HostList.compress(allocation.nodes()) + planned);
      record.line("BatchHost=" + allocation.batchHost());
    }
  }

  private void counts(RecordText record, ResourceRequest asked) {
    Allocation allocation = facts.allocation();
    String nodes =
        allocation == null ? nodeCount(asked) : Integer.toString(allocation.shares().size());
    boolean neverRan = allocation == null && facts.info().job().state() instanceof JobState.Ended;
    record
        .line("NumNodes", nodes)
        .and("NumCPUs", facts.cpus())
        .and("NumTasks", neverRan ? "N/A" : facts.tasks())
        .and("CPUs/Task", asked.cpusPerTask())
        .and(
            "ReqB:S:C:T",
            "0:0:" + star(asked.coresPerSocket()) + ":" + star(asked.threadsPerCore()));
    record.line("ReqTRES=" + facts.requestedTres());
    record.line("AllocTRES=" + (allocation == null ? NONE : facts.tres()));
  }

  /** A range where the user named a number of nodes, as it is not known yet which it will be. */
  private String nodeCount(ResourceRequest asked) {
    JobSpec spec = facts.info().job().spec();
    boolean range =
        spec.asked().contains("nodes") && facts.info().job().state() instanceof JobState.Pending;
    return range ? asked.minNodes() + "-" + asked.maxNodes() : Integer.toString(asked.minNodes());
  }

  private static String minMemory(MemoryRequest memory) {
    return switch (memory) {
      case MemoryRequest.PerNode(long mib) -> "MinMemoryNode=" + MemorySizeFormat.format(mib);
      case MemoryRequest.PerCpu(long mib) -> "MinMemoryCPU=" + MemorySizeFormat.format(mib);
      case MemoryRequest.PerGpu(long mib) -> "MinMemoryTRES=gres/gpu:" + mib;
      case MemoryRequest.Default _ -> "MinMemoryNode=0";
    };
  }

  private static String sharing(ResourceRequest asked, boolean shared) {
    OversubscribeMode mode = asked.sharing();
    return "OverSubscribe=" + mode.oversubscribes(shared) + " Exclusive=" + mode.excludes();
  }

  /** Nodes that give the same share a line. */
  private static void shares(RecordText record, Allocation allocation) {
    String total = GresFormat.total(allocation);
    Map<String, List<String>> byShare = new LinkedHashMap<>();
    for (NodeShare share : allocation.shares()) {
      String text =
          " CPU_IDs="
              + cpuIds(share)
              + " Mem="
              + share.memoryMib()
              + " GRES="
              + GresFormat.held(share.gres());
      byShare.computeIfAbsent(text, _ -> new ArrayList<>()).add(share.node());
    }
    record.line("JOB_GRES=" + (total.isEmpty() ? NONE : total));
    byShare.forEach((share, nodes) -> record.line("  Nodes=" + HostList.compress(nodes) + share));
  }

  /** Hardware threads by number: those of core 0 first, then those of core 1. */
  private static String cpuIds(NodeShare share) {
    int cores = Math.max(1, share.cores().size());
    int threads = Math.max(1, (share.cpus() + cores - 1) / cores);
    List<Integer> ids = new ArrayList<>();
    for (int core : share.cores()) {
      for (int thread = 0; thread < threads; thread++) {
        ids.add(core * threads + thread);
      }
    }
    return TaskIndices.of(ids).text();
  }

  private static String star(@Nullable Integer count) {
    return count == null ? "*" : Integer.toString(count);
  }

  private static String list(List<String> nodes) {
    return nodes.isEmpty() ? NONE : HostList.compress(nodes);
  }
}
