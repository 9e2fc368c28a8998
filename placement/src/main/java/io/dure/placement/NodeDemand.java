package io.dure.placement;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.constraint.FeatureConstraint;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.ResourceRequest.CoreOrder;
import io.dure.placement.cores.CoreSharing;
import io.dure.placement.gres.GresDemand;
import io.dure.placement.nodeselection.NodeSelectionRequest;
import io.dure.rules.PartitionRules;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks of the nodes of one partition, with the partition's rules worked in.
 *
 * @param partition the partition
 * @param request the request as it stands in the job
 * @param uid whose job it is
 * @param features the parsed constraint, null where none
 * @param unit what is given to jobs
 * @param memoryCounts whether memory is given to jobs too
 * @param wholeNodes whether it takes whole nodes
 * @param minNodes fewest nodes
 * @param maxNodes most nodes
 * @param maxTasks most tasks on one node, whatever the job asks for
 * @param gres generic resources wanted, null where none
 * @param tasksPerCore most tasks on a core, 0 for no bound
 * @param tasksPerSocket most tasks on a socket, 0 for no bound
 * @param together how it shares cores, null where it has its cores for itself
 * @param order in which order sockets give cores
 * @param makesWay whether it stands still where it shares cores with jobs of higher partitions
 * @param leastLoaded whether it gets the nodes of which most is free
 * @param topologyOptional whether only jobs that ask for it are placed by the network
 */
@RecordBuilder
public record NodeDemand(
    PartitionConfig partition,
    ResourceRequest request,
    int uid,
    @Nullable FeatureConstraint features,
    ClusterSettings.Unit unit,
    boolean memoryCounts,
    boolean wholeNodes,
    int minNodes,
    int maxNodes,
    int maxTasks,
    @Nullable GresDemand gres,
    int tasksPerCore,
    int tasksPerSocket,
    @Nullable CoreSharing together,
    CoreOrder order,
    boolean makesWay,
    boolean leastLoaded,
    boolean topologyOptional)
    implements NodeDemandBuilder.With {

  public static NodeDemand of(
      ClusterSettings all,
      PartitionConfig partition,
      ResourceRequest request,
      int uid,
      @Nullable FeatureConstraint features) {
    ClusterSettings.Scheduling settings = all.scheduling();
    PartitionConfig.Limits limits = partition.limits();
    int min = Math.max(request.minNodes(), Math.max(limits.minNodes(), 1));
    int max = Math.min(request.maxNodes(), limits.maxNodes());
    int counted = features == null ? 1 : features.leastNodes();
    return new NodeDemand(
        partition,
        request,
        uid,
        features,
        unit(settings, partition),
        settings.memoryConsumable(),
        PartitionRules.givesWholeNodes(settings.unit(), partition, request),
        Math.max(Math.max(min, counted), request.requiredNodes().size()),
        max,
        all.jobs().maxTasksPerNode(),
        GresDemand.of(request, max),
        tasksPerCore(all, request),
        bound(request.more().tasksPerSocket()),
        together(settings, partition, request),
        order(all, partition, request),
        all.preempt().makesWay(partition.preemptMode()),
        partition.nodeUse().leastLoaded() || settings.leastLoaded(),
        all.rules().topologyOptional());
  }

  /** What is given to the jobs of a partition. */
  private static ClusterSettings.Unit unit(
      ClusterSettings.Scheduling settings, PartitionConfig partition) {
    ClusterSettings.Unit own = partition.nodeUse().unit();
    return own == null || settings.unit() == ClusterSettings.Unit.NODE ? settings.unit() : own;
  }

  private static @Nullable CoreSharing together(
      ClusterSettings.Scheduling settings, PartitionConfig partition, ResourceRequest request) {
    boolean shares =
        switch (partition.sharing().mode()) {
          case FORCE -> true;
          case YES -> request.sharing() == OversubscribeMode.OVERSUBSCRIBE;
          case NO, EXCLUSIVE -> false;
        };
    return shares && settings.unit() != ClusterSettings.Unit.NODE
        ? new CoreSharing(partition.sharing().jobs())
        : null;
  }

  private static CoreOrder order(
      ClusterSettings all, PartitionConfig partition, ResourceRequest request) {
    CoreOrder asked = request.more().laid().coreOrder();
    if (asked != null) {
      return asked;
    }
    boolean filled =
        unit(all.scheduling(), partition) == ClusterSettings.Unit.CPU
            || all.resources().fillsSockets();
    return filled ? CoreOrder.FILLED : CoreOrder.IN_TURNS;
  }

  /** How many jobs of the partition may have each of its cores, null where it has them alone. */
  public @Nullable Integer jobsPerCore() {
    return together == null ? null : together.jobs();
  }

  private static int tasksPerCore(ClusterSettings all, ResourceRequest request) {
    Integer asked = request.more().tasksPerCore();
    return asked == null && all.resources().oneTaskPerCore() ? 1 : bound(asked);
  }

  private static int bound(@Nullable Integer asked) {
    return asked == null ? 0 : Math.max(1, asked);
  }

  /** Whether what it gets depends on how tasks lie on cores and sockets. */
  boolean minded() {
    return tasksPerCore > 0 || tasksPerSocket > 0 || unit == ClusterSettings.Unit.SOCKET;
  }

  /** Whether it does not matter to it how the network joins its nodes. */
  boolean isAnywhere() {
    ResourceRequest.NodePreferences reach = request.reach();
    return topologyOptional && reach.switches() == null && reach.segment() == null;
  }

  /** The most CPUs of a socket for the partition's jobs together. */
  int cpusPerSocket() {
    return wholeNodes ? Integer.MAX_VALUE : partition.nodeUse().maxCpusPerSocket();
  }

  /** Whether nodes must be free of other users' jobs. */
  boolean onlyOwnUser() {
    return onlyOwnUser(partition, request);
  }

  /** Whether a job of the partition keeps other users' jobs off its nodes. */
  public static boolean onlyOwnUser(@Nullable PartitionConfig partition, ResourceRequest request) {
    return request.sharing() == OversubscribeMode.USER
        || partition != null && partition.sharing().oneUser();
  }

  /** Whether it wants all memory of its nodes. */
  boolean allMemory() {
    return switch (request.memory()) {
      case MemoryRequest.PerNode(long mib) -> mib == 0;
      case MemoryRequest.PerCpu _, MemoryRequest.PerGpu _ -> false;
      case MemoryRequest.Default _ -> true;
    };
  }

  /** Memory wanted for each CPU, MiB, 0 where it is not counted so. */
  long memoryPerCpu() {
    return request.memory() instanceof MemoryRequest.PerCpu(long mib) ? mib : 0;
  }

  /** Memory wanted on each node, MiB, 0 where it is not counted so. */
  long memoryPerNode() {
    return request.memory() instanceof MemoryRequest.PerNode(long mib) ? mib : 0;
  }

  /** CPUs wanted on a node that runs that many of the tasks. */
  public int cpusFor(int tasks) {
    return cpusFor(tasks, gres == null ? 0 : gres.gpus(tasks));
  }

  /** CPUs wanted on a node that runs that many of the tasks and gives that many GPUs. */
  int cpusFor(int tasks, long gpus) {
    int least = Math.max(1, request.minCpusPerNode());
    int cpus = request.overcommit() ? least : Math.max(least, tasks * request.cpusPerTask());
    return gres == null ? cpus : Math.clamp(gres.cpusPerGpu() * gpus, cpus, Integer.MAX_VALUE);
  }

  /** GPUs wanted on all nodes together, 0 where each node's number is told. */
  public long gpusPerJob() {
    return gres == null ? 0 : gres.gpusPerJob();
  }

  /** Whether a node's generic resources are all the job's: whole nodes come with what they have. */
  boolean allGres() {
    return wholeNodes && unit != ClusterSettings.Unit.NODE;
  }

  /** Most tasks that a node with that many CPUs may run; 0 if it is too small. */
  int tasksOn(int cpus) {
    if (cpus < Math.max(1, request.minCpusPerNode())) {
      return 0;
    }
    int tasks = request.overcommit() ? request.tasks() : cpus / Math.max(1, request.cpusPerTask());
    Integer bound = request.tasksPerNode();
    int most = bound == null ? maxTasks : Math.min(maxTasks, Math.max(1, bound));
    return Math.min(tasks, most);
  }

  /** The same over any number of switches. */
  public NodeDemand overAnySwitches() {
    ResourceRequest.NodePreferences reach = request.reach();
    return reach.switches() == null ? this : withRequest(request.with(reach.over(null, null)));
  }

  /** Whether each node can be judged by itself, and any of them will do. */
  public boolean isSimple() {
    return request.requiredNodes().isEmpty()
        && !request.contiguous()
        && (features == null || features.isSimple())
        && request.reach().segment() == null;
  }

  /** How many nodes it wants of those indices, rising, that are required. */
  NodeSelectionRequest wish(List<Integer> required) {
    ResourceRequest.NodePreferences reach = request.reach();
    boolean counted = reach.segment() != null || features != null && !features.counts().isEmpty();
    int want =
        switch (counted ? null : reach.breadth()) {
          case TASKS -> Math.min(maxNodes, request.tasks());
          case NODES -> maxNodes;
          case null -> minNodes;
        };
    boolean grows = reach.breadth() == ResourceRequest.NodeCountPreference.NODES;
    return new NodeSelectionRequest(
        minNodes,
        maxNodes,
        Math.max(minNodes, want),
        request.tasks(),
        grows ? Math.max(1, request.tasks() / Math.max(1, request.minNodes())) : 0,
        gpusPerJob(),
        request.contiguous(),
        reach.segment() == null ? 1 : Math.max(1, reach.segment()),
        reach.spreadSegments(),
        reach.switches(),
        required);
  }

  /** Whether of a socket it gets all cores or none. */
  boolean wholeSockets() {
    return unit == ClusterSettings.Unit.SOCKET && !wholeNodes();
  }

  /** Threads of a core that the job may use, of so many. */
  int threads(int cpusPerCore) {
    Integer wanted = request.threadsPerCore();
    return wanted == null ? cpusPerCore : Math.max(1, Math.min(cpusPerCore, wanted));
  }

  /** Whether a node is of the kind wanted, whatever its load. */
  public boolean matches(NodeConfig node) {
    return !request.excludedNodes().contains(node.name())
        && node.tmpDiskMib() >= request.tmpDiskMib()
        && hasShape(node.shape())
        && (features == null || features.matches(node.features()));
  }

  /** Whether a node of that shape has the sockets, cores and threads wanted. */
  boolean hasShape(NodeConfig.Shape shape) {
    return atLeast(shape.sockets(), request.socketsPerNode())
        && atLeast(shape.coresPerSocket(), request.coresPerSocket())
        && atLeast(shape.threadsPerCore(), request.threadsPerCore());
  }

  private static boolean atLeast(int has, @Nullable Integer wanted) {
    return wanted == null || has >= wanted;
  }
}
