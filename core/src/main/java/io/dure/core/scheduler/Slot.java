package io.dure.core.scheduler;

import io.dure.core.config.NodeConfig;
import io.dure.core.config.Settings;
import io.dure.core.model.NodeShare;
import io.dure.core.model.gres.GresCount;
import io.dure.core.model.gres.GresDevice;
import io.dure.core.model.gres.GresShare;
import io.dure.core.scheduler.cores.CorePicker;
import io.dure.core.scheduler.cores.SocketPicker;
import io.dure.core.scheduler.gres.GresLoad;
import io.dure.core.scheduler.gres.GresNeed;
import io.dure.core.scheduler.gres.GresPicker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** One node's free resources in a scheduling pass. Lives in one call only. */
public final class Slot {
  private final NodeConfig config;
  private boolean available;
  private final int cores;

  /** Cores that jobs may get. */
  private final int usableCores;

  private final int cpusPerCore;
  private final int cpus;
  private final long memoryMib;
  private final List<Holding> holdings = new ArrayList<>();

  /** CPUs held of each core; null while nothing is held. */
  private int @Nullable [] coreLoad;

  /** What is held of its generic resources; null where it has none. */
  private @Nullable GresLoad gres;

  private int freeCores;
  private int freeCpus;
  private long freeMemoryMib;
  private int userOnly;

  /** Holdings of suspended jobs, which have no cores. */
  private int suspended;

  private final List<Holding> promises = new ArrayList<>(0);

  Slot(NodeConfig config, boolean available) {
    this.config = config;
    this.available = available;
    NodeConfig.Shape shape = config.shape();
    int all = Math.max(1, shape.sockets() * shape.coresPerSocket());
    int threads = shape.cpus();
    cores = Math.min(all, Math.max(1, threads));
    cpusPerCore = Math.max(1, threads / cores);
    List<Integer> kept = config.specializedCores();
    cpus = threads - kept.size() * cpusPerCore;
    usableCores = cores - kept.size();
    if (!kept.isEmpty()) {
      int[] load = new int[cores];
      for (int core : kept) {
        load[core] = cpusPerCore;
      }
      coreLoad = load;
    }
    memoryMib = Math.max(0, config.realMemoryMib() - config.memSpecLimitMib());
    freeCores = usableCores;
    freeCpus = cpus;
    freeMemoryMib = memoryMib;
    gres = config.inventory() == null ? null : new GresLoad(config.inventory());
  }

  /** The same node with the same holdings, to be changed on its own. */
  public Slot copy() {
    Slot copy = new Slot(config, available);
    copy.holdings.addAll(holdings);
    copy.coreLoad = coreLoad == null ? null : coreLoad.clone();
    copy.freeCores = freeCores;
    copy.freeCpus = freeCpus;
    copy.freeMemoryMib = freeMemoryMib;
    copy.gres = gres == null ? null : gres.copy();
    copy.userOnly = userOnly;
    copy.suspended = suspended;
    copy.promises.addAll(promises);
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

  public int freeCpus() {
    return freeCpus;
  }

  public long freeMemoryMib() {
    return freeMemoryMib;
  }

  public List<Holding> holdings() {
    return holdings;
  }

  /**
   * Sets aside what a job would hold: an amount, of no particular cores. A slot with promises is a
   * picture of a later time.
   */
  public void promise(Holding holding) {
    promises.add(holding);
    count(holding, 1);
    freeCores -= holding.share().cores().size();
    if (gres != null) {
      gres.promise(holding.share().gres());
    }
  }

  /** Whether no job runs here, nor is promised anything. */
  public boolean isIdle() {
    return holdings.size() == suspended && promises.isEmpty();
  }

  /** Notes what a job holds here. */
  public void hold(Holding holding) {
    holdings.add(holding);
    change(holding, 1);
  }

  /** Forgets what a job held here. */
  public void release(Holding holding) {
    if (remove(holdings, holding)) {
      change(holding, -1);
    }
  }

  @SuppressWarnings("ReferenceEquality") // that very holding; comparing shares would be slow
  private static boolean remove(List<Holding> from, Holding holding) {
    for (int i = 0; i < from.size(); i++) {
      if (from.get(i) == holding) {
        from.remove(i);
        return true;
      }
    }
    return false;
  }

  private void count(Holding holding, int sign) {
    freeCpus -= sign * holding.share().cpus();
    freeMemoryMib -= sign * holding.share().memoryMib();
    userOnly += holding.onlyOwnUser() ? sign : 0;
  }

  private void change(Holding holding, int sign) {
    count(holding, sign);
    NodeShare share = holding.share();
    suspended += share.cpus() == 0 ? sign : 0;
    if (gres != null && !share.gres().isEmpty()) {
      change(gres, share.gres(), sign);
    }
    int[] load = coreLoad == null ? new int[cores] : coreLoad;
    coreLoad = load;
    int left = share.cpus();
    int more = share.cores().size();
    for (int core : share.cores()) {
      more--;
      int used = Math.max(1, Math.min(cpusPerCore, left - more));
      left -= used;
      if (core < 0 || core >= cores) {
        continue;
      }
      boolean wasFree = load[core] == 0;
      load[core] += sign * used;
      freeCores += (load[core] == 0 ? 1 : 0) - (wasFree ? 1 : 0);
    }
  }

  private static void change(GresLoad load, List<GresShare> shares, int sign) {
    if (sign > 0) {
      load.hold(shares);
    } else {
      load.release(shares);
    }
  }

  /** Whether the node has these generic resources and nothing is held of them. */
  boolean gresFree(List<GresShare> shares) {
    return shares.isEmpty() || gres != null && gres.allFree(shares);
  }

  /** Whether the node has these cores and nothing is held of them. */
  boolean allFree(List<Integer> indices) {
    for (int core : indices) {
      if (core < 0 || core >= cores || coreLoad != null && coreLoad[core] > 0) {
        return false;
      }
    }
    return true;
  }

  /** Most tasks of the job that fit here now; 0 if it cannot use the node now. */
  public int room(Need need) {
    if (need.wholeNodes() && !isIdle()) {
      return 0;
    }
    if ((userOnly > 0 || need.onlyOwnUser())
        && (foreign(need, holdings) || foreign(need, promises))) {
      return 0;
    }
    long memory = need.memoryCounts() ? freeMemoryMib : memoryMib;
    if (memory < need.memoryPerNode()) {
      return 0;
    }
    if (need.allMemory() && need.memoryCounts() && freeMemoryMib < memoryMib) {
      return 0;
    }
    int usable = need.wholeNodes() ? wholeCpus(need) : usableCpus(need);
    if (need.memoryPerCpu() > 0) {
      usable = byMemory(need, usable, memory);
    }
    int tasks = need.tasksOn(usable);
    if (need.minded() && tasks > 0) {
      tasks = socketPicker(need).most(sockets(), usable, tasks);
    }
    return need.gres() == null || tasks == 0 ? tasks : gresRoom(need, need.gres(), usable, tasks);
  }

  /** Most tasks up to a bound for which there are also the generic resources asked for. */
  private int gresRoom(Need need, GresNeed wanted, int usable, int bound) {
    if (gres == null) {
      return 0;
    }
    int most = GresPicker.mostTasks(gres, wanted, config.shape().coresPerSocket(), bound);
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

  /** Whether so many tasks and GPUs have the CPUs and memory that go with them. */
  private boolean carries(Need need, GresNeed wanted, int usable, int tasks, long gpus) {
    long memory = need.memoryCounts() ? freeMemoryMib : memoryMib;
    return need.cpusFor(tasks, gpus) <= usable && wanted.memoryPerGpuMib() * gpus <= memory;
  }

  /**
   * Most GPUs of those that the job asks for as a whole that this node can add beside that many of
   * its tasks, for which {@link #room} has room.
   */
  public long gpuRoom(Need need, int tasks) {
    GresNeed wanted = need.gres();
    if (wanted == null || gres == null) {
      return 0;
    }
    long gpus = 0;
    for (GresNeed.Ask ask : wanted.asks()) {
      if (ask.perJob() > 0) {
        gpus += Math.min(ask.perJob(), gres.available(ask.name(), ask.type()));
      }
    }
    int usable = need.wholeNodes() ? wholeCpus(need) : usableCpus(need);
    while (gpus > 0 && wanted.weighsGpus() && !carries(need, wanted, usable, tasks, gpus)) {
      gpus--;
    }
    return gpus;
  }

  private int wholeCpus(Need need) {
    return Math.min(cpus, usableCores * threads(need));
  }

  /** CPUs that the job may have, as far as cores and the partition's bound go. */
  private int usableCpus(Need need) {
    int threads = threads(need);
    int bound = need.partition().limits().maxCpusPerNode();
    if (bound < cpus) {
      bound -=
          heldIn(need.partition().name(), holdings) + heldIn(need.partition().name(), promises);
    }
    int free = Math.max(0, Math.min(freeCpus, bound));
    return wholeCores(need) ? Math.min(freeCores, free / cpusPerCore) * threads : free;
  }

  private int byMemory(Need need, int usable, long memory) {
    long perCpu = need.memoryPerCpu();
    if (need.wholeNodes()) {
      return memory < perCpu * cpus ? 0 : usable;
    }
    long byMemory =
        wholeCores(need) ? memory / (perCpu * cpusPerCore) * threads(need) : memory / perCpu;
    return (int) Math.min(usable, byMemory);
  }

  private SocketPicker socketPicker(Need need) {
    boolean whole = need.unit() == Settings.Unit.SOCKET && !need.wholeNodes();
    int cpusPerTask = need.request().overcommit() ? 0 : Math.max(1, need.request().cpusPerTask());
    return new SocketPicker(
        threads(need), cpusPerTask, need.tasksPerCore(), need.tasksPerSocket(), whole);
  }

  /** Cores of which nothing is held, by socket; those kept from jobs are not among them. */
  private List<SocketPicker.Socket> sockets() {
    int perSocket = Math.max(1, config.shape().coresPerSocket());
    List<Integer> kept = config.specializedCores();
    List<SocketPicker.Socket> sockets = new ArrayList<>();
    for (int first = 0; first < cores; first += perSocket) {
      List<Integer> free = new ArrayList<>(perSocket);
      int usable = 0;
      for (int core = first; core < Math.min(cores, first + perSocket); core++) {
        usable += kept.contains(core) ? 0 : 1;
        if (coreLoad == null || coreLoad[core] == 0) {
          free.add(core);
        }
      }
      sockets.add(new SocketPicker.Socket(free, usable));
    }
    return sockets;
  }

  /** Threads of a core that the job may use. */
  private int threads(Need need) {
    Integer wanted = need.request().threadsPerCore();
    return wanted == null ? cpusPerCore : Math.max(1, Math.min(cpusPerCore, wanted));
  }

  private boolean wholeCores(Need need) {
    return need.unit() != Settings.Unit.CPU || need.minded() || threads(need) < cpusPerCore;
  }

  private static int heldIn(String partition, List<Holding> holdings) {
    int cpus = 0;
    for (Holding holding : holdings) {
      cpus += holding.partition().equals(partition) ? holding.share().cpus() : 0;
    }
    return cpus;
  }

  private static boolean foreign(Need need, List<Holding> holdings) {
    for (Holding holding : holdings) {
      if ((need.onlyOwnUser() || holding.onlyOwnUser()) && holding.uid() != need.uid()) {
        return true;
      }
    }
    return false;
  }

  /** What the job gets here for that many tasks, which {@link #room} has room for. */
  public NodeShare share(Need need, int tasks) {
    return share(need, tasks, gpuRoom(need, tasks));
  }

  /**
   * The same with a number of GPUs.
   *
   * @param gpus GPUs of those that the job asks for as a whole, at most {@link #gpuRoom}
   */
  public NodeShare share(Need need, int tasks, long gpus) {
    List<GresShare> devices = gres(need, tasks, gpus);
    long held = 0;
    for (GresShare device : devices) {
      held += device.name().equals(GresCount.GPU) ? device.count() : 0;
    }
    if (need.wholeNodes()) {
      List<Integer> all = new ArrayList<>(cores);
      List<Integer> kept = config.specializedCores();
      for (int core = 0; core < cores; core++) {
        if (!kept.contains(core)) {
          all.add(core);
        }
      }
      long memory = memory(need, cpus, held);
      return new NodeShare(name(), List.copyOf(all), cpus, memory, tasks, devices);
    }
    int wanted = need.cpusFor(tasks, held);
    int[] load = coreLoad == null ? new int[cores] : coreLoad;
    CorePicker picker =
        new CorePicker(load, config.shape().coresPerSocket(), cpusPerCore, near(devices));
    if (!wholeCores(need)) {
      long memory = memory(need, wanted, held);
      return new NodeShare(name(), picker.threads(wanted), wanted, memory, tasks, devices);
    }
    if (need.minded()) {
      List<Integer> picked = socketPicker(need).pick(sockets(), tasks, wanted);
      int charged = picked.size() * cpusPerCore;
      long memory = memory(need, charged, held);
      return new NodeShare(name(), picked, charged, memory, tasks, devices);
    }
    int threads = threads(need);
    int count = (wanted + threads - 1) / threads;
    int charged = count * cpusPerCore;
    long memory = memory(need, charged, held);
    return new NodeShare(name(), picker.wholeCores(count), charged, memory, tasks, devices);
  }

  private List<GresShare> gres(Need need, int tasks, long gpus) {
    if (need.allGres()) {
      return GresPicker.everything(config.resources());
    }
    if (need.gres() == null || gres == null) {
      return List.of();
    }
    int[] load = coreLoad;
    IntPredicate free = core -> core < cores && (load == null || load[core] == 0);
    return new GresPicker(gres, free, config.shape().coresPerSocket())
        .pick(need.gres(), tasks, gpus);
  }

  /** The cores near these devices, empty where all are alike. */
  private List<Integer> near(List<GresShare> shares) {
    List<Integer> near = new ArrayList<>();
    for (GresShare share : shares) {
      for (GresDevice device : config.resources().devices()) {
        if (device.name().equals(share.name()) && share.devices().contains(device.index())) {
          near.addAll(device.cores());
        }
      }
    }
    return near;
  }

  private long memory(Need need, int charged, long gpus) {
    if (need.allMemory()) {
      return need.memoryCounts() ? memoryMib : 0;
    }
    if (need.gres() != null && need.gres().memoryPerGpuMib() > 0) {
      return need.gres().memoryPerGpuMib() * gpus;
    }
    return need.memoryPerCpu() > 0 ? need.memoryPerCpu() * charged : need.memoryPerNode();
  }
}
