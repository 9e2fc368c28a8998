package io.dure.core.scheduler;

import io.dure.core.model.NodeShare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the nodes of one job: all required ones, low weight before high, as few as will do, and
 * those that fit most tightly.
 */
final class Placer {
  private final Need need;
  private final Ledger ledger;
  private final List<Candidate> candidates = new ArrayList<>();
  private final List<Candidate> chosen = new ArrayList<>();

  /** A node that could take part: its slot, and the most tasks and GPUs of the job it can add. */
  private record Candidate(int index, int room, long gpus, long weight) {}

  private Placer(Need need, Ledger ledger) {
    this.need = need;
    this.ledger = ledger;
  }

  /**
   * The shares that the job would get, in node order; null if it does not fit.
   *
   * @param among indices of nodes of the right kind, rising
   * @param promised what is left at later times, where the job must fit too
   */
  static @Nullable List<NodeShare> place(
      Need need, Ledger ledger, int[] among, List<Ledger> promised) {
    Placer placer = new Placer(need, ledger);
    for (int index : among) {
      Slot slot = ledger.slot(index);
      int room = slot.room(need);
      long gpus = room > 0 && need.gpusPerJob() > 0 ? slot.gpuRoom(need, 1) : 0;
      for (Ledger later : promised) {
        room = room == 0 ? 0 : Math.min(room, later.slot(index).room(need));
        gpus = gpus == 0 ? 0 : Math.min(gpus, later.slot(index).gpuRoom(need, 1));
      }
      if (room > 0) {
        placer.candidates.add(new Candidate(index, room, gpus, slot.config().weight()));
      }
    }
    return placer.choose() ? placer.shares() : null;
  }

  private boolean choose() {
    if (candidates.size() < need.minNodes() || need.minNodes() > need.maxNodes()) {
      return false;
    }
    if (need.request().contiguous()) {
      return chooseNeighbours();
    }
    if (!takeRequired()) {
      return false;
    }
    List<Candidate> required = List.copyOf(chosen);
    List<Candidate> others = List.copyOf(candidates);
    if (takeOthers(false)) {
      return true;
    }
    chosen.clear();
    chosen.addAll(required);
    candidates.clear();
    candidates.addAll(others);
    return takeOthers(true);
  }

  private boolean takeRequired() {
    for (String name : need.request().requiredNodes()) {
      int index = ledger.index(name);
      Candidate found = null;
      for (Candidate candidate : candidates) {
        found = candidate.index() == index ? candidate : found;
      }
      if (found == null) {
        return chosen.stream().anyMatch(c -> c.index() == index);
      }
      take(found);
    }
    return true;
  }

  private void take(Candidate candidate) {
    chosen.add(candidate);
    candidates.remove(candidate);
  }

  private int tasksLeft() {
    int left = need.request().tasks();
    for (Candidate candidate : chosen) {
      left -= Math.min(left, candidate.room());
    }
    return left;
  }

  private long gpusLeft() {
    long left = need.gpusPerJob();
    for (Candidate candidate : chosen) {
      left -= Math.min(left, candidate.gpus());
    }
    return left;
  }

  private boolean isEnough() {
    return chosen.size() >= need.minNodes() && tasksLeft() == 0 && gpusLeft() == 0;
  }

  /** Takes nodes until the tasks fit; false if they do not within the most nodes allowed. */
  private boolean takeOthers(boolean roomBeforeWeight) {
    while (!isEnough()) {
      int left = need.maxNodes() - chosen.size();
      if (left <= 0 || candidates.isEmpty()) {
        return false;
      }
      int others = Math.max(0, need.minNodes() - chosen.size() - 1);
      int wanted = Math.max(1, tasksLeft() - others);
      Candidate next = next(wanted, roomBeforeWeight || left == 1);
      take(next);
    }
    return true;
  }

  /**
   * The node to take next: the tightest that has room for all that is wanted, else the one with
   * most room; of the lowest weight only, unless room comes before weight.
   */
  private Candidate next(int wanted, boolean roomBeforeWeight) {
    Candidate best = candidates.getFirst();
    for (Candidate candidate : candidates) {
      if (better(candidate, best, wanted, roomBeforeWeight)) {
        best = candidate;
      }
    }
    return best;
  }

  private boolean better(Candidate a, Candidate b, int wanted, boolean roomBeforeWeight) {
    long gpus = gpusLeft();
    boolean aWill = a.room() >= wanted && a.gpus() >= gpus;
    boolean bWill = b.room() >= wanted && b.gpus() >= gpus;
    if (roomBeforeWeight && aWill != bWill) {
      return aWill;
    }
    if (a.weight() != b.weight() && (!roomBeforeWeight || aWill)) {
      return a.weight() < b.weight();
    }
    if (aWill != bWill) {
      return aWill;
    }
    if (!aWill) {
      if (a.gpus() != b.gpus()) {
        return a.gpus() > b.gpus();
      }
      return a.room() > b.room();
    }
    int aSpare = ledger.slot(a.index()).freeCpus();
    int bSpare = ledger.slot(b.index()).freeCpus();
    return aSpare < bSpare;
  }

  /** The shortest run of neighbouring nodes that will do. */
  private boolean chooseNeighbours() {
    List<Candidate> best = List.of();
    for (int first = 0; first < candidates.size(); first++) {
      int end = first;
      chosen.clear();
      while (end < candidates.size()
          && candidates.get(end).index() == candidates.get(first).index() + end - first
          && chosen.size() < need.maxNodes()
          && !(isEnough() && hasRequired())) {
        chosen.add(candidates.get(end++));
      }
      boolean enough = isEnough() && hasRequired();
      if (enough && (best.isEmpty() || chosen.size() < best.size())) {
        best = List.copyOf(chosen);
      }
    }
    chosen.clear();
    chosen.addAll(best);
    return !best.isEmpty();
  }

  private boolean hasRequired() {
    for (String name : need.request().requiredNodes()) {
      int index = ledger.index(name);
      if (chosen.stream().noneMatch(c -> c.index() == index)) {
        return false;
      }
    }
    return true;
  }

  /** Tasks in blocks, but at least one for each node as long as there are any. */
  private List<NodeShare> shares() {
    chosen.sort((a, b) -> Integer.compare(a.index(), b.index()));
    List<NodeShare> shares = new ArrayList<>(chosen.size());
    int left = need.request().tasks();
    long gpusLeft = need.gpusPerJob();
    int others = chosen.size();
    for (Candidate candidate : chosen) {
      others--;
      int tasks = left == 0 ? 0 : Math.max(1, Math.min(candidate.room(), left - others));
      left -= tasks;
      long gpus = Math.max(0, Math.min(candidate.gpus(), gpusLeft - others));
      gpusLeft -= gpus;
      shares.add(ledger.slot(candidate.index()).share(need, tasks, gpus));
    }
    return List.copyOf(shares);
  }
}
