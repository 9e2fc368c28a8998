package io.dure.core.scheduler;

import io.dure.core.config.NodeConfig;
import io.dure.core.config.Settings;
import io.dure.core.model.NodeShare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One node's free resources in a scheduling pass. Lives in one call only. */
public final class Slot {
  private final NodeConfig config;
  private boolean available;
  private final int cores;
  private final int cpusPerCore;
  private final int cpus;
  private final long memoryMib;
  private final List<Holding> holdings = new ArrayList<>();

  /** CPUs held of each core; null while nothing is held. */
  private int @Nullable [] coreLoad;

  private int freeCores;
  private int freeCpus;
  private long freeMemoryMib;
  private int userOnly;
  private final List<Holding> promises = new ArrayList<>(0);

  Slot(NodeConfig config, boolean available) {
    this.config = config;
    this.available = available;
    NodeConfig.Shape shape = config.shape();
    int all = Math.max(1, shape.sockets() * shape.coresPerSocket());
    cpus = shape.cpus();
    cores = Math.min(all, Math.max(1, cpus));
    cpusPerCore = Math.max(1, cpus / cores);
    memoryMib = Math.max(0, config.realMemoryMib() - config.memSpecLimitMib());
    freeCores = cores;
    freeCpus = cpus;
    freeMemoryMib = memoryMib;
  }

  /** The same node with the same holdings, to be changed on its own. */
  public Slot copy() {
    Slot copy = new Slot(config, available);
    copy.holdings.addAll(holdings);
    copy.coreLoad = coreLoad == null ? null : coreLoad.clone();
    copy.freeCores = freeCores;
    copy.freeCpus = freeCpus;
    copy.freeMemoryMib = freeMemoryMib;
    copy.userOnly = userOnly;
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
  }

  /** Takes a promise back. */
  public void forget(Holding holding) {
    if (remove(promises, holding)) {
      count(holding, -1);
      freeCores += holding.share().cores().size();
    }
  }

  /** Whether no job holds anything here, nor is promised anything. */
  public boolean isIdle() {
    return holdings.isEmpty() && promises.isEmpty();
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
    return need.tasksOn(usable);
  }

  private int wholeCpus(Need need) {
    return Math.min(cpus, cores * threads(need));
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

  /** Threads of a core that the job may use. */
  private int threads(Need need) {
    Integer wanted = need.request().threadsPerCore();
    return wanted == null ? cpusPerCore : Math.max(1, Math.min(cpusPerCore, wanted));
  }

  private boolean wholeCores(Need need) {
    return need.unit() != Settings.Unit.CPU || threads(need) < cpusPerCore;
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
    if (need.wholeNodes()) {
      List<Integer> all = new ArrayList<>(cores);
      for (int core = 0; core < cores; core++) {
        all.add(core);
      }
      return new NodeShare(name(), List.copyOf(all), cpus, memory(need, cpus), tasks);
    }
    int wanted = need.cpusFor(tasks);
    int[] load = coreLoad == null ? new int[cores] : coreLoad;
    CorePicker picker = new CorePicker(load, config.shape().coresPerSocket(), cpusPerCore);
    if (!wholeCores(need)) {
      return new NodeShare(name(), picker.threads(wanted), wanted, memory(need, wanted), tasks);
    }
    int threads = threads(need);
    int count = (wanted + threads - 1) / threads;
    int charged = count * cpusPerCore;
    return new NodeShare(name(), picker.wholeCores(count), charged, memory(need, charged), tasks);
  }

  private long memory(Need need, int charged) {
    if (need.allMemory()) {
      return need.memoryCounts() ? memoryMib : 0;
    }
    return need.memoryPerCpu() > 0 ? need.memoryPerCpu() * charged : need.memoryPerNode();
  }
}
