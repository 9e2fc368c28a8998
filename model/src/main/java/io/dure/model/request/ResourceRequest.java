package io.dure.model.request;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.LicenseRequest;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shape of the allocation that a job asks for. Counts are final: defaults that depend on other
 * options (tasks from nodes and the like) were worked out by the code that made the request.
 *
 * @param minNodes fewest nodes, at least 1
 * @param maxNodes most nodes, at least {@code minNodes}
 * @param tasks number of tasks, at least 1
 * @param cpusPerTask CPUs for each task, at least 1
 * @param tasksPerNode most tasks on one node ({@code --ntasks-per-node}), null where not asked
 * @param minCpusPerNode {@code --mincpus}, at least 1
 * @param memory memory asked for
 * @param tmpDiskMib least temporary disk on each node, MiB
 * @param sharing whether neighbours are accepted
 * @param requiredNodes node names that must all be part of the allocation
 * @param excludedNodes node names that must not be part of it
 * @param features constraint expression ({@code a&b}, {@code a|b}), null where none
 * @param contiguous nodes must be neighbours in the configuration's order
 * @param overcommit tasks may outnumber CPUs
 * @param socketsPerNode least sockets on each node, null where not asked
 * @param coresPerSocket least cores on each socket, null where not asked
 * @param threadsPerCore least threads on each core, null where not asked
 * @param gres generic resources, null where none are asked for
 * @param further what few jobs ask for, null where this one asks for nothing of it
 */
@RecordBuilder
public record ResourceRequest(
    int minNodes,
    int maxNodes,
    int tasks,
    int cpusPerTask,
    @Nullable Integer tasksPerNode,
    int minCpusPerNode,
    MemoryRequest memory,
    long tmpDiskMib,
    OversubscribeMode sharing,
    List<String> requiredNodes,
    List<String> excludedNodes,
    @Nullable String features,
    boolean contiguous,
    boolean overcommit,
    @Nullable Integer socketsPerNode,
    @Nullable Integer coresPerSocket,
    @Nullable Integer threadsPerCore,
    @Nullable GresRequest gres,
    @Nullable RareOptions further)
    implements ResourceRequestBuilder.With {

  /**
   * What few jobs ask for.
   *
   * @param tasksPerCore most tasks on one core ({@code --ntasks-per-core}), null where not asked
   * @param tasksPerSocket most tasks on one socket ({@code --ntasks-per-socket}), likewise
   * @param licenses licences, null where none
   * @param reach which nodes of many, null where it asks for nothing of that
   * @param layout how it lies on a node's cores and devices, null for the cluster's way
   * @param kept what is kept and shown and decides nothing, null where there is none
   * @param batchFeatures what the node of the script should have ({@code --batch}), null where that
   *     is not asked
   */
  @RecordBuilder
  public record RareOptions(
      @Nullable Integer tasksPerCore,
      @Nullable Integer tasksPerSocket,
      @Nullable LicenseRequest licenses,
      @Nullable NodePreferences reach,
      @Nullable CoreLayout layout,
      @Nullable KeptOptions kept,
      @Nullable String batchFeatures)
      implements ResourceRequestRareOptionsBuilder.With {
    /** Nothing of it. */
    public static final RareOptions NONE =
        new RareOptions(null, null, null, null, null, null, null);

    /** How it lies on a node's cores and devices. */
    public CoreLayout laid() {
      return layout == null ? CoreLayout.USUAL : layout;
    }

    /** What is kept and shown. */
    public KeptOptions shown() {
      return kept == null ? KeptOptions.NONE : kept;
    }
  }

  /**
   * Which nodes of many a job asks for.
   *
   * @param breadth how many of those between the fewest and the most, null for as few as will do
   * @param prefer features that are tried first ({@code --prefer}), null where none
   * @param switches most leaf switches to spread over ({@code --switches}), null for any number
   * @param switchWait how long it waits for so few, null for as long as the cluster lets jobs wait
   * @param segment nodes come in groups of so many, each within one block ({@code --segment}), null
   *     where that is not asked
   * @param spreadSegments whether each of these groups has a block of its own ({@code
   *     --spread-segments})
   */
  @RecordBuilder
  public record NodePreferences(
      @Nullable NodeCountPreference breadth,
      @Nullable String prefer,
      @Nullable Integer switches,
      @Nullable Duration switchWait,
      @Nullable Integer segment,
      boolean spreadSegments)
      implements ResourceRequestNodePreferencesBuilder.With {
    /** Nothing of it. */
    public static final NodePreferences NONE =
        new NodePreferences(null, null, null, null, null, false);

    /** The same over so many switches. */
    public NodePreferences over(@Nullable Integer most, @Nullable Duration wait) {
      return with().switches(most).switchWait(wait).build();
    }
  }

  /** How many nodes of those between the fewest and the most. */
  public enum NodeCountPreference {
    /** As many as there may be, each with at least one of the tasks. */
    TASKS,
    /** As many as there may be; the number of tasks was not given and grows with the nodes. */
    NODES
  }

  /**
   * How a job lies on a node's cores and devices. Words that only steps follow are passed on to
   * them.
   *
   * @param distribution {@code --distribution} as typed, null where not asked
   * @param coreOrder what it says of sockets, null for the cluster's way
   * @param binding whether cores must be near devices ({@code --gres-flags}), null where not asked
   * @param gpuBind {@code --gpu-bind} as typed, null where not asked
   * @param memoryBind {@code --mem-bind} as typed, null where not asked
   * @param hint {@code --hint} as typed, null where not asked
   */
  public record CoreLayout(
      @Nullable String distribution,
      @Nullable CoreOrder coreOrder,
      @Nullable Binding binding,
      @Nullable String gpuBind,
      @Nullable String memoryBind,
      @Nullable String hint) {
    /** The cluster's way. */
    public static final CoreLayout USUAL = new CoreLayout(null, null, null, null, null, null);
  }

  /** In which order the sockets of a node give cores to a job. */
  public enum CoreOrder {
    /** One of each socket, and again. */
    IN_TURNS,
    /** All of one socket, then of the next. */
    FILLED
  }

  /** Whether a job's cores are near its devices. */
  public enum Binding {
    /** They must be. */
    ENFORCED,
    /** They need not be. */
    FREE
  }

  /** So many tasks of so many CPUs on just so many nodes, with the memory that comes with them. */
  public static ResourceRequest of(int nodes, int tasks, int cpusPerTask) {
    return new ResourceRequest(
        nodes,
        nodes,
        tasks,
        cpusPerTask,
        null,
        1,
        new MemoryRequest.Default(),
        0,
        OversubscribeMode.DEFAULT,
        List.of(),
        List.of(),
        null,
        false,
        false,
        null,
        null,
        null,
        null,
        null);
  }

  /** Which nodes of many it asks for, which may be nothing. */
  public NodePreferences reach() {
    NodePreferences reach = more().reach();
    return reach == null ? NodePreferences.NONE : reach;
  }

  /** The same on other nodes; of what it is nothing any more, nothing is kept. */
  public ResourceRequest with(NodePreferences other) {
    RareOptions next = more().withReach(other.equals(NodePreferences.NONE) ? null : other);
    return withFurther(next.equals(RareOptions.NONE) ? null : next);
  }

  /** The generic resources asked for, which may be none. */
  public GresRequest gresOrNone() {
    return gres == null ? GresRequest.NONE : gres;
  }

  /** What few jobs ask for, which may be nothing. */
  public RareOptions more() {
    return further == null ? RareOptions.NONE : further;
  }

  /** The same on nodes with its preferred features, which then are demanded. */
  public ResourceRequest requiringPreferredFeatures() {
    return withFeatures(reach().prefer()).with(reach().withPrefer(null));
  }

  /** The same with other CPUs and memory. */
  public ResourceRequest with(int cpusOfTask, int cpusOfNode, MemoryRequest other) {
    return with().cpusPerTask(cpusOfTask).minCpusPerNode(cpusOfNode).memory(other).build();
  }

  /** The same on another number of nodes. */
  public ResourceRequest withNodes(int min, int max) {
    return with().minNodes(min).maxNodes(max).build();
  }

  /** CPUs that the tasks need in all; with overcommit one a node is enough. */
  public int totalCpus() {
    return overcommit ? minNodes : Math.multiplyExact(tasks, cpusPerTask);
  }

  /** CPUs that it needs in all, for its tasks, its nodes or its GPUs. */
  public int neededCpus() {
    Integer perGpu = gresOrNone().cpusPerGpu();
    long ofGpus = perGpu == null ? 0 : perGpu * totalGpus();
    long ofNodes = (long) minNodes * minCpusPerNode;
    return Math.clamp(Math.max(totalCpus(), Math.max(ofGpus, ofNodes)), 1, Integer.MAX_VALUE);
  }

  /** GPUs that it asks for on all nodes, at most 2^31 - 1. */
  public long totalGpus() {
    return gres == null ? 0 : GresRequest.gpus(totalGres());
  }

  /** Memory that it asks for, on all nodes, MiB; 0 where it says none. */
  public long memoryMib() {
    return switch (memory) {
      case MemoryRequest.PerNode(long mib) -> mib * minNodes;
      case MemoryRequest.PerCpu(long mib) -> mib * neededCpus();
      case MemoryRequest.PerGpu(long mib) -> mib * totalGpus();
      case MemoryRequest.Default _ -> 0;
    };
  }

  /** Generic resources that it asks for on all nodes. */
  public List<GresCount> totalGres() {
    GresRequest asked = gresOrNone();
    List<GresCount> all = new ArrayList<>();
    long sockets = (long) minNodes * (socketsPerNode == null ? 1 : socketsPerNode);
    asked.perNode().forEach(one -> all.add(one.times(minNodes)));
    asked.perSocket().forEach(one -> all.add(one.times(sockets)));
    if (GresRequest.gpus(asked.perNode()) + GresRequest.gpus(asked.perSocket()) == 0) {
      all.addAll(asked.perJob());
      if (asked.perJob().isEmpty()) {
        asked.perTask().forEach(one -> all.add(one.times(tasks)));
      }
    }
    return all;
  }
}
