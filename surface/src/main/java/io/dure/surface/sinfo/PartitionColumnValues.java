package io.dure.surface.sinfo;

import io.dure.model.config.PartitionConfig;
import io.dure.surface.print.ElapsedTimeFormat;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of the columns about partitions. */
public final class PartitionColumnValues {

  private static final String ALL = "all";
  private static final String INFINITE = "infinite";

  private PartitionColumnValues() {}

  static String value(NodeColumn column, PartitionConfig partition, String cluster) {
    return switch (column) {
      case PARTITION -> partition.isDefault() ? partition.name() + '*' : partition.name();
      case PARTITION_NAME -> partition.name();
      case AVAILABLE ->
          switch (partition.state()) {
            case UP -> "up";
            case DOWN -> "down";
            case DRAIN -> "drain";
            case INACTIVE -> "inactive";
          };
      case TIME -> limit(partition.limits().maxTime(), INFINITE);
      case DEFAULT_TIME -> limit(partition.limits().defaultTime(), "n/a");
      case SIZE -> size(partition.limits());
      case ROOT -> partition.access().rootOnly() ? "yes" : "no";
      case OVER_SUBSCRIBE -> sharing(partition.sharing());
      case GROUPS -> names(partition.access().allowGroups());
      case ALLOC_NODES -> names(partition.access().allocNodes());
      case MAX_CPUS_PER_NODE -> {
        int most = partition.limits().maxCpusPerNode();
        yield most == Integer.MAX_VALUE ? "UNLIMITED" : Integer.toString(most);
      }
      case PRIORITY_JOB_FACTOR -> Integer.toString(partition.priorityJobFactor());
      case PRIORITY_TIER -> Integer.toString(partition.priorityTier());
      case CLUSTER -> cluster;
      default -> throw new IllegalStateException("no value for " + column);
    };
  }

  private static String limit(@Nullable Duration limit, String absent) {
    return limit == null ? absent : ElapsedTimeFormat.compact(limit.toSeconds());
  }

  /** {@code 1-infinite}, {@code 2-8}, {@code 4}. */
  private static String size(PartitionConfig.Limits limits) {
    int least = Math.max(1, limits.minNodes());
    if (limits.maxNodes() == Integer.MAX_VALUE) {
      return least + "-" + INFINITE;
    }
    return least == limits.maxNodes() ? Integer.toString(least) : least + "-" + limits.maxNodes();
  }

  /** {@code NO}, {@code EXCLUSIVE}, {@code YES:4}, {@code FORCE:4}. */
  public static String sharing(PartitionConfig.OverSubscribe sharing) {
    return switch (sharing.mode()) {
      case NO -> "NO";
      case EXCLUSIVE -> "EXCLUSIVE";
      case FORCE -> "FORCE:" + sharing.jobs();
      case YES -> "YES:" + sharing.jobs();
    };
  }

  private static String names(List<String> names) {
    return names.isEmpty() ? ALL : String.join(",", names);
  }
}
