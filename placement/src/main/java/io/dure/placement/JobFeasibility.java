package io.dure.placement;

import io.dure.model.ErrorCode;
import io.dure.model.HostList;
import io.dure.model.command.PendingReason;
import io.dure.model.config.ClusterSettings.EnforcePartLimits;
import io.dure.model.config.PartitionConfig;
import io.dure.model.constraint.FeatureConstraint;
import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import io.dure.model.constraint.FeatureParser;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.reservation.Reservation;
import io.dure.rules.PartitionRules;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a job can ever run in a partition, whatever runs there now. */
public final class JobFeasibility {
  private static final String NO_MEMORY = "Memory specification can not be satisfied";
  private static final String NO_SHAPE =
      "Socket, core and/or thread specification can not be satisfied";
  private static final String NO_CPUS = "CPU count per node can not be satisfied";

  private JobFeasibility() {}

  /** The answer. */
  public sealed interface Answer {
    /** It can. */
    record Possible() implements Answer {}

    /**
     * Slurm accepts such a job, and it waits until it or the partition is changed.
     *
     * @param reason the pending reason
     * @param code what it is refused with where limits are enforced (EnforcePartLimits) and by
     *     {@code --test-only}
     */
    record Waits(String reason, ErrorCode code) implements Answer {}

    /**
     * Slurm refuses such a job.
     *
     * @param code why
     * @param detail a line more for people, empty where the code says it all
     */
    record Refused(ErrorCode code, String detail) implements Answer {}
  }

  private static final Answer POSSIBLE = new Answer.Possible();

  /** The answer for nodes as they are configured, whether or not they are up. */
  public static Answer configured(SchedulerView view, PartitionConfig partition, JobSpec spec) {
    return check(view, partition, spec, false);
  }

  /**
   * The answer for nodes that are up and take jobs: where {@link #configured} says possible and
   * this does not, it says that the job waits for nodes.
   */
  public static Answer available(SchedulerView view, PartitionConfig partition, JobSpec spec) {
    return check(view, partition, spec, true);
  }

  /**
   * The answer to a submission: of several partitions one that takes the job is enough.
   *
   * @param partitions names of partitions; those that do not exist are passed over
   * @param enforce whether jobs outside their partitions' limits are refused
   */
  public static Answer submission(
      SchedulerView view, List<String> partitions, JobSpec spec, EnforcePartLimits enforce) {
    Answer best = null;
    Answer worst = POSSIBLE;
    for (String name : partitions) {
      PartitionConfig partition = view.partition(name);
      if (partition != null) {
        Answer answer = configured(view, partition, spec);
        best = best == null || badness(answer) < badness(best) ? answer : best;
        worst = badness(answer) > badness(worst) ? answer : worst;
      }
    }
    Answer decisive = enforce == EnforcePartLimits.ALL ? worst : best;
    if (decisive instanceof Answer.Waits(_, ErrorCode code) && enforce != EnforcePartLimits.NO) {
      return new Answer.Refused(code, "");
    }
    return decisive == null ? POSSIBLE : decisive;
  }

  private static int badness(Answer answer) {
    return switch (answer) {
      case Answer.Possible _ -> 0;
      case Answer.Waits _ -> 1;
      case Answer.Refused _ -> 2;
    };
  }

  private static Answer check(
      SchedulerView view, PartitionConfig partition, JobSpec spec, boolean upOnly) {
    ResourceRequest request = spec.resources();
    Answer names = names(view, partition, request);
    if (names != null) {
      return names;
    }
    String rule = PartitionRules.refusalReason(view, partition, spec);
    if (rule != null) {
      return new Answer.Waits(rule, code(rule, partition, request));
    }
    try {
      NodeDemand need = need(view, PartitionRules.freed(view, partition, spec), request, -1);
      if (isPreferenceUnknown(view, request)) {
        return new Answer.Refused(ErrorCode.INVALID_PREFER, "");
      }
      if (fitsAtOnce(view, need, upOnly)) {
        return POSSIBLE;
      }
      AllocationLedger idle = AllocationLedger.idle(view);
      Answer answer = nodes(need, idle, idle.partitionNodes(partition));
      if (!upOnly || answer != null) {
        return answer == null ? POSSIBLE : answer;
      }
      String reason = unavailable(need, idle);
      return reason == null ? POSSIBLE : new Answer.Waits(reason, ErrorCode.NODES_BUSY);
    } catch (InvalidFeatureException e) {
      return new Answer.Refused(e.code(), "");
    }
  }

  /** Whether no node has a feature that is preferred. */
  private static boolean isPreferenceUnknown(SchedulerView view, ResourceRequest request)
      throws InvalidFeatureException {
    String prefer = request.reach().prefer();
    if (prefer == null) {
      return false;
    }
    for (String feature : FeatureParser.constraint(prefer).names()) {
      if (!view.nodes().any(node -> node.config().features().contains(feature))) {
        return true;
      }
    }
    return false;
  }

  /** What a request asks of a partition's nodes. */
  public static NodeDemand need(
      SchedulerView view, PartitionConfig partition, ResourceRequest request, int uid)
      throws InvalidFeatureException {
    String text = request.features();
    FeatureConstraint features =
        text == null || text.isBlank() ? null : FeatureParser.constraint(text);
    return NodeDemand.of(view.settings(), partition, request, uid, features);
  }

  /** Names that nothing bears. */
  private static @Nullable Answer names(
      SchedulerView view, PartitionConfig partition, ResourceRequest request) {
    for (String name : request.excludedNodes()) {
      if (view.nodePosition(name) < 0) {
        return new Answer.Refused(ErrorCode.INVALID_NODE_NAME, "");
      }
    }
    for (String name : request.requiredNodes()) {
      if (view.nodePosition(name) < 0) {
        return new Answer.Refused(ErrorCode.INVALID_NODE_NAME, "");
      }
      if (!partition.nodes().contains(name)) {
        return new Answer.Refused(ErrorCode.NODES_NOT_IN_PARTITION, "");
      }
    }
    if (request.requiredNodes().size() > request.maxNodes()) {
      return new Answer.Refused(ErrorCode.INVALID_NODE_COUNT, "");
    }
    return null;
  }

  /**
   * The common case without looking at each node: some nodes in order will do, where switches or
   * blocks may stand between them one alone.
   */
  private static boolean fitsAtOnce(SchedulerView view, NodeDemand need, boolean upOnly) {
    if (!need.isSimple()) {
      return false;
    }
    boolean alone = view.topology(need.partition()) != null;
    int nodes = 0;
    long tasks = 0;
    long gpus = 0;
    for (String name : need.partition().nodes()) {
      SchedulerNode node = view.nodeNamed(name);
      if (node == null || upOnly && !node.isExpected() || !need.matches(node.config())) {
        continue;
      }
      NodeLoad slot = new NodeLoad(node.config(), true);
      int room = slot.taskCapacity(need);
      if (alone) {
        nodes = 0;
        tasks = 0;
        gpus = 0;
      }
      gpus += room > 0 && need.gpusPerJob() > 0 ? slot.gpuCapacity(need, 1) : 0;
      nodes += room > 0 ? 1 : 0;
      tasks += room;
      if (nodes > need.maxNodes()) {
        return false;
      }
      if (nodes >= need.minNodes()
          && tasks >= need.request().tasks()
          && gpus >= need.gpusPerJob()) {
        return true;
      }
    }
    return false;
  }

  /** Why idle nodes as configured will not do, null if they will. */
  public static @Nullable Answer nodes(NodeDemand need, AllocationLedger idle, int[] members) {
    ResourceRequest request = need.request();
    int[] liked = matchingNodes(need, idle, members);
    if (JobPlacer.place(need.overAnySwitches(), idle, liked) != null) {
      return null;
    }
    String unknown = unknownFeature(need, idle);
    if (unknown != null) {
      return new Answer.Refused(ErrorCode.INVALID_FEATURE, "");
    }
    boolean memory = false;
    boolean cpus = false;
    boolean shape = false;
    long allCpus = 0;
    int most = 0;
    for (int index : members) {
      NodeLoad slot = idle.slot(index);
      allCpus += slot.cpus();
      memory |= slot.memoryMib() >= Math.max(need.memoryPerNode(), need.memoryPerCpu());
      cpus |= slot.cpus() >= need.cpusFor(1);
      shape |= need.hasShape(slot.config().shape());
      most = Math.max(most, slot.cpus());
    }
    if (!memory) {
      return new Answer.Refused(ErrorCode.NODE_CONFIG_UNAVAILABLE, NO_MEMORY);
    }
    if (!shape) {
      return new Answer.Refused(ErrorCode.NODE_CONFIG_UNAVAILABLE, NO_SHAPE);
    }
    if (wantedCpus(request) > allCpus) {
      return new Answer.Waits(PendingReason.PARTITION_CONFIG, ErrorCode.TOO_MANY_CPUS);
    }
    return most < request.cpusPerTask()
        ? new Answer.Refused(ErrorCode.TOO_MANY_CPUS, "")
        : new Answer.Refused(ErrorCode.NODE_CONFIG_UNAVAILABLE, cpus ? "" : NO_CPUS);
  }

  private static long wantedCpus(ResourceRequest request) {
    return request.overcommit()
        ? request.minNodes()
        : (long) request.tasks() * request.cpusPerTask();
  }

  private static @Nullable String unknownFeature(NodeDemand need, AllocationLedger idle) {
    if (need.features() != null) {
      for (String feature : need.features().names()) {
        if (idle.slots().stream().noneMatch(s -> s.config().features().contains(feature))) {
          return feature;
        }
      }
    }
    return null;
  }

  /** Those of the nodes that are of the kind wanted. */
  public static int[] matchingNodes(NodeDemand need, AllocationLedger ledger, int[] members) {
    int[] liked = new int[members.length];
    int count = 0;
    for (int index : members) {
      if (need.matches(ledger.slot(index).config())) {
        liked[count++] = index;
      }
    }
    return Arrays.copyOf(liked, count);
  }

  /** Those of the nodes that take jobs. */
  public static int[] availableNodes(AllocationLedger ledger, int[] members) {
    int[] up = new int[members.length];
    int count = 0;
    for (int index : members) {
      if (ledger.slot(index).available()) {
        up[count++] = index;
      }
    }
    return Arrays.copyOf(up, count);
  }

  /** Why the nodes that take jobs would not do even if they were idle, null if they would. */
  public static @Nullable String unavailable(NodeDemand need, AllocationLedger idle) {
    int[] up =
        availableNodes(idle, matchingNodes(need, idle, idle.partitionNodes(need.partition())));
    List<NodeShare> shares = JobPlacer.place(need.overAnySwitches(), idle, up);
    if (shares != null) {
      return null;
    }
    List<String> missing = new ArrayList<>();
    for (String name : need.request().requiredNodes()) {
      int index = idle.index(name);
      if (index < 0 || !idle.slot(index).available()) {
        missing.add(name);
      }
    }
    return missing.isEmpty()
        ? PendingReason.NODES_DOWN
        : "ReqNodeNotAvail, UnavailableNodes:" + HostList.compress(missing);
  }

  private static ErrorCode code(String rule, PartitionConfig partition, ResourceRequest request) {
    return switch (rule) {
      case PendingReason.PARTITION_TIME -> ErrorCode.INVALID_TIME_LIMIT;
      case PendingReason.PARTITION_NODES ->
          request.minNodes() > partition.nodes().size()
              ? ErrorCode.NODE_CONFIG_UNAVAILABLE
              : ErrorCode.INVALID_NODE_COUNT;
      case PendingReason.MEMORY_LIMIT -> ErrorCode.MEMORY_UNAVAILABLE;
      case PendingReason.ACCOUNT -> ErrorCode.INVALID_ACCOUNT;
      case PendingReason.QOS -> ErrorCode.INVALID_QOS;
      case PendingReason.RESERVATION -> ErrorCode.ACCESS_DENIED;
      default -> ErrorCode.PARTITION_CONFIG_UNAVAILABLE;
    };
  }

  /** Indices of the partition's nodes on which jobs of the reservation may run. */
  public static int[] members(
      AllocationLedger ledger, PartitionConfig partition, @Nullable Reservation own) {
    int[] members = ledger.partitionNodes(partition);
    if (own == null || !own.bindsToNodes()) {
      return members;
    }
    BitSet reserved = new BitSet();
    for (String node : own.nodes()) {
      int index = ledger.index(node);
      if (index >= 0) {
        reserved.set(index);
      }
    }
    return Arrays.stream(members).filter(reserved::get).toArray();
  }

  /** Whether idle nodes of the reservation would do in one of the job's partitions. */
  public static boolean suffices(SchedulerView view, JobSpec spec, Reservation own) {
    AllocationLedger idle = AllocationLedger.idle(view);
    for (String name : spec.partitions()) {
      PartitionConfig partition = view.partition(name);
      try {
        if (partition != null
            && nodes(
                    need(view, PartitionRules.freed(view, partition, spec), spec.resources(), -1),
                    idle,
                    members(idle, partition, own))
                == null) {
          return true;
        }
      } catch (InvalidFeatureException e) {
        return false;
      }
    }
    return false;
  }
}
