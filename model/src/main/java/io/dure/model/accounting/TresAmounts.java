package io.dure.model.accounting;

import io.dure.model.gres.GresShare;
import io.dure.model.gres.License;
import io.dure.model.job.Allocation;
import io.dure.model.job.NodeShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Amounts of trackable resources, each resource once, in Slurm's order; memory in MiB. What is not
 * named is none.
 */
public record TresAmounts(List<TresAmounts.Amount> amounts) {
  /** Nothing. */
  public static final TresAmounts NONE = new TresAmounts(List.of());

  /** CPUs. */
  public static final String CPU = "cpu";

  /** Memory, MiB. */
  public static final String MEMORY = "mem";

  /** Nodes. */
  public static final String NODE = "node";

  /** What a job is billed. */
  public static final String BILLING = "billing";

  /** The resources that every cluster tracks, in the order of their numbers. */
  public static final List<String> USUAL =
      List.of(CPU, MEMORY, "energy", NODE, BILLING, "fs/disk", "vmem", "pages");

  private static final Comparator<String> ORDER =
      Comparator.<String>comparingInt(name -> USUAL.contains(name) ? USUAL.indexOf(name) : 99)
          .thenComparing(Comparator.naturalOrder());

  /**
   * An amount of one resource.
   *
   * @param name Slurm's name, such as {@code cpu} or {@code gres/gpu:a100}
   */
  public record Amount(String name, long amount) {}

  public TresAmounts {
    amounts = List.copyOf(amounts);
  }

  /** The amount of a resource, 0 if it is not named. */
  public long of(String name) {
    for (Amount amount : amounts) {
      if (amount.name().equals(name)) {
        return amount.amount();
      }
    }
    return 0;
  }

  /** The same with another amount of one resource. */
  public TresAmounts with(String name, long amount) {
    List<Amount> next = new ArrayList<>(amounts.size() + 1);
    boolean put = false;
    for (Amount one : amounts) {
      boolean same = one.name().equals(name);
      if (!put && (same || ORDER.compare(one.name(), name) > 0)) {
        next.add(new Amount(name, amount));
        put = true;
      }
      if (!same) {
        next.add(one);
      }
    }
    if (!put) {
      next.add(new Amount(name, amount));
    }
    return new TresAmounts(next);
  }

  /** The same with more of one resource. */
  public TresAmounts plus(String name, long more) {
    return with(name, of(name) + more);
  }

  /** What an allocation holds. */
  public static TresAmounts of(Allocation allocation) {
    TresAmounts held =
        new TresAmounts(
            List.of(
                new Amount(CPU, allocation.cpus()),
                new Amount(MEMORY, allocation.memoryMib()),
                new Amount(NODE, allocation.shares().size())));
    for (NodeShare share : allocation.shares()) {
      for (GresShare gres : share.gres()) {
        held = held.plus("gres/" + gres.name(), gres.count());
        if (gres.type() != null) {
          held = held.plus("gres/" + gres.kind(), gres.count());
        }
      }
    }
    return held;
  }

  /** The same with licences. */
  public TresAmounts and(List<License> licenses) {
    TresAmounts all = this;
    for (License one : licenses) {
      all = all.plus(one.tres(), one.count());
    }
    return all;
  }

  /** The order in which resources stand. */
  public static Comparator<String> order() {
    return ORDER;
  }
}
