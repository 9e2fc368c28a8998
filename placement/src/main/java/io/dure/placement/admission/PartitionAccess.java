package io.dure.placement.admission;

import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.command.Caller;
import io.dure.model.config.PartitionConfig;
import io.dure.model.request.JobSpec;
import io.dure.rules.SchedulerNode;
import java.util.ArrayList;
import java.util.Comparator;
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
      ErrorCode one = refusal(view, partition, caller);
      some |= one == null;
      last = one == null ? last : new Refusal(one);
    }
    return some ? null : last;
  }

  /** The partition of jobs that ask for one: another where that takes none (Alternate). */
  static String alternate(AdmissionView view, String name) {
    PartitionConfig partition = view.partition(name);
    String other = partition == null ? null : partition.nodeUse().alternate();
    boolean takes = partition == null || partition.state().accepts();
    return takes || other == null || view.partition(other) == null ? name : other;
  }

  private static @Nullable ErrorCode refusal(
      AdmissionView view, PartitionConfig partition, Caller.User caller) {
    ErrorCode forbidden = forbidden(view, partition, caller);
    if (forbidden != null) {
      return forbidden;
    }
    return partition.state().accepts() ? null : ErrorCode.PARTITION_NOT_AVAILABLE;
  }

  /**
   * The partitions without those that the user may not use: the scheduler knows no groups and would
   * start the job there. Those of the highest tier come first, those of one tier as they were asked
   * for.
   */
  public static List<String> permitted(AdmissionView view, List<String> names, Caller.User caller) {
    List<String> permitted = new ArrayList<>();
    for (String name : names) {
      PartitionConfig partition = view.partition(name);
      if (partition != null && forbidden(view, partition, caller) == null) {
        permitted.add(name);
      }
    }
    if (permitted.size() > 1) {
      permitted.sort(Comparator.comparingInt(name -> -tier(view, name)));
    }
    return List.copyOf(permitted);
  }

  private static int tier(AdmissionView view, String name) {
    PartitionConfig partition = view.partition(name);
    return partition == null ? 0 : partition.priorityTier();
  }

  private static @Nullable ErrorCode forbidden(
      AdmissionView view, PartitionConfig partition, Caller.User caller) {
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
    return isFromAllocNodes(view, access.allocNodes(), caller.host())
        ? null
        : ErrorCode.ACCESS_DENIED;
  }

  /** Whether jobs may come from the host, which may bear the name of a node that it is. */
  private static boolean isFromAllocNodes(AdmissionView view, List<String> names, String host) {
    if (names.isEmpty() || names.contains(host)) {
      return true;
    }
    // Brackets may hold commas, at which the configuration was cut.
    String together = String.join(",", names);
    for (String name : together.indexOf('[') < 0 ? names : HostList.expand(together)) {
      SchedulerNode node = view.nodeNamed(name);
      if (name.equals(host) || node != null && node.config().hostName().equals(host)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether all of a job's partitions take only jobs that name a reservation, and it names none.
   *
   * @param names its partitions
   */
  public static boolean lacksReservation(AdmissionView view, JobSpec spec, List<String> names) {
    if (!spec.reservations().isEmpty()) {
      return false;
    }
    for (String name : names) {
      PartitionConfig partition = view.partition(name);
      if (partition == null || !partition.access().requiresReservation()) {
        return false;
      }
    }
    return true;
  }
}
