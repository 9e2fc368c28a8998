package io.dure.placement;

import io.dure.model.constraint.FeatureConstraint;
import io.dure.model.constraint.FeatureExpression;
import io.dure.model.job.NodeShare;
import io.dure.model.report.GpuTaskShape;
import io.dure.placement.cores.CoreSharing;
import io.dure.placement.gpus.GpuNodeRanking;
import io.dure.placement.nodeselection.NodeSelection;
import io.dure.placement.nodeselection.NodeSelectionRequest;
import io.dure.placement.nodeselection.NodeSelector;
import io.dure.placement.nodeselection.TopologyTree;
import io.dure.placement.nodeselection.WeightedCandidates;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the nodes of one job and says what it gets of each: its required nodes, those that have
 * the features it counts, and what {@link NodeSelector} finds best of the others.
 */
public final class JobPlacer {
  private final NodeDemand need;
  private final AllocationLedger ledger;

  /** By what a node's GPUs are to be ranked, null for weights alone. */
  private final @Nullable GpuNodeRanking ranking;

  private JobPlacer(NodeDemand need, AllocationLedger ledger, @Nullable GpuNodeRanking ranking) {
    this.need = need;
    this.ledger = ledger;
    this.ranking = ranking;
  }

  /**
   * What the job would get of the nodes as they are, in node order; null if it does not fit.
   *
   * @param among indices of nodes of the right kind, rising
   */
  static @Nullable List<NodeShare> place(NodeDemand need, AllocationLedger ledger, int[] among) {
    CandidateNodes candidates = new CandidateNodes();
    for (int index : among) {
      NodeLoad slot = ledger.slot(index);
      int room = slot.taskCapacity(need);
      if (room > 0) {
        long gpus = need.gpusPerJob() > 0 ? slot.gpuCapacity(need, 1) : 0;
        candidates.add(index, room, slot.freeCpus(), gpus);
      }
    }
    return place(need, ledger, candidates, ledger::slot);
  }

  /**
   * What the job would get of the candidates, in node order; null if they will not do.
   *
   * @param at a node as it is when the job would start there
   */
  public static @Nullable List<NodeShare> place(
      NodeDemand need,
      AllocationLedger ledger,
      CandidateNodes candidates,
      IntFunction<NodeLoad> at) {
    CoreSharing together = need.together();
    if (together != null && together.layers() == together.jobs()) {
      return layered(need, together, ledger, candidates, at);
    }
    return chosen(need, ledger, candidates, at);
  }

  /**
   * What a job with GPUs would get of the candidates if it starts now: of nodes of one weight where
   * it does the least harm to the jobs to come.
   */
  public static @Nullable List<NodeShare> placeNow(
      NodeDemand need,
      AllocationLedger ledger,
      CandidateNodes candidates,
      IntFunction<NodeLoad> at,
      @Nullable GpuNodeRanking ranking) {
    GpuTaskShape shape = ranking == null ? null : ranking.shape(need.request());
    boolean plain = need.wholeNodes() || need.together() != null || need.leastLoaded();
    if (ranking == null || shape == null || plain) {
      return place(need, ledger, candidates, at);
    }
    if (candidates.roomy() < need.minNodes()
        || candidates.tasks() < need.request().tasks()
        || need.minNodes() > need.maxNodes()) {
      return null;
    }
    if (need.minNodes() == 1 && need.isSimple() && need.request().reach().breadth() == null) {
      int node = cheapest(need, ledger, candidates, shape, ranking);
      if (node >= 0) {
        NodeLoad slot = at.apply(candidates.index(node));
        return List.of(
            slot.share(need, need.request().tasks(), need.gpusPerJob(), candidates.room(node)));
      }
    }
    // Wide jobs get the smallest part of a tree that will do.
    JobPlacer placer = new JobPlacer(need, ledger, forest(need, ledger) == null ? ranking : null);
    NodeSelection choice = placer.choose(placer.offer(candidates));
    return choice == null ? null : placer.shares(choice, at);
  }

  /** Of the nodes that have room for all of it, -1 if none has. */
  private static int cheapest(
      NodeDemand need,
      AllocationLedger ledger,
      CandidateNodes candidates,
      GpuTaskShape shape,
      GpuNodeRanking ranking) {
    int best = -1;
    long least = 0;
    for (int i = 0; i < candidates.count(); i++) {
      boolean enough =
          candidates.room(i) >= need.request().tasks() && candidates.gpus(i) >= need.gpusPerJob();
      if (!enough) {
        continue;
      }
      long cost = ranking.cost(shape, candidates.index(i));
      int order = best < 0 ? -1 : order(ledger, candidates, i, best, Long.compare(cost, least));
      if (order < 0 || order == 0 && candidates.spare(i) < candidates.spare(best)) {
        best = i;
        least = cost;
      }
    }
    return best;
  }

  /** Free cores before shared ones, on all nodes alike. */
  private static @Nullable List<NodeShare> layered(
      NodeDemand need,
      CoreSharing together,
      AllocationLedger ledger,
      CandidateNodes candidates,
      IntFunction<NodeLoad> at) {
    for (int layers = 0; layers < together.jobs(); layers++) {
      NodeDemand fewer = need.withTogether(together.within(layers));
      CandidateNodes some = new CandidateNodes();
      for (int i = 0; i < candidates.count(); i++) {
        NodeLoad slot = at.apply(candidates.index(i));
        int room = Math.min(candidates.room(i), slot.taskCapacity(fewer));
        if (room > 0) {
          some.add(candidates.index(i), room, slot.freeCpus(), candidates.gpus(i));
        }
      }
      List<NodeShare> shares = chosen(fewer, ledger, some, at);
      if (shares != null) {
        return shares;
      }
    }
    return chosen(need, ledger, candidates, at);
  }

  private static @Nullable List<NodeShare> chosen(
      NodeDemand need,
      AllocationLedger ledger,
      CandidateNodes candidates,
      IntFunction<NodeLoad> at) {
    if (candidates.roomy() < need.minNodes()
        || candidates.tasks() < need.request().tasks()
        || need.minNodes() > need.maxNodes()) {
      return null;
    }
    if (isSingle(need) && forest(need, ledger) == null) {
      int node = single(ledger, candidates);
      return List.of(at.apply(candidates.index(node)).share(need, 1, 0, candidates.room(node)));
    }
    return general(need, ledger, candidates, at);
  }

  /** What {@link #place} gives, without its short way for a single task. */
  static @Nullable List<NodeShare> general(
      NodeDemand need,
      AllocationLedger ledger,
      CandidateNodes candidates,
      IntFunction<NodeLoad> at) {
    JobPlacer placer = new JobPlacer(need, ledger, null);
    NodeSelection choice = placer.choose(placer.offer(candidates));
    return choice == null ? null : placer.shares(choice, at);
  }

  /** Whether it is one task that any of the nodes will do for: most jobs of most clusters are. */
  private static boolean isSingle(NodeDemand need) {
    return need.request().tasks() == 1
        && need.minNodes() == 1
        && need.gpusPerJob() == 0
        && need.isSimple()
        && !need.leastLoaded()
        && need.request().reach().breadth() == null;
  }

  /** The network by which the job's nodes are chosen, null for none. */
  private static @Nullable TopologyTree forest(NodeDemand need, AllocationLedger ledger) {
    return need.isAnywhere() ? null : ledger.forest(need.partition());
  }

  private static int order(
      AllocationLedger ledger, CandidateNodes candidates, int one, int other, long moreSpare) {
    long weight = ledger.weight(candidates.index(one));
    int order = Long.compare(weight, ledger.weight(candidates.index(other)));
    return order == 0 ? Long.signum(moreSpare) : order;
  }

  /** The fullest node of the run that is just enough, of those of the lowest weight. */
  private static int single(AllocationLedger ledger, CandidateNodes candidates) {
    int best = -1;
    int bestEnd = 0;
    long bestSpare = 0;
    for (int i = 0; i < candidates.count(); ) {
      int first = i;
      long spare = 0;
      boolean goesOn = candidates.room(i) > 0;
      for (i = goesOn ? i : i + 1; goesOn; ) {
        spare += candidates.spare(i++);
        goesOn =
            i < candidates.count()
                && candidates.room(i) > 0
                && candidates.index(i) == candidates.index(i - 1) + 1
                && ledger.weight(candidates.index(i)) == ledger.weight(candidates.index(first));
      }
      if (candidates.room(first) > 0
          && (best < 0 || order(ledger, candidates, first, best, spare - bestSpare) < 0)) {
        best = first;
        bestEnd = i;
        bestSpare = spare;
      }
    }
    for (int i = best + 1; i < bestEnd; i++) {
      best = candidates.spare(i) < candidates.spare(best) ? i : best;
    }
    return best;
  }

  private WeightedCandidates offer(CandidateNodes candidates) {
    WeightedCandidates offer = new WeightedCandidates(candidates.count());
    long[] weights = weights(candidates);
    for (int i = 0; i < candidates.count(); i++) {
      if (candidates.room(i) > 0) {
        int node = candidates.index(i);
        offer.add(node, candidates.room(i), candidates.spare(i), candidates.gpus(i), weights[i]);
      }
    }
    return offer;
  }

  /** How much of a node is held, in thousandths. */
  private long held(CandidateNodes candidates, int which) {
    int cpus = Math.max(1, ledger.slot(candidates.index(which)).cpus());
    return 1000L - 1000L * candidates.spare(which) / cpus;
  }

  /**
   * Of nodes with GPUs, and where the least loaded come first, their places in the order of weight
   * and cost, equal where these are.
   */
  private long[] weights(CandidateNodes candidates) {
    int count = candidates.count();
    long[] weights = new long[count];
    for (int i = 0; i < count; i++) {
      weights[i] = ledger.weight(candidates.index(i));
    }
    GpuTaskShape shape = ranking == null ? null : ranking.shape(need.request());
    if (!need.leastLoaded() && (ranking == null || shape == null)) {
      return weights;
    }
    long[] costs = new long[count];
    List<Integer> order = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      costs[i] =
          ranking == null || shape == null || need.leastLoaded()
              ? held(candidates, i)
              : ranking.cost(shape, candidates.index(i));
      order.add(i);
    }
    Comparator<Integer> rising =
        Comparator.comparingLong((Integer i) -> weights[i]).thenComparingLong(i -> costs[i]);
    order.sort(rising);
    long[] ranks = new long[count];
    for (int place = 1; place < count; place++) {
      int here = order.get(place);
      int before = order.get(place - 1);
      ranks[here] = ranks[before] + (rising.compare(before, here) == 0 ? 0 : 1);
    }
    return ranks;
  }

  private @Nullable NodeSelection choose(WeightedCandidates offer) {
    TreeSet<Integer> required = new TreeSet<>();
    for (String name : need.request().requiredNodes()) {
      required.add(ledger.index(name));
    }
    NodeSelectionRequest wish = need.wish(List.copyOf(required));
    FeatureConstraint constraint = need.features();
    if (constraint == null || constraint.isSimple()) {
      return NodeSelector.choose(offer, wish, forest(need, ledger));
    }
    if (constraint.oneOf().isEmpty()) {
      return count(offer, wish, constraint.counts());
    }
    for (FeatureExpression same : constraint.oneOf()) {
      NodeSelection choice =
          NodeSelector.choose(offer.only(ledger.having(same)), wish, forest(need, ledger));
      if (choice != null) {
        return choice;
      }
    }
    return null;
  }

  /** As many nodes of each kind as are counted, and among these the rest. */
  private @Nullable NodeSelection count(
      WeightedCandidates offer, NodeSelectionRequest wish, List<FeatureConstraint.Count> counts) {
    TreeSet<Integer> required = new TreeSet<>(wish.required());
    BitSet counted = new BitSet();
    for (FeatureConstraint.Count count : counts) {
      int missing = count.nodes();
      BitSet kind = (BitSet) ledger.having(count.what()).clone();
      for (int node : wish.required()) {
        if (missing > 0 && kind.get(node) && !counted.get(node)) {
          counted.set(node);
          missing--;
        }
      }
      required.forEach(kind::clear);
      if (missing > 0) {
        NodeSelection choice =
            NodeSelector.choose(offer.only(kind), wish.only(missing), forest(need, ledger));
        if (choice == null) {
          return null;
        }
        choice.places().forEach(place -> required.add(choice.index(place)));
      }
    }
    return NodeSelector.choose(offer, wish.requiring(List.copyOf(required)), forest(need, ledger));
  }

  private List<NodeShare> shares(NodeSelection choice, IntFunction<NodeLoad> at) {
    List<Integer> places = choice.places();
    int[] tasks = choice.tasks();
    List<NodeShare> shares = new ArrayList<>(tasks.length);
    long gpusWanted = need.gpusPerJob();
    for (int i = 0; i < tasks.length; i++) {
      int place = places.get(i);
      int others = tasks.length - i - 1;
      long gpus = Math.max(0, Math.min(choice.gpus(place), gpusWanted - others));
      gpusWanted -= gpus;
      shares.add(at.apply(choice.index(place)).share(need, tasks[i], gpus, choice.room(place)));
    }
    return List.copyOf(shares);
  }
}
