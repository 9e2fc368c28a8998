package io.dure.rules.queueorder;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.usage.FairShareTable;
import io.dure.model.accounting.usage.FairTree;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.rules.SchedulerView;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Divides those who wait into bands by what they used of their shares: whoever used half as much as
 * the middle one is a band above it, a quarter two bands, and so on. Of those in one band the sizes
 * of their jobs decide. Lives within one calculation; one thread.
 */
final class FairShareBands {
  private static final double LOG_2 = Math.log(2);

  /** Less than that part of a share is not told apart. */
  private static final double LEAST = 1e-9;

  private final AccountingTree tree;
  private final @Nullable FairShareTable shares;
  private final int count;
  private final double middle;
  private final Map<Owner, Place> known = new LinkedHashMap<>();

  private record Owner(@Nullable String account, String user, String partition) {}

  /**
   * Where an owner of jobs stands.
   *
   * @param share as in {@code DurePriority}
   */
  record Place(int band, @Nullable Double share) {}

  private FairShareBands(
      AccountingTree tree, @Nullable FairShareTable shares, int count, double middle) {
    this.tree = tree;
    this.shares = shares;
    this.count = count;
    this.middle = middle;
  }

  /** The bands of those who wait in a view. */
  static FairShareBands of(SchedulerView view, int count, Instant now) {
    AccountingTree tree = view.accounts();
    if (count == 1 || tree.isUntouched()) {
      return new FairShareBands(tree, null, 1, 0);
    }
    UsageDecay decay = UsageDecay.of(view.settings().priority().halfLife());
    FairShareTable shares = FairTree.of(tree, view.usage(), now, decay);
    Map<Integer, Double> levels = new TreeMap<>();
    for (Job job : view.pending().values()) {
      Association one = association(tree, job, null);
      if (one != null && !levels.containsKey(one.id())) {
        levels.put(one.id(), level(tree, shares, one));
      }
    }
    List<Double> some =
        levels.values().stream().filter(level -> !level.isInfinite()).sorted().toList();
    return new FairShareBands(tree, shares, count, some.isEmpty() ? 0 : some.get(some.size() / 2));
  }

  private static @Nullable Association association(
      AccountingTree tree, Job job, @Nullable String partition) {
    String account = job.spec().account();
    String named =
        partition != null || job.spec().partitions().isEmpty()
            ? partition
            : job.spec().partitions().getFirst();
    return account == null ? null : tree.charged(account, job.owner().userName(), named);
  }

  /** By how many doublings an association has less than its share, all levels above it counted. */
  private static double level(AccountingTree tree, FairShareTable shares, Association of) {
    double sum = 0;
    for (Association one = of; one != null; one = tree.parent(one)) {
      // Whose share is its parent's stands where its parent stands; the root has none.
      if (one.shares() != null && tree.parent(one) != null) {
        double level = shares.level(one);
        if (Double.isInfinite(level)) {
          return Double.POSITIVE_INFINITY;
        }
        sum += Math.log(Math.max(LEAST, level)) / LOG_2;
      }
    }
    return sum;
  }

  /** Where the owner of a job stands. */
  Place of(Job job, PartitionConfig partition) {
    if (count == 1) {
      return new Place(0, null);
    }
    Owner owner = new Owner(job.spec().account(), job.owner().userName(), partition.name());
    return known.computeIfAbsent(owner, _ -> place(association(tree, job, partition.name())));
  }

  private Place place(@Nullable Association one) {
    FairShareTable known = shares;
    if (one == null || known == null) {
      return new Place(count / 2, null);
    }
    double level = level(tree, known, one);
    if (Double.isInfinite(level)) {
      return new Place(count - 1, Double.POSITIVE_INFINITY);
    }
    double above = level - middle;
    int band = Math.clamp(count / 2 + (long) above, 0, count - 1);
    return new Place(band, Math.pow(2, above));
  }
}
