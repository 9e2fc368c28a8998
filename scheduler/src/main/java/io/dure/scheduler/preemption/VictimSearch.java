package io.dure.scheduler.preemption;

import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.job.NodeShare;
import io.dure.placement.AllocationLedger;
import io.dure.placement.CandidateNodes;
import io.dure.placement.JobPlacer;
import io.dure.placement.NodeAllocation;
import io.dure.placement.NodeDemand;
import io.dure.placement.NodeLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the jobs to preempt so that a job fits, on a picture of the nodes: one after the other
 * is taken off it in the order of the victims until the job fits, then all are put back, the last
 * first, without which it fits as well. So none is among them in vain, and none if the job would
 * not fit in the end. Used once.
 */
public final class VictimSearch {
  private final AllocationLedger ledger;
  private final NodeDemand need;
  private final int[] nodes;
  private final @Nullable NodeLoad[] slots;
  private final int[] rooms;
  private final BitSet usable = new BitSet();
  private int roomy;
  private long tasks;

  /**
   * A job that might be preempted.
   *
   * @param held what the job holds
   * @param run its run
   * @param mode what becomes of it
   */
  public record VictimCandidate(AllocationLedger.HeldAllocation held, int run, PreemptMode mode) {}

  /**
   * What was found.
   *
   * @param shares what the job gets once they are gone
   * @param victims none if what ends anyhow is enough
   */
  public record Found(List<NodeShare> shares, List<VictimCandidate> victims) {}

  /**
   * A search on the nodes as they are.
   *
   * @param nodes those of the right kind, rising
   * @param mayUse which of them the job may use now
   * @param seen a node as the job sees it: itself, or a copy without what is reserved for others
   */
  public VictimSearch(
      AllocationLedger ledger,
      NodeDemand need,
      int[] nodes,
      IntPredicate mayUse,
      IntFunction<NodeLoad> seen) {
    this.ledger = ledger;
    this.need = need;
    this.nodes = nodes;
    slots = new @Nullable NodeLoad[nodes.length];
    rooms = new int[nodes.length];
    for (int place = 0; place < nodes.length; place++) {
      if (mayUse.test(nodes[place])) {
        usable.set(place);
        NodeLoad slot = seen.apply(nodes[place]);
        slots[place] = slot == ledger.slot(nodes[place]) ? null : slot;
        if (!ledger.lacksCpusFor(nodes[place], need)) {
          count(place, slot.taskCapacity(need));
        }
      }
    }
  }

  private void count(int place, int room) {
    roomy += (room > 0 ? 1 : 0) - (rooms[place] > 0 ? 1 : 0);
    tasks += room - rooms[place];
    rooms[place] = room;
  }

  private int place(int node) {
    int place = Arrays.binarySearch(nodes, node);
    return place >= 0 && usable.get(place) ? place : -1;
  }

  private NodeLoad slot(int place) {
    NodeLoad slot = slots[place];
    if (slot == null) {
      slot = ledger.slot(nodes[place]).copy();
      slots[place] = slot;
    }
    return slot;
  }

  private NodeLoad at(int node) {
    int place = place(node);
    NodeLoad slot = place < 0 ? null : slots[place];
    return slot == null ? ledger.slot(node) : slot;
  }

  /** This will be free whatever is decided here; true if there is more room then. */
  public boolean release(AllocationLedger.HeldAllocation held) {
    boolean more = false;
    for (NodeAllocation holding : held.holdings()) {
      more |= change(holding, null);
    }
    return more;
  }

  /** The job that holds this cannot be preempted. */
  public void hold(NodeAllocation holding) {
    change(null, holding);
  }

  private boolean change(@Nullable NodeAllocation before, @Nullable NodeAllocation after) {
    NodeAllocation any = before == null ? after : before;
    int place = any == null ? -1 : place(any.node());
    if (place < 0) {
      return false;
    }
    NodeLoad slot = slot(place);
    if (before != null) {
      slot.release(before);
    }
    if (after != null) {
      slot.hold(after);
    }
    int room = rooms[place];
    count(place, slot.taskCapacity(need));
    return rooms[place] > room || need.gpusPerJob() > 0;
  }

  private boolean take(Taken taken) {
    boolean more = false;
    for (int i = 0; i < taken.holdings().size(); i++) {
      more |= change(taken.holdings().get(i), taken.left().isEmpty() ? null : taken.left().get(i));
    }
    return more;
  }

  private void giveBack(Taken taken) {
    for (int i = 0; i < taken.holdings().size(); i++) {
      change(taken.left().isEmpty() ? null : taken.left().get(i), taken.holdings().get(i));
    }
  }

  /** A victim, with what of it stays where it is: a suspended job keeps all but its cores. */
  private record Taken(
      VictimCandidate victim, List<NodeAllocation> holdings, List<NodeAllocation> left) {
    static Taken of(VictimCandidate victim) {
      List<NodeAllocation> holdings = victim.held().holdings();
      return new Taken(
          victim,
          holdings,
          victim.mode() == PreemptMode.SUSPEND
              ? holdings.stream().map(NodeAllocation::withoutCores).toList()
              : List.of());
    }
  }

  private @Nullable List<NodeShare> attempt() {
    if (roomy < need.minNodes() || tasks < need.request().tasks()) {
      return null;
    }
    CandidateNodes candidates = new CandidateNodes();
    for (int place = 0; place < nodes.length; place++) {
      if (rooms[place] > 0) {
        NodeLoad slot = at(nodes[place]);
        long gpus = need.gpusPerJob() > 0 ? slot.gpuCapacity(need, 1) : 0;
        candidates.add(nodes[place], rooms[place], slot.freeCpus(), gpus);
      }
    }
    return JobPlacer.place(need, ledger, candidates, this::at);
  }

  /**
   * Looks.
   *
   * @param victims in the order in which they are to make room
   * @param reorders how often the one that made the difference is tried before all others, to find
   *     fewer
   * @return null if the job would not fit with all of them gone
   */
  public @Nullable Found find(List<VictimCandidate> victims, int reorders) {
    List<NodeShare> shares = attempt();
    if (shares != null) {
      return new Found(shares, List.of());
    }
    List<VictimCandidate> order = new ArrayList<>(victims);
    Found best = null;
    for (int round = 0; round <= reorders; round++) {
      List<Taken> taken = new ArrayList<>();
      Found found = find(order, taken);
      taken.forEach(this::giveBack);
      if (found == null || best != null && found.victims().size() >= best.victims().size()) {
        return best;
      }
      best = found;
      if (best.victims().size() < 2) {
        return best;
      }
      VictimCandidate last = best.victims().getLast();
      order.remove(last);
      order.addFirst(last);
    }
    return best;
  }

  /** One round; those that are off the picture at its end stand in {@code taken}. */
  private @Nullable Found find(List<VictimCandidate> order, List<Taken> taken) {
    List<NodeShare> shares = null;
    for (VictimCandidate victim : order) {
      Taken one = Taken.of(victim);
      taken.add(one);
      shares = take(one) ? attempt() : null;
      if (shares != null) {
        break;
      }
    }
    if (shares == null) {
      return null;
    }
    shares = without(taken, overlapping(taken, shares), shares);
    for (Taken one : List.copyOf(taken).reversed()) {
      shares = without(taken, List.of(one), shares);
    }
    return new Found(shares, taken.stream().map(Taken::victim).toList());
  }

  /** Those that hold nothing on the job's nodes. */
  private List<Taken> overlapping(List<Taken> taken, List<NodeShare> shares) {
    TreeSet<Integer> its = new TreeSet<>();
    shares.forEach(share -> its.add(ledger.index(share.node())));
    return taken.stream()
        .filter(one -> one.holdings().stream().noneMatch(h -> its.contains(h.node())))
        .toList();
  }

  /** Puts some back if the job fits all the same; where it gets its place then. */
  private List<NodeShare> without(List<Taken> taken, List<Taken> some, List<NodeShare> shares) {
    if (some.isEmpty()) {
      return shares;
    }
    some.forEach(this::giveBack);
    List<NodeShare> still = attempt();
    if (still == null) {
      some.forEach(this::take);
      return shares;
    }
    taken.removeAll(some);
    return still;
  }
}
