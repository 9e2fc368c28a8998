package io.dure.placement.step;

import io.dure.model.ErrorCode;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Gives a step its part of what its job holds. */
public final class StepPlacer {
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

  /** A node that the step may have. */
  private record Room(
      NodeShare share, List<Integer> cores, int cpus, int tasks, List<GresShare> gres) {}

  /** What a step gets beside the other steps of its run. */
  public static Answer place(Allocation allocation, RunSteps others, StepSpec spec) {
    return new StepPlacer(allocation, others, spec).place();
  }

  private Answer place() {
    List<String> all = allocation.nodes();
    if (!all.containsAll(spec.nodes()) || !all.containsAll(spec.layout().hosts())) {
      return new Answer.Refused(ErrorCode.NODE_CONFIG_UNAVAILABLE, "");
    }
    List<NodeShare> wanted = candidates();
    if (wanted.size() < Math.max(1, spec.minNodes())) {
      return new Answer.Refused(ErrorCode.NODE_CONFIG_UNAVAILABLE, tooFew(wanted.size()));
    }
    String refusal = gres.refusal(wanted);
    if (refusal != null) {
      return new Answer.Refused(ErrorCode.INVALID_GRES, refusal);
    }
    List<StepShare> ever = shares(wanted, RunSteps.NONE);
    if (ever == null) {
      return spec.layout().tasksPerNode() > 0
          ? place(allocation, others, spec.with().layout(spec.layout().unbounded()).build())
          : new Answer.Refused(impossible(wanted), "");
    }
    List<StepShare> now = shares(wanted, others);
    return now == null ? new Answer.Busy() : new Answer.Placed(now);
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
  private List<NodeShare> candidates() {
    List<String> all = allocation.nodes();
    int first = Math.max(0, spec.relativeNode());
    List<NodeShare> wanted = new ArrayList<>();
    for (int i = first; i < all.size(); i++) {
      NodeShare share = allocation.shares().get(i);
      if (!spec.excludedNodes().contains(share.node())) {
        wanted.add(share);
      }
    }
    // Those that it names come first where it may not have all.
    if (!spec.nodes().isEmpty()) {
      List<NodeShare> named = new ArrayList<>(wanted);
      named.removeIf(share -> !spec.nodes().contains(share.node()));
      wanted.removeAll(named);
      wanted.addAll(0, named);
    }
    return wanted;
  }

  /** What the step lacks even if nothing else runs. */
  private ErrorCode impossible(List<NodeShare> wanted) {
    Long memory = spec.memoryMib();
    for (NodeShare share : wanted) {
      if (memory != null && share.memoryMib() > 0 && memory > share.memoryMib()) {
        return ErrorCode.MEMORY_UNAVAILABLE;
      }
    }
    // Nodes that have too few of them together, where their number does not follow from the tasks.
    boolean few = spec.gres() != null && !spec.gres().perJob().isEmpty();
    return few ? ErrorCode.INVALID_GRES : ErrorCode.TOO_MANY_CPUS;
  }

  private @Nullable List<StepShare> shares(List<NodeShare> wanted, RunSteps beside) {
    List<Room> rooms = new ArrayList<>();
    for (NodeShare share : wanted) {
      Room room = room(share, beside);
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
            spec.layout(), tasks, names, used.stream().map(Room::tasks).toList());
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
  private @Nullable Room room(NodeShare share, RunSteps beside) {
    TreeSet<Integer> cores = new TreeSet<>(share.cores());
    long memory = share.memoryMib();
    int taken = 0;
    if (spec.sharing() != StepSpec.Sharing.OVERLAP) {
      for (LaunchedStep other : beside.live()) {
        StepShare its =
            other.nodesLeft().contains(share.node()) ? other.shareOn(share.node()) : null;
        if (its != null && other.spec().sharing() != StepSpec.Sharing.OVERLAP) {
          cores.removeAll(its.cores());
          taken += its.cpus();
          memory -= other.spec().asksMemory() ? its.memoryMib() : 0;
        }
      }
    }
    int cpus = Math.max(0, share.cpus() - taken);
    Long asked = spec.memoryMib();
    boolean roomy = asked == null || share.memoryMib() == 0 || asked <= memory;
    int tasks =
        spec.overcommit() && cpus > 0 ? spec.tasks() : cpus / Math.max(1, spec.cpusPerTask());
    int most = spec.layout().tasksPerNode();
    List<GresShare> devices = StepGres.free(share, beside, spec);
    int bounded =
        Math.min(most > 0 ? Math.min(most, tasks) : tasks, gres.tasks(devices, share.gres()));
    return roomy && bounded > 0
        ? new Room(share, List.copyOf(cores), cpus, bounded, devices)
        : null;
  }

  /** The nodes among them that it uses: as few as hold its tasks, but as many as it wants. */
  private @Nullable List<Room> used(List<Room> rooms) {
    if (!spec.layout().hosts().isEmpty()) {
      List<Room> named = new ArrayList<>(rooms);
      named.removeIf(room -> !spec.layout().hosts().contains(room.share().node()));
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

  private List<Room> inOrder(List<Room> rooms) {
    List<String> order = allocation.nodes();
    List<Room> sorted = new ArrayList<>(rooms);
    sorted.sort((a, b) ->
        Integer.compare(order.indexOf(a.share().node()), order.indexOf(b.share().node())));
    return sorted;
  }

  private long memory(NodeShare whole, List<GresShare> devices) {
    if (spec.memoryMib() != null) {
      return spec.memoryMib();
    }
    long gpus = 0;
    for (GresShare one : devices) {
      gpus += one.name().equals(GresCount.GPU) ? one.count() : 0;
    }
    Long perGpu = spec.memoryPerGpuMib();
    return perGpu == null || gpus == 0
        ? whole.memoryMib()
        : Math.min(whole.memoryMib(), gpus * perGpu);
  }

  private StepShare share(Room room, List<Integer> own, List<GresShare> devices) {
    int first = spec.het() == null ? 0 : spec.het().firstRank();
    List<Integer> ranks = own.stream().map(rank -> rank + first).toList();
    NodeShare whole = room.share();
    long memory = memory(whole, devices);
    if (spec.sharing() != StepSpec.Sharing.EXACT || room.cores().isEmpty()) {
      return new StepShare(whole.node(), room.cores(), room.cpus(), memory, ranks, devices);
    }
    int threads = Math.max(1, whole.cpus() / Math.max(1, whole.cores().size()));
    int asked = ranks.size() * Math.max(1, spec.cpusPerTask());
    int cores = Math.min(room.cores().size(), (asked + threads - 1) / threads);
    return new StepShare(
        whole.node(),
        List.copyOf(room.cores().subList(0, cores)),
        cores * threads,
        memory,
        ranks,
        devices);
  }
}
