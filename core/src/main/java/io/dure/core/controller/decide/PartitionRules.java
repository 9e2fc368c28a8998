package io.dure.core.controller.decide;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Event;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may use which partition, and changing partitions. */
final class PartitionRules {
  private PartitionRules() {}

  /** Why a job may not be submitted to these partitions, null if it may to one of them. */
  static SubmitRules.Checked.@Nullable Unfit refusal(
      ClusterState state, List<String> names, JobSpec spec, Caller.User who) {
    SubmitRules.Checked.Unfit last = null;
    boolean some = false;
    for (String name : names) {
      PartitionConfig partition = state.partition(name);
      if (partition == null) {
        return SubmitRules.no(
            ErrorCode.INVALID_PARTITION_NAME, "invalid partition specified: " + name);
      }
      ErrorCode one = refusal(partition, who);
      some |= one == null;
      last = one == null ? last : SubmitRules.no(one, "");
    }
    return some ? null : last;
  }

  private static @Nullable ErrorCode refusal(PartitionConfig partition, Caller.User who) {
    ErrorCode forbidden = forbidden(partition, who);
    if (forbidden != null) {
      return forbidden;
    }
    return partition.state().accepts() ? null : ErrorCode.PARTITION_NOT_AVAILABLE;
  }

  /**
   * The partitions without those that the user may not use: who starts jobs knows no groups and
   * would let the job in.
   */
  static List<String> permitted(ClusterState state, List<String> names, Caller.User who) {
    List<String> permitted = new ArrayList<>();
    for (String name : names) {
      PartitionConfig partition = state.partition(name);
      if (partition != null && forbidden(partition, who) == null) {
        permitted.add(name);
      }
    }
    return List.copyOf(permitted);
  }

  private static @Nullable ErrorCode forbidden(PartitionConfig partition, Caller.User who) {
    PartitionConfig.Access access = partition.access();
    boolean root = who.identity().uid() == 0;
    if (access.rootOnly() && !who.operator()) {
      return ErrorCode.ACCESS_DENIED;
    }
    if (access.disableRootJobs() && root) {
      return ErrorCode.ACCESS_DENIED;
    }
    if (!access.allowGroups().isEmpty() && !who.operator()) {
      boolean member = access.allowGroups().stream().anyMatch(who.groups()::contains);
      if (!member) {
        return ErrorCode.PARTITION_GROUP;
      }
    }
    return null;
  }

  static Decision change(Draft draft, Command.ChangePartition command, Caller.User who) {
    if (!who.operator()) {
      return Decision.refuse(ErrorCode.USER_ID_MISSING);
    }
    PartitionConfig partition = command.partition();
    boolean exists = draft.state().partition(partition.name()) != null;
    if (exists == command.create()) {
      return Decision.refuse(
          ErrorCode.INVALID_PARTITION_NAME,
          exists ? "partition " + partition.name() + " exists" : "");
    }
    for (String node : partition.nodes()) {
      if (draft.state().node(node) == null) {
        return Decision.refuse(ErrorCode.INVALID_NODE_NAME, node);
      }
    }
    draft.emit(new Event.PartitionDefined(partition));
    return draft.done();
  }

  static Decision delete(Draft draft, Command.DeletePartition command, Caller.User who) {
    if (!who.operator()) {
      return Decision.refuse(ErrorCode.USER_ID_MISSING);
    }
    if (draft.state().partition(command.name()) == null) {
      return Decision.refuse(ErrorCode.INVALID_PARTITION_NAME);
    }
    for (Job job : draft.state().pending().values()) {
      if (job.spec().partitions().contains(command.name())) {
        return Decision.refuse(ErrorCode.PARTITION_IN_USE);
      }
    }
    for (Job job : draft.state().active().values()) {
      if (partitionOf(job).equals(command.name())) {
        return Decision.refuse(ErrorCode.PARTITION_IN_USE);
      }
    }
    draft.emit(new Event.PartitionDeleted(command.name()));
    return draft.done();
  }

  private static String partitionOf(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.allocation().partition();
      case JobState.Suspended suspended -> suspended.run().allocation().partition();
      case JobState.Completing completing -> completing.allocation().partition();
      case JobState.Pending _, JobState.Ended _ -> "";
    };
  }
}
