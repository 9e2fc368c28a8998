package io.dure.model.command;

/** Pending reasons as Slurm spells them. */
public final class PendingReason {
  public static final String RESOURCES = "Resources";
  public static final String PRIORITY = "Priority";
  public static final String DEPENDENCY = "Dependency";
  public static final String DEPENDENCY_NEVER = "DependencyNeverSatisfied";
  public static final String BEGIN_TIME = "BeginTime";
  public static final String DEADLINE = "DeadLine";
  public static final String ARRAY_LIMIT = "JobArrayTaskLimit";
  public static final String PARTITION_DOWN = "PartitionDown";
  public static final String PARTITION_INACTIVE = "PartitionInactive";
  public static final String PARTITION_NODES = "PartitionNodeLimit";
  public static final String PARTITION_TIME = "PartitionTimeLimit";
  public static final String PARTITION_CONFIG = "PartitionConfig";
  public static final String ACCOUNT = "AccountNotAllowed";
  public static final String QOS = "QOSNotAllowed";
  public static final String LICENSES = "Licenses";
  public static final String MEMORY_LIMIT = "MaxMemPerLimit";
  public static final String BAD_CONSTRAINTS = "BadConstraints";
  public static final String NODES_DOWN =
      "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

  public static final String RESERVATION = "Reservation";
  public static final String RESERVATION_DELETED = "ReservationDeleted";
  public static final String MAINTENANCE = "ReqNodeNotAvail, Reserved for maintenance";
  public static final String RESERVED = "ReqNodeNotAvail, May be reserved for other job";

  private PendingReason() {}

  /** Of the reasons of two partitions, the one that says more: lower is closer to a start. */
  public static int distance(String reason) {
    return switch (reason) {
      case RESOURCES -> 0;
      case PRIORITY -> 1;
      case NODES_DOWN -> 2;
      default -> reason.startsWith("ReqNodeNotAvail") ? 2 : 3;
    };
  }
}
