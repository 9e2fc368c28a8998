package io.dure.core.scheduler;

/** Pending reasons as Slurm spells them. */
final class Reason {
  static final String RESOURCES = "Resources";
  static final String PRIORITY = "Priority";
  static final String DEPENDENCY = "Dependency";
  static final String DEPENDENCY_NEVER = "DependencyNeverSatisfied";
  static final String BEGIN_TIME = "BeginTime";
  static final String DEADLINE = "DeadLine";
  static final String ARRAY_LIMIT = "JobArrayTaskLimit";
  static final String PARTITION_DOWN = "PartitionDown";
  static final String PARTITION_INACTIVE = "PartitionInactive";
  static final String PARTITION_NODES = "PartitionNodeLimit";
  static final String PARTITION_TIME = "PartitionTimeLimit";
  static final String PARTITION_CONFIG = "PartitionConfig";
  static final String ACCOUNT = "AccountNotAllowed";
  static final String QOS = "QOSNotAllowed";
  static final String LICENSES = "Licenses";
  static final String MEMORY_LIMIT = "MaxMemPerLimit";
  static final String BAD_CONSTRAINTS = "BadConstraints";
  static final String NODES_DOWN =
      "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

  private Reason() {}

  /** Of the reasons of two partitions, the one that says more: lower is closer to a start. */
  static int distance(String reason) {
    return switch (reason) {
      case RESOURCES -> 0;
      case PRIORITY -> 1;
      case NODES_DOWN -> 2;
      default -> reason.startsWith("ReqNodeNotAvail") ? 2 : 3;
    };
  }
}
