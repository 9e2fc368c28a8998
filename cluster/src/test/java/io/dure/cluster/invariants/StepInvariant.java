package io.dure.cluster.invariants;

import io.dure.model.gres.GresShare;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepName;
import io.dure.model.step.StepShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Steps have what their job has and no more, and what one has to itself no other has. */
public final class StepInvariant {
  private StepInvariant() {}

  /** What is wrong with the live steps of a run, null for nothing. */
  public static @Nullable String broken(Allocation held, List<LaunchedStep> live) {
    int before = -1;
    boolean shell = false;
    for (LaunchedStep step : live) {
      boolean isShell = step.name() instanceof StepName.InteractiveStep;
      if ((isShell ? shell : step.number() <= before)
          || step.nodesLeft().isEmpty()
          || !step.nodes().containsAll(step.nodesLeft())) {
        return "no such step may live: " + step;
      }
      shell |= isShell;
      before = isShell ? before : step.number();
      for (StepShare share : step.shares()) {
        NodeShare whole = held.shareOn(share.node());
        // What it had on a node that its job has lost is over.
        boolean lives = step.nodesLeft().contains(share.node());
        if (whole == null ? lives : !isWithin(share, whole)) {
          return "step " + step.number() + " has more than its job: " + share + ", " + whole;
        }
      }
    }
    for (NodeShare whole : held.shares()) {
      String both = beside(whole, live);
      if (both != null) {
        return both;
      }
    }
    return null;
  }

  private static boolean isWithin(StepShare share, NodeShare whole) {
    return whole.cores().containsAll(share.cores())
        && share.cpus() <= whole.cpus()
        && (whole.memoryMib() == 0 || share.memoryMib() <= whole.memoryMib())
        && share.gres().stream().allMatch(one -> isWithin(one, whole.gres()));
  }

  private static boolean isWithin(GresShare part, List<GresShare> all) {
    return all.stream()
        .anyMatch(one ->
            isSame(part, one)
                && part.count() <= one.count()
                && one.devices().containsAll(part.devices()));
  }

  private static boolean isSame(GresShare one, GresShare other) {
    return one.name().equals(other.name()) && Objects.equals(one.type(), other.type());
  }

  /** Those on a node that share nothing fit beside each other. */
  private static @Nullable String beside(NodeShare whole, List<LaunchedStep> live) {
    TreeSet<Integer> cores = new TreeSet<>();
    List<GresShare> gres = new ArrayList<>();
    int cpus = 0;
    long memory = 0;
    for (LaunchedStep step : live) {
      StepShare share = step.shareOn(whole.node());
      if (share == null
          || step.spec().sharing().isShared()
          || !step.nodesLeft().contains(whole.node())) {
        continue;
      }
      cpus += share.cpus();
      memory += step.spec().memoryMib() == null ? 0 : share.memoryMib();
      gres.addAll(share.gres());
      for (int core : share.cores()) {
        if (!cores.add(core)) {
          return "steps share core " + core + " of " + whole.node() + ": " + live;
        }
      }
    }
    if (cpus > whole.cpus() || (whole.memoryMib() > 0 && memory > whole.memoryMib())) {
      return "steps have more of " + whole.node() + " than their job: " + live;
    }
    for (GresShare one : whole.gres()) {
      long count = gres.stream().filter(g -> isSame(g, one)).mapToLong(GresShare::count).sum();
      if (count > one.count()) {
        return "steps have more " + one.kind() + " of " + whole.node() + " than their job: " + live;
      }
    }
    return null;
  }
}
