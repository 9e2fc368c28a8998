package io.dure.core.scheduler.plan;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.ResourceRequest;
import io.dure.core.scheduler.Verdict;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of one partition that nothing but their order tells apart: if one of them does not fit, none
 * behind it does. A queue of a hundred thousand jobs is some hundreds of lanes.
 */
final class Lane implements Comparable<Lane> {
  /** What the jobs of a lane have in common. */
  record Key(
      String partition,
      ResourceRequest request,
      long seconds,
      int uid,
      @Nullable String account,
      @Nullable String qos) {}

  final int number;
  final Key key;
  final PartitionConfig partition;
  final Shape shape;

  /** Why the partition takes none of them, null if it does. */
  final @Nullable String rule;

  final TreeSet<QueueEntry> entries = new TreeSet<>();

  /** What is said of all but the odd ones. */
  @Nullable Verdict settled;

  /** Entries of which something else is said, or nothing yet. */
  final Set<QueueEntry> odd = new LinkedHashSet<>();

  /** Number of the pass that {@link #promised} is of. */
  long promisedIn;

  /** The last start that was promised to one of its jobs: none behind it starts before. */
  long promised;

  Lane(int number, Key key, PartitionConfig partition, Shape shape, @Nullable String rule) {
    this.number = number;
    this.key = key;
    this.partition = partition;
    this.shape = shape;
    this.rule = rule;
  }

  long seconds() {
    return key.seconds();
  }

  @Override
  public int compareTo(Lane other) {
    return Integer.compare(number, other.number);
  }
}
