package io.dure.placement.step;

import io.dure.model.ErrorCode;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives a step its part of what its job holds. */
public final class StepPlacer {
  /** As many as a node starts of one step; what is counted up on this thread has an end with it. */
  private static final int MOST_TASKS_OF_NODE = 4096;

  private final Allocation allocation;
  private final RunSteps others;
  private final StepSpec spec;
  private final StepGres gres;

  private StepPlacer(Allocation allocation, RunSteps others, StepSpec spec) {
    this.allocation = allocation;
    this.others = others;
    this.spec = spec;
    this.gres = new StepGres(spec.gres());
  }

  /** What came of it. */
  public sealed interface Answer {
    /** It may begin, with these shares. */
    record Placed(List<StepShare> shares) implements Answer {}

    /** It has to wait until other steps of the job have ended. */
    record Busy() implements Answer {}

    /**
     * The job will never have what it asks for.
     *
     * @param detail lines that explain it to its user, empty for none
     */
    record Refused(ErrorCode code, String detail) implements Answer {}
  }

  /**
   * A node that the step may have.
   *
   * @param place its place among the job's nodes
   */
  private record Candidate(int place, NodeShare share) {}

  /**
   * What such a node has for it, with the memory that other steps leave.
   *
   * @param tasks most tasks
   * @param alone those of them that have CPUs of their own
   */
  private record Room(
      int place,
      NodeShare share,
      List<Integer> cores,
      int cpus,
      int tasks,
      int alone,
      long memory,
      List<GresShare> gres) {
    TaskDistribution.Room holds() {
      return new TaskDistribution.Room(tasks, alone);
    }
  }

  /** What a step gets beside the other steps of its run. */
  public static Answer place(Allocation allocation, RunSteps others, StepSpec spec) {
    return new StepPlacer(allocation, others, spec).place();
  }

  private Answer place() {
    if (!holdsAll(spec.nodes()) || !holdsAll(spec.layout().hosts())) {
      return new Answer.Refused(ErrorCode.NODE_CONFIG_UNAVAILABLE, "");
    }
    List<Candidate> wanted = candidates();
    if (wanted.size() < Math.max(1, spec.minNodes())) {
      return new Answer.Refused(ErrorCode.NODE_CONFIG_UNAVAILABLE, tooFew(wanted.size()));
    }
    String refusal = gres.refusal(wanted.stream().map(Candidate::share).toList());
    if (refusal != null) {
      return new Answer.Refused(ErrorCode.INVALID_GRES, refusal);
    }
    List<StepShare> ever = shares(wanted, OtherSteps.NONE);
    if (ever == null) {
      return spec.layout().tasksPerNode() > 0
          ? place(allocation, others, spec.with().layout(spec.layout().unbounded()).build())
          : new Answer.Refused(impossible(wanted), "");
    }
    List<StepShare> now =
        others.live().isEmpty() ? ever : shares(wanted, OtherSteps.of(others, spec));
    return now == null ? new Answer.Busy() : new Answer.Placed(now);
  }

  private boolean holdsAll(List<String> nodes) {
    return nodes.isEmpty() || new LinkedHashSet<>(allocation.nodes()).containsAll(nodes);
  }

  /** Why so few nodes will not do. */
  private String tooFew(int nodes) {
    if (spec.relativeNode() >= 0) {
      return "--relative and --nodes option incompatible with count of allocated nodes ("
          + spec.relativeNode()
          + "+"
          + Math.max(1, spec.minNodes())
          + ">"
          + allocation.nodes().size()
          + ")";
    }
    String asked = "Only allocated " + nodes + " nodes asked for " + Math.max(1, spec.minNodes());
    return spec.excludedNodes().isEmpty()
        ? asked
        : "Are required nodes explicitly excluded?\n" + asked;
  }

  /** The nodes that it may have, in order. */
  private List<Candidate> candidates() {
    List<NodeShare> all = allocation.shares();
    Set<String> excluded = new LinkedHashSet<>(spec.excludedNodes());
    Set<String> named = new LinkedHashSet<>(spec.nodes());
    List<Candidate> wanted = new ArrayList<>();
    List<Candidate> others = new ArrayList<>();
    for (int i = Math.max(0, spec.relativeNode()); i < all.size(); i++) {
      NodeShare share = all.get(i);
      if (!excluded.contains(share.node())) {
        // Those that it names come first where it may not have all.
        (named.contains(share.node()) ? wanted : others).add(new Candidate(i, share));
      }
    }
    wanted.addAll(others);
    return wanted;
  }

  /** What the step lacks even if nothing else runs. */
  private ErrorCode impossible(List<Candidate> wanted) {
    Long memory = spec.memoryMib();
    long tasks = 0;
    for (Candidate node : wanted) {
      NodeShare share = node.share();
      if (memory != null && share.memoryMib() > 0 && memory > share.memoryMib()) {
        return ErrorCode.MEMORY_UNAVAILABLE;
      }
      tasks += tasksByMemory(share, share.memoryMib());
    }
    if (tasks < Math.max(1, spec.tasks())) {
      return ErrorCode.MEMORY_UNAVAILABLE;
    }
    // Nodes that have too few of them together, where their number does not follow from the tasks.
    boolean few = spec.gres() != null && !spec.gres().perJob().isEmpty();
    return few ? ErrorCode.INVALID_GRES : ErrorCode.TOO_MANY_CPUS;
  }

  private @Nullable List<StepShare> shares(List<Candidate> wanted, OtherSteps beside) {
    List<Room> rooms = new ArrayList<>();
    for (Candidate node : wanted) {
      Room room = room(node, beside);
      if (room != null) {
        rooms.add(room);
      }
    }
    if (rooms.isEmpty() || rooms.size() < spec.minNodes()) {
      return null;
    }
    List<Room> used = used(rooms);
    if (used == null) {
      return null;
    }
    int tasks = spec.tasks() == 0 ? used.size() : spec.tasks();
    List<String> names = used.stream().map(room -> room.share().node()).toList();
    List<List<Integer>> ranks =
        TaskDistribution.ranks(
            spec.layout(), tasks, names, used.stream().map(Room::holds).toList());
    if (ranks == null) {
      return null;
    }
    List<Room> taking = new ArrayList<>();
    List<List<Integer>> own = new ArrayList<>();
    for (int i = 0; i < used.size(); i++) {
      if (!ranks.get(i).isEmpty()) {
        taking.add(used.get(i));
        own.add(ranks.get(i));
      }
    }
    List<List<GresShare>> devices =
        gres.taken(taking.stream().map(Room::gres).toList(), own.stream().map(List::size).toList());
    if (devices == null) {
      return null;
    }
    List<StepShare> shares = new ArrayList<>();
    for (int i = 0; i < taking.size(); i++) {
      shares.add(share(taking.get(i), own.get(i), List.copyOf(devices.get(i))));
    }
    return List.copyOf(shares);
  }

  /** What a node has for it now, null for nothing. */
  private @Nullable Room room(Candidate node, OtherSteps beside) {
    NodeShare share = node.share();
    List<Integer> cores = share.cores();
    long memory = share.memoryMib();
    int taken = 0;
    for (OtherSteps.Held other : beside.on(share.node())) {
      StepShare its = other.share();
      cores = cores.stream().filter(core -> !its.cores().contains(core)).toList();
      taken += its.cpus();
      memory -= other.spec().asksMemory() ? its.memoryMib() : 0;
    }
    int cpus = Math.max(0, share.cpus() - taken);
    Long asked = spec.memoryMib();
    boolean roomy = asked == null || share.memoryMib() == 0 || asked <= memory;
    int alone = cpus / Math.max(1, spec.cpusPerTask());
    // Without a count there is a task on each node.
    int tasks =
        spec.overcommit() && cpus > 0 ? Math.clamp(spec.tasks(), 1, MOST_TASKS_OF_NODE) : alone;
    tasks = Math.min(tasks, tasksByMemory(share, memory));
    int most = spec.layout().tasksPerNode();
    List<GresShare> devices = StepGres.free(share, beside);
    int bounded =
        Math.min(most > 0 ? Math.min(most, tasks) : tasks, gres.tasks(devices, share.gres()));
    return roomy && bounded > 0
        ? new Room(
            node.place(), share, cores, cpus, bounded, Math.min(alone, bounded), memory, devices)
        : null;
  }

  /** How many tasks have their memory in so much of a node's, where it goes by CPUs. */
  private int tasksByMemory(NodeShare share, long memory) {
    Long perCpu = spec.memoryPerCpuMib();
    if (perCpu == null || share.memoryMib() == 0) {
      return Integer.MAX_VALUE;
    }
    int cpus = spec.overcommit() ? 1 : Math.max(1, spec.cpusPerTask());
    long tasks = Math.max(0, memory) / perCpu / cpus;
    return spec.overcommit() && tasks > 0
        ? Integer.MAX_VALUE
        : Math.clamp(tasks, 0, Integer.MAX_VALUE);
  }

  /** The nodes among them that it uses: as few as hold its tasks, but as many as it wants. */
  private @Nullable List<Room> used(List<Room> rooms) {
    if (!spec.layout().hosts().isEmpty()) {
      List<Room> named = new ArrayList<>(rooms);
      Set<String> hosts = new LinkedHashSet<>(spec.layout().hosts());
      named.removeIf(room -> !hosts.contains(room.share().node()));
      return inOrder(named);
    }
    int most = spec.maxNodes() > 0 ? Math.min(spec.maxNodes(), rooms.size()) : rooms.size();
    int count = Math.max(spec.minNodes(), spec.nodes().size());
    if (spec.tasks() == 0) {
      int all = spec.minNodes() == 0 && spec.nodes().isEmpty() ? most : Math.max(1, count);
      return all > rooms.size() ? null : inOrder(rooms.subList(0, all));
    }
    if (spec.maxNodes() > spec.minNodes() && spec.minNodes() > 0) {
      count = Math.max(count, Math.min(most, spec.tasks()));
    }
    long held = 0;
    int needed = 0;
    while (needed < most && (held < spec.tasks() || needed < count)) {
      held += rooms.get(needed).tasks();
      needed++;
    }
    return held < spec.tasks() || needed < count ? null : inOrder(rooms.subList(0, needed));
  }

  private static List<Room> inOrder(List<Room> rooms) {
    List<Room> sorted = new ArrayList<>(rooms);
    sorted.sort(Comparator.comparingInt(Room::place));
    return sorted;
  }

  /**
   * Its memory on a node.
   *
   * @param asked CPUs that its tasks ask for there
   * @param cpus CPUs of the cores that they get
   */
  private long memory(Room room, int asked, int cpus, List<GresShare> devices) {
    if (spec.memoryMib() != null) {
      return spec.memoryMib();
    }
    long whole = room.share().memoryMib();
    Long perCpu = spec.memoryPerCpuMib();
    if (perCpu != null) {
      return whole == 0 ? 0 : Math.min(room.memory(), memoryByCpus(room, perCpu, asked, cpus));
    }
    long gpus = 0;
    for (GresShare one : devices) {
      gpus += one.name().equals(GresCount.GPU) ? one.count() : 0;
    }
    Long perGpu = spec.memoryPerGpuMib();
    return perGpu == null || gpus == 0 ? whole : Math.min(whole, gpus * perGpu);
  }

  /**
   * Whole cores bring memory of all their CPUs, but no more than these have of the job's: a job
   * that uses one thread of each core was charged for that one.
   */
  private static long memoryByCpus(Room room, long perCpu, int asked, int cpus) {
    NodeShare share = room.share();
    long part = share.memoryMib() * cpus / Math.max(1, share.cpus());
    return Math.max(perCpu * asked, Math.min(perCpu * cpus, part));
  }

  private StepShare share(Room room, List<Integer> own, List<GresShare> devices) {
    int first = spec.het() == null ? 0 : spec.het().firstRank();
    List<Integer> ranks = own.stream().map(rank -> rank + first).toList();
    NodeShare whole = room.share();
    if (spec.sharing() != StepSpec.Sharing.EXACT || room.cores().isEmpty()) {
      long memory = memory(room, room.cpus(), room.cpus(), devices);
      return new StepShare(whole.node(), room.cores(), room.cpus(), memory, ranks, devices);
    }
    int threads = Math.max(1, whole.cpus() / Math.max(1, whole.cores().size()));
    int asked = ranks.size() * Math.max(1, spec.cpusPerTask());
    int cores = Math.min(room.cores().size(), (asked + threads - 1) / threads);
    return new StepShare(
        whole.node(),
        List.copyOf(room.cores().subList(0, cores)),
        cores * threads,
        memory(room, asked, cores * threads, devices),
        ranks,
        devices);
  }
}
