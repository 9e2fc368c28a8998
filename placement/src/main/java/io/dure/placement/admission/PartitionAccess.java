package io.dure.placement.admission;

import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.config.PartitionConfig;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which partitions a user may submit jobs to. */
public final class PartitionAccess {
  private PartitionAccess() {}

  /** Why a job may not be submitted to these partitions, null if it may to one of them. */
  public static @Nullable Refusal refusal(
      AdmissionView view, List<String> names, Caller.User caller) {
    Refusal last = null;
    boolean some = false;
    for (String name : names) {
      PartitionConfig partition = view.partition(name);
      if (partition == null) {
        return new Refusal(
            ErrorCode.INVALID_PARTITION_NAME, "invalid partition specified: " + name);
      }
      ErrorCode one = refusal(partition, caller);
      some |= one == null;
      last = one == null ? last : new Refusal(one);
    }
    return some ? null : last;
  }

  private static @Nullable ErrorCode refusal(PartitionConfig partition, Caller.User caller) {
    ErrorCode forbidden = forbidden(partition, caller);
    if (forbidden != null) {
      return forbidden;
    }
    return partition.state().accepts() ? null : ErrorCode.PARTITION_NOT_AVAILABLE;
  }

  /**
   * The partitions without those that the user may not use: the scheduler knows no groups and would
   * start the job there.
   */
  public static List<String> permitted(AdmissionView view, List<String> names, Caller.User caller) {
    List<String> permitted = new ArrayList<>();
    for (String name : names) {
      PartitionConfig partition = view.partition(name);
      if (partition != null && forbidden(partition, caller) == null) {
        permitted.add(name);
      }
    }
    return List.copyOf(permitted);
  }

  private static @Nullable ErrorCode forbidden(PartitionConfig partition, Caller.User caller) {
    PartitionConfig.Access access = partition.access();
    boolean root = caller.identity().uid() == 0;
    if (access.rootOnly() && !caller.operator()) {
      return ErrorCode.ACCESS_DENIED;
    }
    if (access.disableRootJobs() && root) {
      return ErrorCode.ACCESS_DENIED;
    }
    if (!access.allowGroups().isEmpty() && !caller.operator()) {
      boolean member = access.allowGroups().stream().anyMatch(caller.groups()::contains);
      if (!member) {
        return ErrorCode.PARTITION_GROUP;
      }
    }
    return null;
  }
}
