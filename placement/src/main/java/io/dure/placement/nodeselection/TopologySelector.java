package io.dure.placement.nodeselection;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes nodes where switches or blocks join them: of low weight as far as these will do, below the
 * lowest switch that will do and of these the fullest; below that again the fullest part that will
 * do for all, or else the greatest and then the fullest for what is left.
 */
final class TopologySelector {
  private static final int MOST_TRIES = 64;

  private final NodeSelection choice;
  private final WeightedCandidates offer;
  private final TopologyTree forest;

  /** Nodes below each switch that may be taken, the tasks and GPUs they have room for. */
  private final int[] nodes;

  private final long[] room;
  private final long[] gpus;
  private final long[] spare;
  private final long[] weight;

  /** How many that are taken already are below each. */
  private final int[] required;

  /** The places of the nodes of each leaf that may be taken. */
  private final @Nullable List<Integer>[] places;

  @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of a generic type
  private TopologySelector(NodeSelection choice, TopologyTree forest) {
    this.choice = choice;
    offer = choice.offer;
    this.forest = forest;
    nodes = new int[forest.count()];
    room = new long[nodes.length];
    gpus = new long[nodes.length];
    spare = new long[nodes.length];
    weight = new long[nodes.length];
    required = new int[nodes.length];
    places = new List[nodes.length];
    for (int i = 0; i < offer.count(); i++) {
      if (!choice.isClosed(i)) {
        int leaf = forest.leafOf(offer.index(i));
        List<Integer> its = places[leaf];
        if (its == null) {
          its = new ArrayList<>();
          places[leaf] = its;
        }
        its.add(i);
      } else if (choice.isTaken(i)) {
        for (int at = forest.leafOf(offer.index(i)); at >= 0; at = forest.parent(at)) {
          required[at]++;
        }
      }
    }
    for (int leaf = 0; leaf < nodes.length; leaf++) {
      List<Integer> its = places[leaf];
      if (its != null) {
        count(leaf, its);
      }
    }
  }

  /** Counts a leaf's nodes, of which only whole segments can be taken. */
  private void count(int leaf, List<Integer> its) {
    its.sort(Comparator.comparingLong(offer::weight));
    int segment = choice.wish.segment();
    int whole =
        choice.wish.spread() ? Math.min(its.size(), segment) : its.size() - its.size() % segment;
    its.subList(whole, its.size()).clear();
    for (int place : its) {
      for (int at = leaf; at >= 0; at = forest.parent(at)) {
        nodes[at]++;
        room[at] += offer.room(place);
        gpus[at] += offer.gpus(place);
        spare[at] += offer.spare(place);
        weight[at] += offer.weight(place);
      }
    }
  }

  /** Takes nodes beside those that are taken already; null if they do not suffice. */
  static @Nullable NodeSelection take(NodeSelection start, TopologyTree forest) {
    if (start.full()) {
      return start;
    }
    int most = start.nodes();
    TopologySelector all = new TopologySelector(start, forest);
    for (int vertex = 0; vertex < all.nodes.length; vertex++) {
      if (all.required[vertex] == start.nodes()) {
        most = Math.max(most, start.nodes() + all.nodes[vertex]);
      }
    }
    int want = Math.min(most, start.wish.want());
    if (want > start.wish.min()) {
      NodeSelection wide = byWeight(start.copy(start.wish.atLeast(want)), forest);
      if (wide != null) {
        return wide;
      }
    }
    return most < start.wish.min() ? null : byWeight(start, forest);
  }

  /** With the light nodes alone, as long as they will do. */
  private static @Nullable NodeSelection byWeight(NodeSelection start, TopologyTree forest) {
    long[] weights = new long[start.offer.count()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = start.isClosed(i) ? Long.MAX_VALUE : start.offer.weight(i);
    }
    long next = least(weights, Long.MIN_VALUE);
    while (next < Long.MAX_VALUE) {
      long heaviest = least(weights, next);
      NodeSelection light = start.copy();
      for (int i = 0; i < weights.length; i++) {
        if (weights[i] > next && weights[i] < Long.MAX_VALUE) {
          light.close(i);
        }
      }
      NodeSelection found = new TopologySelector(light, forest).takeLowest();
      if (found != null) {
        return found;
      }
      next = heaviest;
    }
    return null;
  }

  /** The least weight above another. */
  private static long least(long[] weights, long above) {
    long least = Long.MAX_VALUE;
    for (long weight : weights) {
      least = weight > above ? Math.min(least, weight) : least;
    }
    return least;
  }

  private @Nullable NodeSelection takeLowest() {
    List<Integer> enough = new ArrayList<>();
    for (int vertex = 0; vertex < nodes.length; vertex++) {
      if (required[vertex] == choice.nodes() && suffices(choice, vertex)) {
        enough.add(vertex);
      }
    }
    enough.sort(Comparator.comparingInt(forest::level).thenComparing(this::tightest));
    int tries = Math.min(MOST_TRIES, enough.size());
    for (int i = 0; i < tries; i++) {
      NodeSelection found = takeBelow(enough.get(i));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private int tightest(int a, int b) {
    int byNodes = Integer.compare(nodes[a], nodes[b]);
    int bySpare = byNodes == 0 ? Long.compare(spare[a], spare[b]) : byNodes;
    int byWeight = bySpare == 0 ? Long.compare(weight[a], weight[b]) : bySpare;
    return byWeight == 0 ? Integer.compare(a, b) : byWeight;
  }

  private boolean suffices(NodeSelection so, int vertex) {
    return nodes[vertex] >= so.nodesWanted()
        && room[vertex] >= so.tasksLeft()
        && gpus[vertex] >= so.gpusLeft();
  }

  private @Nullable NodeSelection takeBelow(int vertex) {
    NodeSelection near = choice.copy();
    fill(near, vertex);
    if (near.done() && isNarrow(near)) {
      return near;
    }
    if (choice.wish.switches() != null) {
      NodeSelection few = choice.copy();
      fillFrom(few, leaves(vertex, new ArrayList<>()));
      return few.done() && isNarrow(few) ? few : null;
    }
    NodeSelection roomy = choice.copy();
    BitSet below = new BitSet();
    for (int leaf : leaves(vertex, new ArrayList<>())) {
      List<Integer> its = places[leaf];
      if (its != null) {
        its.forEach(below::set);
      }
    }
    for (int i = 0; i < offer.count(); i++) {
      if (!below.get(i)) {
        roomy.close(i);
      }
    }
    return choice.wish.segment() == 1 && !choice.wish.spread() && roomy.takeRoomiest()
        ? roomy
        : null;
  }

  /** Whether it is on no more leaves than the job accepts. */
  private boolean isNarrow(NodeSelection found) {
    Integer most = choice.wish.switches();
    if (most == null) {
      return true;
    }
    BitSet leaves = new BitSet();
    found.places().forEach(place -> leaves.set(forest.leafOf(offer.index(place))));
    return leaves.cardinality() <= most;
  }

  private List<Integer> leaves(int vertex, List<Integer> leaves) {
    if (forest.children(vertex).length == 0) {
      leaves.add(vertex);
    }
    for (int child : forest.children(vertex)) {
      leaves(child, leaves);
    }
    return leaves;
  }

  private void fill(NodeSelection so, int vertex) {
    int[] below = forest.children(vertex);
    if (below.length == 0) {
      fillLeaf(so, vertex);
      return;
    }
    List<Integer> parts = new ArrayList<>(below.length);
    for (int child : below) {
      parts.add(child);
    }
    fillFrom(so, parts);
  }

  /** From parts of what suffices: first those where something is required. */
  private void fillFrom(NodeSelection so, List<Integer> parts) {
    BitSet left = new BitSet();
    for (int part : parts) {
      if (required[part] > 0 && nodes[part] > 0 && !so.full()) {
        fill(so, part);
      } else {
        left.set(part, nodes[part] > 0);
      }
    }
    while (!so.full() && !left.isEmpty()) {
      int best = left.nextSetBit(0);
      for (int part = best; part >= 0; part = left.nextSetBit(part + 1)) {
        best = better(so, part, best) ? part : best;
      }
      left.clear(best);
      fill(so, best);
    }
  }

  private boolean better(NodeSelection so, int a, int b) {
    boolean aWill = suffices(so, a);
    boolean bWill = suffices(so, b);
    if (aWill != bWill) {
      return aWill;
    }
    if (aWill) {
      return tightest(a, b) < 0;
    }
    int byNodes = so.nodesWanted() > 1 ? Integer.compare(nodes[a], nodes[b]) : 0;
    int byRoom = byNodes == 0 ? Long.compare(room[a], room[b]) : byNodes;
    return byRoom == 0 ? weight[a] < weight[b] : byRoom > 0;
  }

  private void fillLeaf(NodeSelection so, int leaf) {
    List<Integer> its = places[leaf];
    if (its == null) {
      return;
    }
    if (so.wish.want() - so.nodes() <= 1 && choice.wish.segment() == 1) {
      int best = -1;
      for (int place : its) {
        boolean lighter = best < 0 || offer.weight(place) == offer.weight(best);
        if (so.isEnough(place) && lighter && (best < 0 || offer.spare(place) < offer.spare(best))) {
          best = place;
        }
      }
      if (best >= 0) {
        so.take(best);
        return;
      }
    }
    for (int place : its) {
      if (so.full() || !so.take(place)) {
        return;
      }
    }
  }
}
