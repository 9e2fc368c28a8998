package io.dure.scheduler.timeline;

import io.dure.placement.AllocationLedger;
import io.dure.placement.CandidateNodes;
import io.dure.placement.FreedNodeLog;
import io.dure.placement.JobFeasibility;
import io.dure.placement.JobPlacer;
import io.dure.placement.NodeDemand;
import io.dure.placement.NodeLoad;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** One request in one partition, and what is known of how it fits. */
public final class RequestClass {

  private final AllocationLedger ledger;
  private final AllocationLedger idle;
  private final @Nullable NodeDemand need;
  private final @Nullable String never;
  private final int[] nodes;
  private final @Nullable ReservationWindows doors;

  /** The same request on the nodes that it prefers, null where it prefers none. */
  private @Nullable RequestClass preferred;

  private final BitSet members = new BitSet();

  /** How many nodes had room at most, and for how many tasks, when the log was read last. */
  private int roomy;

  private long roomyTasks;
  private long read = -1;

  private long judged = -1;
  private @Nullable String reason;

  /** The plan that {@link #failed} is of. */
  private long plan;

  private long failed;
  private int failedAfter;
  private final CandidateNodes candidates = new CandidateNodes();
  private long candidatesOf;

  /** How often promises had been withdrawn when the candidates were found. */
  private int withdrawn;

  private long candidatesUntil;
  private int touched;

  RequestClass(
      AllocationLedger ledger,
      AllocationLedger idle,
      @Nullable NodeDemand need,
      @Nullable String never,
      int[] nodes,
      @Nullable ReservationWindows doors) {
    this.ledger = ledger;
    this.idle = idle;
    this.need = need;
    this.never = never;
    this.nodes = nodes;
    this.doors = doors;
    for (int node : nodes) {
      members.set(node);
    }
  }

  public NodeDemand need() {
    if (need == null) {
      throw new IllegalStateException("a request that cannot be placed: " + never);
    }
    return need;
  }

  /** Indices of the nodes of the right kind, whether or not they take jobs now. */
  public int[] nodes() {
    return nodes;
  }

  /** Notes the same request on the nodes that it prefers. */
  void prefer(RequestClass other) {
    preferred = other;
  }

  /** The same request on the nodes that it prefers, null where these would not do. */
  public @Nullable RequestClass preferred() {
    return preferred == null || preferred.reason() != null ? null : preferred;
  }

  /** When nodes are closed to it because they are reserved for others; null for never. */
  public @Nullable ReservationWindows doors() {
    return doors;
  }

  /** Why it cannot start however idle the nodes are that take jobs; null if it could. */
  public @Nullable String reason() {
    if (never != null) {
      return never;
    }
    long version = ledger.changes().availability();
    if (judged != version) {
      judged = version;
      reason = idleWillDo() ? null : JobFeasibility.unavailable(need(), idle);
    }
    return reason;
  }

  /** The common case without looking at each node: some nodes in order will do. */
  private boolean idleWillDo() {
    NodeDemand wanted = need();
    if (!wanted.isSimple() || wanted.gpusPerJob() > 0 || idle.hasTopology()) {
      return false;
    }
    int count = 0;
    long tasks = 0;
    for (int node : nodes) {
      NodeLoad slot = idle.slot(node);
      int room = slot.available() ? slot.taskCapacity(wanted) : 0;
      count += room > 0 ? 1 : 0;
      tasks += room;
      if (count > wanted.maxNodes()) {
        return false;
      }
      if (count >= wanted.minNodes() && tasks >= wanted.request().tasks()) {
        return true;
      }
    }
    return false;
  }

  /** The candidates of the last start in the plan that was that long, brought up to date. */
  public CandidateNodes candidates(PlanningTimeline outlook, long ofPlan, long end) {
    boolean same = candidatesOf == ofPlan && candidatesUntil == end;
    if (same && withdrawn == outlook.withdrawn()) {
      for (; touched < outlook.touched(); touched++) {
        int node = outlook.touched(touched);
        if (members.get(node)) {
          int room = room(outlook, node, end);
          long gpus = room == 0 ? 0 : gpus(outlook, node, end);
          candidates.update(node, room, slot(outlook, node, end).freeCpus(), gpus);
        }
      }
      return candidates;
    }
    candidates.clear();
    for (int node = nextOpen(0); node >= 0; node = nextOpen(node + 1)) {
      int room = room(outlook, node, end);
      if (room > 0) {
        long gpus = gpus(outlook, node, end);
        candidates.add(node, room, slot(outlook, node, end).freeCpus(), gpus);
      }
    }
    candidatesOf = ofPlan;
    candidatesUntil = end;
    withdrawn = outlook.withdrawn();
    touched = outlook.touched();
    return candidates;
  }

  /** Most tasks that fit on the node from now on until then, promises and reservations counted. */
  public int room(PlanningTimeline outlook, int node, long end) {
    long now = outlook.now();
    if (doors == null) {
      return outlook.room(node, need(), end);
    }
    if (!doors.isOpen(node, now, end, now)) {
      return 0;
    }
    BitSet closed = doors.cores(node, now, end, now);
    if (closed == null) {
      return outlook.room(node, need(), end);
    }
    if (!outlook.isOpen(node) || ledger.lacksCpusFor(node, need())) {
      return 0;
    }
    NodeTimeline profile = outlook.profile(node);
    return profile == null
        ? outlook.slot(node).without(closed).taskCapacity(need())
        : profile.without(closed).room(need(), now, end);
  }

  /** GPUs of those that a job asks for as a whole that the node can add until then. */
  public long gpus(PlanningTimeline outlook, int node, long end) {
    BitSet closed = need().gpusPerJob() == 0 ? null : closed(node, outlook.now(), end, outlook);
    if (closed == null) {
      return outlook.gpus(node, need(), end);
    }
    NodeTimeline profile = outlook.profile(node);
    return profile == null
        ? outlook.slot(node).without(closed).gpuCapacity(need(), 1)
        : profile.without(closed).gpus(need(), outlook.now(), end);
  }

  /** The node now as a job sees it that runs until then: what others have reserved is not there. */
  public NodeLoad slot(PlanningTimeline outlook, int node, long end) {
    BitSet closed = closed(node, outlook.now(), end, outlook);
    return closed == null ? outlook.slot(node) : outlook.slot(node).without(closed);
  }

  /** Cores that are reserved for others at some moment of that time, null for none. */
  public @Nullable BitSet closed(int node, long start, long end, PlanningTimeline outlook) {
    return doors == null ? null : doors.cores(node, start, end, outlook.now());
  }

  /**
   * Whether a job of that length is known not to fit in the plan; not known any more once a promise
   * has been withdrawn.
   */
  public boolean isKnownToFail(PlanningTimeline outlook, long ofPlan, long seconds) {
    return plan == ofPlan && failedAfter == outlook.withdrawn() && seconds >= failed;
  }

  /** A job of that length does not fit in the plan, so neither does a longer one. */
  public void fails(PlanningTimeline outlook, long ofPlan, long seconds) {
    boolean same = plan == ofPlan && failedAfter == outlook.withdrawn();
    failed = same ? Math.min(failed, seconds) : seconds;
    plan = ofPlan;
    failedAfter = outlook.withdrawn();
  }

  /** Whether it might fit if nothing were promised to others; false is certain, true is not. */
  public boolean mayFit() {
    FreedNodeLog changes = ledger.changes();
    if (read < 0 || !changes.has(read) || changes.end() - read > nodes.length / 2) {
      roomy = 0;
      roomyTasks = 0;
      for (int node = nextOpen(0); node >= 0; node = nextOpen(node + 1)) {
        count(node);
      }
    } else {
      for (long place = read; place < changes.end(); place++) {
        int node = changes.at(place);
        if (members.get(node)) {
          count(node);
        }
      }
    }
    read = changes.end();
    return roomy >= need().minNodes() && roomyTasks >= need().request().tasks();
  }

  /** The first of its nodes from an index on that has free CPUs and takes jobs, -1 if none has. */
  public int nextOpen(int from) {
    int node = ledger.nextOpen(from);
    while (node >= 0 && !members.get(node)) {
      node = ledger.nextOpen(node + 1);
    }
    return node;
  }

  /** The index of a node's slot. */
  public int index(String node) {
    return ledger.index(node);
  }

  /** Where a node stands among its nodes, negative if it is none of them. */
  public int place(int node) {
    if (!members.get(node)) {
      return -1;
    }
    int straight = node - nodes[0];
    return straight < nodes.length && nodes[straight] == node
        ? straight
        : Arrays.binarySearch(nodes, node);
  }

  private void count(int node) {
    int room = ledger.lacksCpusFor(node, need()) ? 0 : ledger.slot(node).taskCapacity(need());
    roomy += room > 0 ? 1 : 0;
    roomyTasks += room;
  }

  /**
   * Whether only what was promised to others is in the way of a job that runs until then.
   *
   * @param closed when nodes are closed; null to pass over that, but for cores that are reserved
   * @param free to be filled
   */
  public boolean fitsAlone(
      PlanningTimeline outlook,
      @Nullable ReservationWindows closed,
      long end,
      CandidateNodes free) {
    if (!mayFit()) {
      return false;
    }
    long now = outlook.now();
    NodeDemand wanted = need();
    boolean named = wanted.wholeNodes() && !wanted.request().requiredNodes().isEmpty();
    boolean whole = closed == null && named;
    free.clear();
    for (int node = nextOpen(0); node >= 0; node = nextOpen(node + 1)) {
      boolean isShort =
          ledger.lacksCpusFor(node, wanted)
              || closed != null && !closed.isOpen(node, now, end, now);
      NodeLoad slot = whole ? outlook.slot(node) : slot(outlook, node, end);
      int room = isShort ? 0 : slot.taskCapacity(wanted);
      if (room > 0) {
        long gpus = wanted.gpusPerJob() > 0 ? slot.gpuCapacity(wanted, 1) : 0;
        free.add(node, room, slot.freeCpus(), gpus);
      }
    }
    if (doors == null) {
      roomy = free.roomy();
      roomyTasks = free.tasks();
      read = ledger.changes().end();
    }
    return JobPlacer.place(
            wanted, ledger, free, node -> whole ? outlook.slot(node) : slot(outlook, node, end))
        != null;
  }

  /** Whether the nodes that are not reserved would be too few if they were idle. */
  public boolean isKeptOff(PlanningTimeline outlook, ReservationWindows closed, long end) {
    int open = 0;
    for (int node : nodes) {
      boolean whole = !need().wholeNodes() || closed(node, outlook.now(), end, outlook) == null;
      open += whole && closed.isOpen(node, outlook.now(), end, outlook.now()) ? 1 : 0;
    }
    return open < need().minNodes();
  }

  /** The node as it would be without any job; to be read only. */
  NodeLoad idle(int node) {
    return idle.slot(node);
  }
}
