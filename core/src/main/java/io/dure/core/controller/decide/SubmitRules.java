package io.dure.core.controller.decide;

import io.dure.core.config.MemoryLimit;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.gres.GpuDefaults;
import io.dure.core.config.gres.ResourceSettings;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.controller.reserve.ReservationAdmission;
import io.dure.core.model.ArrayRequest;
import io.dure.core.model.Batch;
import io.dure.core.model.DependencyList;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.MemoryRequest;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.TimeLimit;
import io.dure.core.model.gres.GresRequest;
import io.dure.core.model.het.HetPart;
import io.dure.core.model.text.JobTexts;
import io.dure.core.model.text.TextId;
import io.dure.core.scheduler.Readiness;
import io.dure.core.scheduler.dependency.Dependencies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accepting jobs: what the user left open is filled in, what can never be is refused. */
public final class SubmitRules {
  private SubmitRules() {}

  private static final int LONGEST_REQUEST_ID = 64;

  /** What a check says: the completed request, or why not. */
  public sealed interface Checked {
    /** May be accepted as it stands here. */
    record Fit(JobSpec spec, Dependencies.Resolved dependency) implements Checked {}

    /** May not, as {@code decision} says. */
    record Unfit(Decision decision) implements Checked {}
  }

  /** A request with account and QOS settled, unless it is refused. */
  record Settled(JobSpec spec, @Nullable ErrorCode refusal) {}

  static Decision submit(Draft draft, Command.SubmitJob command, Caller.User who) {
    Decision known = known(draft, command.requestId(), command.texts(), who);
    if (known != null) {
      return known;
    }
    Checked checked = check(draft.state(), command.spec(), who, draft.now());
    return switch (checked) {
      case Checked.Unfit(Decision decision) -> decision;
      case Checked.Fit fit -> {
        int id = draft.state().nextJobId();
        Command.Component only = new Command.Component(fit.spec(), command.batch());
        accept(draft, only, command.texts(), who, new Accepted(id, null, command.requestId(), fit));
        yield draft.decide(new Reply.Submitted(id));
      }
    };
  }

  /** All components or none: what one of them breaks, none of them may be accepted for. */
  static Decision submit(Draft draft, Command.SubmitHetJob command, Caller.User who) {
    Decision known = known(draft, command.requestId(), command.texts(), who);
    if (known != null) {
      return known;
    }
    int size = command.components().size();
    if (size < 2 || size > HetPart.MOST) {
      return Decision.refuse(
          ErrorCode.BAD_INPUT, "a heterogeneous job has from 2 to " + HetPart.MOST + " components");
    }
    if (command.components().stream().anyMatch(one -> one.spec().arrayTasks() != null)) {
      return Decision.refuse(ErrorCode.INVALID_ARRAY);
    }
    int leader = draft.state().nextJobIds(size);
    if (leader + size - 1 > draft.state().settings().jobs().maxJobId()) {
      return Decision.refuse(ErrorCode.MAX_JOB_COUNT);
    }
    for (int i = 0; i < size; i++) {
      Command.Component one = command.components().get(i);
      switch (check(draft.state(), one.spec(), who, draft.now())) {
        case Checked.Unfit(Decision decision) -> {
          return decision;
        }
        case Checked.Fit fit -> {
          HetPart part = new HetPart(leader, i, size);
          String request = i == 0 ? command.requestId() : null;
          accept(draft, one, command.texts(), who, new Accepted(leader + i, part, request, fit));
        }
      }
    }
    return draft.decide(new Reply.Submitted(leader));
  }

  /** The answer to a submission that came before, or that cannot be; null to go on. */
  private static @Nullable Decision known(
      Draft draft, @Nullable String requestId, JobTexts texts, Caller.User who) {
    if (requestId != null) {
      if (requestId.length() > LONGEST_REQUEST_ID) {
        return Decision.refuse(ErrorCode.BAD_INPUT, "the request id is too long");
      }
      Integer known = draft.state().requests().jobOf(requestId, who.identity().uid());
      if (known != null) {
        return draft.decide(new Reply.Submitted(known));
      }
    }
    int longest = draft.state().settings().scheduling().maxScriptBytes();
    return texts.script().length() > longest ? Decision.refuse(ErrorCode.PATHNAME_TOO_LONG) : null;
  }

  /** Under which id and name a request becomes a job. */
  private record Accepted(
      int id, @Nullable HetPart het, @Nullable String requestId, Checked.Fit fit) {}

  private static void accept(
      Draft draft, Command.Component one, JobTexts texts, Caller.User who, Accepted as) {
    JobSpec spec = as.fit().spec();
    Dependencies.Resolved dependency = as.fit().dependency();
    Batch batch =
        one.batch().withTexts(stored(draft, texts.script()), stored(draft, texts.environment()));
    Hold hold = spec.priority() != null && spec.priority() == 0 ? Hold.USER : Hold.NONE;
    Job leader = as.het() == null ? null : draft.state().job(as.het().leader());
    draft.emit(
        new Event.JobSubmitted(
            as.id(),
            draft.now(),
            who.identity(),
            spec,
            batch,
            hold == Hold.NONE ? Priorities.ofNew(draft.state(), spec, leader) : 0,
            hold,
            dependency.waitingFor(),
            as.requestId(),
            as.het()));
    if (dependency.failed()) {
      draft.emit(new Event.DependencyChanged(as.id(), dependency.waitingFor(), true));
    }
    TickRules.eligibility(draft, as.id());
  }

  private static TextId stored(Draft draft, String text) {
    TextId id = draft.state().texts().named(text);
    if (!draft.state().texts().contains(id)) {
      draft.emit(new Event.TextStored(id, text));
    }
    return id;
  }

  /**
   * Checks a request without accepting it, as {@code --test-only} asks.
   *
   * @param now the time to check at
   */
  public static Checked check(
      ClusterState state, JobSpec asked, Caller.User who, java.time.Instant now) {
    Settings.Jobs limits = state.settings().jobs();
    JobSpec spec = allowed(asked, who);
    ErrorCode senseless = FitRules.senseless(spec);
    if (senseless != null) {
      return no(senseless, "");
    }
    if (FitRules.tooManyTasks(limits, spec.resources())) {
      return no(ErrorCode.BAD_TASK_COUNT, "");
    }
    if (who.identity().uid() == 0 && limits.disableRootJobs()) {
      return no(ErrorCode.ACCESS_DENIED, "jobs of root are disabled (DisableRootJobs)");
    }
    ErrorCode array = arrayRefusal(state, spec);
    if (array != null) {
      return no(array, "");
    }
    List<String> partitions = new ArrayList<>(spec.partitions());
    PartitionConfig fallback = state.defaultPartition();
    if (partitions.isEmpty()) {
      if (fallback == null) {
        return no(ErrorCode.DEFAULT_PARTITION_NOT_SET, "");
      }
      partitions.add(fallback.name());
    }
    Checked.Unfit refusal = PartitionRules.refusal(state, partitions, spec, who);
    if (refusal != null) {
      return refusal;
    }
    Settled settled =
        AccountingRules.settle(
            state,
            fill(state, spec, PartitionRules.permitted(state, partitions, who)),
            who.identity().userName());
    if (settled.refusal() != null) {
      return no(settled.refusal(), "");
    }
    return settled(state, settled.spec(), who, now);
  }

  /** Checks what is complete. */
  private static Checked settled(
      ClusterState state, JobSpec spec, Caller.User who, java.time.Instant now) {
    ErrorCode time = timeRefusal(spec, now);
    if (time != null) {
      return no(time, "");
    }
    Checked.Unfit unfit = FitRules.refusal(state, spec);
    String user = who.identity().userName();
    if (unfit == null) {
      unfit = AccountingRules.tooMany(state, state.queued(), spec, user, tasks(state, spec));
    }
    if (unfit == null) {
      unfit = AccountingRules.tooLarge(state, spec, user, now);
    }
    if (unfit != null) {
      return unfit;
    }
    ErrorCode kept = ReservationAdmission.refusal(state, spec, user, who.groups(), now);
    if (kept != null) {
      return no(kept, "");
    }
    Dependencies.Resolved dependency =
        DependencyRules.resolveNew(state, spec.dependency(), who, spec, now);
    return dependency == null ? no(ErrorCode.DEPENDENCY, "") : new Checked.Fit(spec, dependency);
  }

  /** Only operators move ahead of others: Slurm passes over what others ask for. */
  private static JobSpec allowed(JobSpec spec, Caller.User who) {
    Long priority = spec.priority();
    boolean ahead = spec.nice() < 0 || (priority != null && priority != 0);
    if (who.operator() || !ahead) {
      return spec;
    }
    return Specs.edit(spec)
        .nice(Math.max(0, spec.nice()))
        .priority(priority != null && priority == 0 ? priority : null)
        .build();
  }

  static Checked.Unfit no(ErrorCode code, String detail) {
    return new Checked.Unfit(Decision.refuse(code, detail));
  }

  /** How many jobs a request is: the tasks of its array, 0 where it makes none. */
  private static int tasks(ClusterState state, JobSpec spec) {
    if (spec.arrayTasks() == null) {
      return 1;
    }
    try {
      int size = state.settings().jobs().maxArraySize();
      return ArrayRequest.parse(spec.arrayTasks(), size).indices().size();
    } catch (ArrayRequest.InvalidArrayException e) {
      return 0;
    }
  }

  private static @Nullable ErrorCode arrayRefusal(ClusterState state, JobSpec spec) {
    Settings settings = state.settings();
    int tasks = tasks(state, spec);
    if (tasks == 0
        || (spec.arrayTasks() != null && tasks > settings.scheduling().maxArrayTasks())) {
      return ErrorCode.INVALID_ARRAY;
    }
    boolean full = state.jobCount() + tasks > settings.jobs().maxJobCount();
    boolean out = state.nextJobId() > settings.jobs().maxJobId();
    return full || out ? ErrorCode.MAX_JOB_COUNT : null;
  }

  private static @Nullable ErrorCode timeRefusal(JobSpec spec, java.time.Instant now) {
    if (spec.timeMin() != null
        && spec.timeLimit() instanceof TimeLimit.Limited(Duration limit)
        && spec.timeMin().compareTo(limit) > 0) {
      return ErrorCode.INVALID_TIME_MIN;
    }
    return Readiness.isLate(spec, now) ? ErrorCode.INVALID_TIME_LIMIT : null;
  }

  /** The partition whose time is taken: one that is down would keep the job out of the others. */
  private static PartitionConfig firstThatStarts(
      ClusterState state, List<String> partitions, PartitionConfig otherwise) {
    for (String name : partitions) {
      PartitionConfig partition = state.partition(name);
      if (partition != null && partition.state().starts()) {
        return partition;
      }
    }
    return otherwise;
  }

  /** The request with partition, time limit and memory settled. */
  static JobSpec fill(ClusterState state, JobSpec spec, List<String> partitions) {
    PartitionConfig first = state.partition(partitions.getFirst());
    if (first == null) {
      throw new IllegalStateException("unchecked partition " + partitions.getFirst());
    }
    TimeLimit limit =
        spec.timeLimit() instanceof TimeLimit.PartitionDefault
            ? defaultLimit(firstThatStarts(state, partitions, first))
            : spec.timeLimit();
    MemoryRequest memory = spec.resources().memory();
    ResourceSettings cluster = state.settings().resources();
    GpuDefaults defaults = first.gpuDefaults().or(cluster.cpusPerGpu(), cluster.memoryPerGpuMib());
    ResourceRequest resources = withGpuDefaults(defaults.cpus(), spec.resources());
    boolean gpus = GresRequest.gpus(resources.generic().all()) > 0;
    Long perGpu = defaults.memoryMib();
    if (memory instanceof MemoryRequest.Default) {
      memory =
          gpus && perGpu != null ? new MemoryRequest.PerGpu(perGpu) : defaultMemory(state, first);
    }
    return Specs.edit(spec)
        .partitions(List.copyOf(partitions))
        .timeLimit(limit)
        .resources(
            withSwitchWait(state, withinMaxMemory(state, first, resources.withMemory(memory))))
        .dependency(
            spec.dependency().conditions().isEmpty() ? DependencyList.NONE : spec.dependency())
        .build();
  }

  /** How long it waits for few switches, which is no longer than the cluster lets jobs wait. */
  private static ResourceRequest withSwitchWait(ClusterState state, ResourceRequest request) {
    ResourceRequest.Reach reach = request.reach();
    if (reach.switches() == null) {
      return request;
    }
    Duration most = state.settings().scheduling().maxSwitchWait();
    Duration asked = reach.switchWait();
    Duration wait = asked == null || asked.compareTo(most) > 0 ? most : asked;
    return request.with(reach.over(reach.switches(), wait));
  }

  /** CPUs with each GPU where the job asks neither for those nor for CPUs of a task. */
  private static ResourceRequest withGpuDefaults(@Nullable Integer cpus, ResourceRequest request) {
    GresRequest gres = request.generic();
    boolean open =
        cpus != null
            && gres.cpusPerGpu() == null
            && request.cpusPerTask() == 1
            && GresRequest.gpus(gres.all()) > 0;
    return open ? request.withGres(gres.withCpusPerGpu(cpus)) : request;
  }

  /** More memory than a CPU may have is that of more CPUs (MaxMemPerCPU). */
  private static ResourceRequest withinMaxMemory(
      ClusterState state, PartitionConfig partition, ResourceRequest request) {
    MemoryLimit most =
        partition.maxMemory() == null ? state.settings().jobs().maxMemory() : partition.maxMemory();
    if (most == null || most.scope() != MemoryLimit.Scope.CPU || most.memoryMib() == 0) {
      return request;
    }
    return switch (request.memory()) {
      case MemoryRequest.PerCpu(long mib) when mib > most.memoryMib() -> {
        long times = Math.ceilDiv(mib, most.memoryMib());
        long cpus = Math.min(Integer.MAX_VALUE / request.tasks(), request.cpusPerTask() * times);
        MemoryRequest less = new MemoryRequest.PerCpu(Math.ceilDiv(mib, times));
        yield request.with((int) cpus, request.minCpusPerNode(), less);
      }
      case MemoryRequest.PerNode(long mib) -> {
        long cpus = Math.min(Integer.MAX_VALUE, Math.ceilDiv(mib, most.memoryMib()));
        int least = Math.max(request.minCpusPerNode(), (int) cpus);
        yield request.with(request.cpusPerTask(), least, request.memory());
      }
      case MemoryRequest.PerCpu _, MemoryRequest.PerGpu _, MemoryRequest.Default _ -> request;
    };
  }

  private static TimeLimit defaultLimit(PartitionConfig partition) {
    Duration limit = partition.limits().defaultTime();
    if (limit == null) {
      limit = partition.limits().maxTime();
    }
    return limit == null ? new TimeLimit.Unlimited() : new TimeLimit.Limited(limit);
  }

  private static MemoryRequest defaultMemory(ClusterState state, PartitionConfig partition) {
    MemoryLimit limit = partition.defaultMemory();
    if (limit == null) {
      limit = state.settings().jobs().defaultMemory();
    }
    if (limit == null) {
      return new MemoryRequest.Default();
    }
    return switch (limit.scope()) {
      case CPU -> new MemoryRequest.PerCpu(limit.memoryMib());
      case NODE -> new MemoryRequest.PerNode(limit.memoryMib());
    };
  }
}
