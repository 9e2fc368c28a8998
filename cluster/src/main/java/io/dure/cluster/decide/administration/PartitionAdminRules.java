package io.dure.cluster.decide.administration;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;

/** Changing and deleting partitions. */
public final class PartitionAdminRules {
  private PartitionAdminRules() {}

  public static Reply change(
      DecisionBuilder draft, Command.ChangePartition command, Caller.User caller) {
    if (!caller.operator()) {
      return draft.refuse(ErrorCode.USER_ID_MISSING);
    }
    PartitionConfig partition = command.partition();
    boolean exists = draft.state().partition(partition.name()) != null;
    if (exists == command.create()) {
      return draft.refuse(
          ErrorCode.INVALID_PARTITION_NAME,
          exists ? "partition " + partition.name() + " exists" : "");
    }
    for (String node : partition.nodes()) {
      if (draft.state().node(node) == null) {
        return draft.refuse(ErrorCode.INVALID_NODE_NAME, node);
      }
    }
    String alternate = partition.nodeUse().alternate();
    if (alternate != null && draft.state().partition(alternate) == null) {
      return draft.refuse(ErrorCode.INVALID_PARTITION_NAME, "no partition " + alternate);
    }
    String topology = partition.nodeUse().topology();
    if (topology != null && !isThere(draft, topology)) {
      return draft.refuse(ErrorCode.BAD_INPUT, "no topology " + topology);
    }
    draft.emit(new Event.PartitionDefined(partition));
    return draft.done();
  }

  private static boolean isThere(DecisionBuilder draft, String topology) {
    return draft.state().topologies().stream().anyMatch(one -> one.name().equals(topology));
  }

  public static Reply delete(
      DecisionBuilder draft, Command.DeletePartition command, Caller.User caller) {
    if (!caller.operator()) {
      return draft.refuse(ErrorCode.USER_ID_MISSING);
    }
    if (draft.state().partition(command.name()) == null) {
      return draft.refuse(ErrorCode.INVALID_PARTITION_NAME);
    }
    for (Job job : draft.state().pending().values()) {
      if (job.spec().partitions().contains(command.name())) {
        return draft.refuse(ErrorCode.PARTITION_IN_USE);
      }
    }
    for (Job job : draft.state().active().values()) {
      if (RunEndRules.allocation(job).partition().equals(command.name())) {
        return draft.refuse(ErrorCode.PARTITION_IN_USE);
      }
    }
    draft.emit(new Event.PartitionDeleted(command.name()));
    return draft.done();
  }
}
