package io.dure.placement;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresShare;
import io.dure.model.job.NodeShare;
import io.dure.placement.cores.CoreLoad;
import io.dure.placement.cores.CoreSharing;
import io.dure.placement.cores.TaskLayout;
import io.dure.placement.gpus.GpuNodeView;
import io.dure.placement.gres.GresDemand;
import io.dure.placement.gres.GresLoad;
import io.dure.placement.gres.GresPicker;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** One node's free resources in a scheduling pass. Lives in one call only. */
public final class NodeLoad implements GpuNodeView {
  private final NodeConfig config;
  private boolean available;
  private final int cpusPerCore;
  private final int cpus;
  private final long memoryMib;
  private final List<NodeAllocation> holdings;
  private final List<NodeAllocation> promises;
  private CoreLoad load;

  /** What is held of its generic resources; null where it has none. */
  private @Nullable GresLoad gres;

  private int freeCpus;
  private long freeMemoryMib;
  private int userOnly;

  /** How many of the holdings and promises share their cores. */
  private int sharers;

  /** Holdings of suspended jobs, without cores; and how many are to have some back. */
  private int suspended;

  private int awaiting;

  NodeLoad(NodeConfig config, boolean available) {
    this.config = config;
    this.available = available;
    holdings = new ArrayList<>();
    promises = new ArrayList<>(0);
    NodeConfig.Shape shape = config.shape();
    int all = Math.max(1, shape.sockets() * shape.coresPerSocket());
    int threads = shape.cpus();
    int cores = Math.min(all, Math.max(1, threads));
    cpusPerCore = Math.max(1, threads / cores);
    load = new CoreLoad(cores, shape.coresPerSocket(), config.specializedCores());
    cpus = threads - config.specializedCores().size() * cpusPerCore;
    memoryMib = Math.max(0, config.realMemoryMib() - config.memSpecLimitMib());
    freeCpus = cpus;
    freeMemoryMib = memoryMib;
    gres = config.inventory() == null ? null : new GresLoad(config.inventory());
  }

  private NodeLoad(NodeLoad other) {
    config = other.config;
    available = other.available;
    cpusPerCore = other.cpusPerCore;
    cpus = other.cpus;
    memoryMib = other.memoryMib;
    holdings = new ArrayList<>(other.holdings);
    promises = new ArrayList<>(other.promises);
    load = other.load.copy();
    gres = other.gres == null ? null : other.gres.copy();
    freeCpus = other.freeCpus;
    freeMemoryMib = other.freeMemoryMib;
    userOnly = other.userOnly;
    sharers = other.sharers;
    suspended = other.suspended;
    awaiting = other.awaiting;
  }

  /** The same node with the same holdings, to be changed on its own. */
  public NodeLoad copy() {
    return new NodeLoad(this);
  }

  /** The same for a job that may not have some of its cores. */
  public NodeLoad without(BitSet closed) {
    NodeLoad copy = copy();
    copy.load = load.without(closed, promises.stream().map(p -> p.share().cores()).toList());
    copy.freeCpus = Math.min(freeCpus, Math.max(0, copy.load.free()) * cpusPerCore);
    return copy;
  }

  public NodeConfig config() {
    return config;
  }

  public String name() {
    return config.name();
  }

  /** True if jobs may start here. */
  public boolean available() {
    return available;
  }

  /** All CPUs of the node, held until then by no job. */
  NodeAllocation whole(int index, long end) {
    return NodeAllocation.ofNode(index, new NodeShare(name(), load.all(), cpus, 0, 0), end);
  }

  /** Notes whether jobs may start here. */
  void available(boolean next) {
    available = next;
  }

  public int cpus() {
    return cpus;
  }

  public long memoryMib() {
    return memoryMib;
  }

  @Override
  public @Nullable GresLoad gres() {
    return gres;
  }

  /** Free CPUs. */
  @Override
  public int freeCpus() {
    return sharers == 0 ? freeCpus : Math.max(0, load.free()) * cpusPerCore;
  }

  /** CPUs that a job might get, be it together with others. */
  int openCpus() {
    return sharers == 0 ? freeCpus : cpus;
  }

  @Override
  public long freeMemoryMib() {
    return freeMemoryMib;
  }

  public List<NodeAllocation> holdings() {
    return holdings;
  }

  /**
   * Sets aside what a job would hold: an amount, of no particular cores. A slot with promises is a
   * picture of a later time.
   */
  public void reserve(NodeAllocation holding) {
    promises.add(holding);
    setAside(holding, 1);
    if (gres != null) {
      gres.reserve(holding.share().gres());
    }
  }

  /** Takes back what is reserved and has no generic resources. */
  public void unreserve(NodeAllocation holding) {
    if (NodeSharingRules.remove(promises, holding)) {
      setAside(holding, -1);
    }
  }

  private void setAside(NodeAllocation holding, int sign) {
    count(holding, sign);
    load.reserve(sign * holding.share().cores().size());
  }

  /** Whether no job runs here, nor is promised anything. */
  public boolean isIdle() {
    return holdings.size() == suspended && promises.isEmpty();
  }

  /** Notes what a job holds here. */
  public void hold(NodeAllocation holding) {
    holdings.add(holding);
    change(holding, 1);
  }

  /** Forgets what a job held here. */
  public void release(NodeAllocation holding) {
    if (NodeSharingRules.remove(holdings, holding)) {
      change(holding, -1);
    }
  }

  private void count(NodeAllocation holding, int sign) {
    freeCpus -= sign * holding.share().cpus();
    freeMemoryMib -= sign * holding.share().memoryMib();
    userOnly += holding.onlyOwnUser() ? sign : 0;
    sharers += holding.together() == null ? 0 : sign;
  }

  private void change(NodeAllocation holding, int sign) {
    count(holding, sign);
    NodeShare share = holding.share();
    suspended += share.cpus() == 0 ? sign : 0;
    awaiting += holding.awaited().isEmpty() ? 0 : sign;
    if (gres != null && !share.gres().isEmpty()) {
      gres.change(share.gres(), sign);
    }
    load.change(share.cores(), sign);
  }

  /** Whether the node has these generic resources and nothing is held of them. */
  boolean gresFree(List<GresShare> shares) {
    return shares.isEmpty() || gres != null && gres.allFree(shares);
  }

  /** Whether the job may have these cores. */
  boolean allOpen(NodeDemand need, List<Integer> indices) {
    IntPredicate open = open(need);
    return indices.stream().allMatch(core -> load.isGiven(core) && open.test(core));
  }

  /**
   * Whether CPUs are given of the node's only core, which is how a machine is told of as a number.
   */
  private boolean isSplit(NodeDemand need) {
    boolean alone = need.together() == null && sharers == 0;
    return alone && need.unit() == ClusterSettings.Unit.CPU && load.size() == 1;
  }

  /** Cores that the job may not have, held or not; null for none. */
  private @Nullable BitSet barred(NodeDemand need) {
    boolean shared = sharers > 0 && need.makesWay() && need.together() != null;
    BitSet barred = shared || awaiting > 0 ? NodeSharingRules.barred(need, holdings) : null;
    boolean plain = need.cpusPerSocket() == Integer.MAX_VALUE && config.gpuCores().isEmpty();
    return plain ? barred : NodeSharingRules.beyond(need, holdings, load, config, barred);
  }

  /** Whether the job may have a core beside those that have it. */
  private IntPredicate open(NodeDemand need) {
    BitSet barred = isSplit(need) ? null : barred(need);
    IntPredicate open = isSplit(need) ? load::isGiven : openToAll(need);
    return barred == null ? open : core -> !barred.get(core) && open.test(core);
  }

  private IntPredicate openToAll(NodeDemand need) {
    CoreSharing together = need.together();
    if (together == null || together.layers() == 0 || sharers == 0) {
      return load::isFree;
    }
    int[] own = NodeSharingRules.onCores(holdings, need.partition().name(), load.size());
    return core -> core >= 0 && core < own.length && own[core] < together.layers();
  }

  /** Cores that the job may have, promises to others taken off. */
  private int openCores(NodeDemand need) {
    CoreSharing together = need.together();
    if (together == null || together.layers() == 0 || sharers == 0) {
      BitSet barred = barred(need);
      int less = barred == null ? 0 : load.count(core -> barred.get(core) && load.isFree(core));
      return Math.max(0, load.free() - less);
    }
    int promised = NodeSharingRules.cores(promises, need.partition().name());
    IntPredicate open = open(need);
    if (promised == 0) {
      return load.count(open);
    }
    int[] own = NodeSharingRules.onCores(holdings, need.partition().name(), load.size());
    int places = together.layers() * load.usable() - promised;
    for (int some : own) {
      places -= some;
    }
    return Math.max(0, Math.min(load.count(open), places));
  }

  /** Most tasks of the job that fit here now; 0 if it cannot use the node now. */
  public int taskCapacity(NodeDemand need) {
    if (need.wholeNodes() && !hasAll(need)
        || !NodeSharingRules.agree(need, holdings, promises, sharers + suspended)) {
      return 0;
    }
    if ((userOnly > 0 || need.onlyOwnUser())
        && (NodeSharingRules.foreign(need, holdings) || NodeSharingRules.foreign(need, promises))) {
      return 0;
    }
    long memory = need.memoryCounts() ? freeMemoryMib : memoryMib;
    if (memory < need.memoryPerNode()) {
      return 0;
    }
    if (need.allMemory() && need.memoryCounts() && freeMemoryMib < memoryMib) {
      return 0;
    }
    int usable = usable(need);
    int tasks = need.tasksOn(usable);
    if (need.minded() && tasks > 0) {
      tasks = layout(need).most(load.counts(open(need), need.wholeSockets()), usable, tasks);
    }
    return need.gres() == null || tasks == 0 ? tasks : gresRoom(need, need.gres(), usable, tasks);
  }

  private boolean hasAll(NodeDemand need) {
    boolean idle = need.together() != null || isIdle() && barred(need) == null;
    return idle
        && !load.isPartial()
        && (need.together() == null || openCores(need) == load.usable());
  }

  /** Most tasks up to a bound for which there are also the generic resources asked for. */
  private int gresRoom(NodeDemand need, GresDemand wanted, int usable, int bound) {
    if (gres == null) {
      return 0;
    }
    int most = GresPicker.mostTasks(gres, wanted, config.shape().coresPerSocket(), bound);
    while (wanted.bound() && most > 0 && !isNear(need, wanted, most)) {
      most--;
    }
    if (!wanted.weighsGpus()) {
      return most;
    }
    long least = wanted.gpusPerJob() > 0 ? 1 : 0;
    int fits = 0;
    while (fits < most) {
      int middle = fits + (most - fits + 1) / 2;
      if (carries(need, wanted, usable, middle, wanted.gpus(middle) + least)) {
        fits = middle;
      } else {
        most = middle - 1;
      }
    }
    return fits;
  }

  /** Whether the cores near its devices will do for so many tasks. */
  private boolean isNear(NodeDemand need, GresDemand wanted, int tasks) {
    List<GresShare> devices = gres(need, tasks, wanted.gpusPerJob() > 0 ? 1 : 0);
    long missing = wanted.gpusPerJob() > 0 ? 1 : 0;
    for (GresDemand.GresAsk ask : wanted.asks()) {
      missing += ask.forTasks(tasks);
    }
    for (GresShare device : devices) {
      missing -= device.count();
    }
    if (missing > 0) {
      return false;
    }
    List<Integer> near = config.resources().near(devices);
    IntPredicate open = open(need);
    return near.isEmpty()
        || load.count(core -> near.contains(core) && open.test(core)) * need.threads(cpusPerCore)
            >= need.cpusFor(tasks);
  }

  /** Whether so many tasks and GPUs have the CPUs and memory that go with them. */
  private boolean carries(NodeDemand need, GresDemand wanted, int usable, int tasks, long gpus) {
    long memory = need.memoryCounts() ? freeMemoryMib : memoryMib;
    return need.cpusFor(tasks, gpus) <= usable && wanted.memoryPerGpuMib() * gpus <= memory;
  }

  /**
   * Most GPUs of those that the job asks for as a whole that this node can add beside that many of
   * its tasks, for which {@link #taskCapacity} has room.
   */
  public long gpuCapacity(NodeDemand need, int tasks) {
    GresDemand wanted = need.gres();
    if (wanted == null || gres == null) {
      return 0;
    }
    long gpus = 0;
    for (GresDemand.GresAsk ask : wanted.asks()) {
      if (ask.perJob() > 0) {
        gpus += Math.min(ask.perJob(), gres.available(ask.name(), ask.type()));
      }
    }
    int usable = usable(need);
    while (gpus > 0 && wanted.weighsGpus() && !carries(need, wanted, usable, tasks, gpus)) {
      gpus--;
    }
    return gpus;
  }

  private int usable(NodeDemand need) {
    int whole = Math.min(cpus, load.usable() * need.threads(cpusPerCore));
    int usable = need.wholeNodes() ? whole : usableCpus(need);
    long memory = need.memoryCounts() ? freeMemoryMib : memoryMib;
    return need.memoryPerCpu() > 0 ? byMemory(need, usable, memory) : usable;
  }

  /** CPUs that the job may have, as far as cores and the partition's bound go. */
  private int usableCpus(NodeDemand need) {
    int threads = need.threads(cpusPerCore);
    int bound = need.partition().limits().maxCpusPerNode();
    if (bound < cpus || sharers > 0 && bound < Integer.MAX_VALUE) {
      bound -=
          NodeSharingRules.cpus(holdings, need.partition().name())
              + NodeSharingRules.cpus(promises, need.partition().name());
    }
    int open = need.together() == null && sharers == 0 ? freeCpus : cpus;
    int free = Math.max(0, Math.min(open, bound));
    if (isSplit(need)) {
      return free;
    }
    int openCores = openCores(need);
    return need.unit() == ClusterSettings.Unit.CPU
        ? Math.min(free, openCores * threads)
        : Math.min(openCores, free / cpusPerCore) * threads;
  }

  private int byMemory(NodeDemand need, int usable, long memory) {
    long perCpu = need.memoryPerCpu();
    int threads = need.threads(cpusPerCore);
    if (need.wholeNodes()) {
      return memory < perCpu * load.usable() * threads ? 0 : usable;
    }
    boolean single = need.unit() == ClusterSettings.Unit.CPU;
    long byMemory = single ? memory / perCpu : memory / (perCpu * threads) * threads;
    return (int) Math.min(usable, byMemory);
  }

  private TaskLayout layout(NodeDemand need) {
    int threads = need.threads(cpusPerCore);
    int cpusPerTask = Math.max(1, need.request().cpusPerTask());
    boolean overcommit = need.request().overcommit();
    return new TaskLayout(
        threads,
        overcommit ? 0 : TaskLayout.cpusOfTask(cpusPerTask, threads, need.tasksPerCore()),
        need.tasksPerCore(),
        need.tasksPerSocket(),
        need.wholeSockets(),
        need.order(),
        cpusPerTask > 1);
  }

  /**
   * The same with a number of GPUs.
   *
   * @param gpus GPUs of those that the job asks for as a whole, at most {@link #gpuCapacity}
   * @param room most tasks that fit here for all of the job's time
   */
  public NodeShare share(NodeDemand need, int tasks, long gpus, int room) {
    List<GresShare> devices = gres(need, tasks, gpus);
    long held = 0;
    for (GresShare device : devices) {
      held += device.name().equals(GresCount.GPU) ? device.count() : 0;
    }
    int threads = need.threads(cpusPerCore);
    if (need.wholeNodes()) {
      long memory = memory(need, load.usable() * threads, held);
      return new NodeShare(name(), load.all(), cpus, memory, tasks, devices);
    }
    TaskLayout layout = layout(need);
    // A node without a task has room for one, as it had when it was chosen.
    int wanted = need.cpusFor(Math.max(1, tasks), held);
    int count = (Math.max(wanted, tasks * layout.cpusOfTask()) + threads - 1) / threads;
    // Sockets that are spread over are not those that a job was promised.
    long most = Math.min(usable(need), (long) room * layout.cpusOfTask()) / threads;
    List<List<Integer>> sockets = load.bySocket(open(need), need.wholeSockets());
    List<Integer> picked =
        layout.pick(sockets, near(need, count, devices), tasks, count, (int) most);
    boolean single = need.unit() == ClusterSettings.Unit.CPU;
    long memory = memory(need, single ? wanted : picked.size() * threads, held);
    int charged = single ? wanted : picked.size() * cpusPerCore;
    return new NodeShare(name(), picked, charged, memory, tasks, devices);
  }

  private List<GresShare> gres(NodeDemand need, int tasks, long gpus) {
    if (need.allGres()) {
      return GresPicker.everything(config.resources());
    }
    if (need.gres() == null || gres == null) {
      return List.of();
    }
    return new GresPicker(gres, open(need), config.shape().coresPerSocket())
        .pick(need.gres(), tasks, gpus);
  }

  /** The cores to take first of those near these devices, empty where all are alike. */
  private List<Integer> near(NodeDemand need, int count, List<GresShare> devices) {
    List<Integer> near = config.resources().near(devices);
    GresDemand wanted = need.gres();
    if (near.isEmpty() || wanted == null || wanted.cpusPerGpu() == 0) {
      return near;
    }
    // What comes with GPUs is spread over all sockets where theirs are too small.
    IntPredicate open = open(need);
    return load.count(core -> near.contains(core) && open.test(core)) < count ? List.of() : near;
  }

  private long memory(NodeDemand need, int charged, long gpus) {
    if (need.allMemory()) {
      return need.memoryCounts() ? memoryMib : 0;
    }
    if (need.gres() != null && need.gres().memoryPerGpuMib() > 0) {
      return need.gres().memoryPerGpuMib() * gpus;
    }
    return need.memoryPerCpu() > 0 ? need.memoryPerCpu() * charged : need.memoryPerNode();
  }
}
