package io.dure.twin;

import io.dure.model.UserIdentity;
import io.dure.model.accounting.AccountAndQos;
import io.dure.model.config.PartitionConfig;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload.BatchSpec;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the cluster's job records of a trace's jobs. For one thread. */
final class TraceJobRecords {
  private static final int FIRST_UID = 1000;
  private static final BatchSpec NOTHING = BatchSpec.nothing("/");

  private final ReplayMachine machine;
  private final EstimateSource estimates;
  private final Map<String, UserIdentity> users;
  private final Map<TraceJobRequest.ProcessorRequest, JobSpec> specs = new LinkedHashMap<>();
  private boolean told;

  TraceJobRecords(ReplayMachine machine, EstimateSource estimates) {
    this.machine = machine;
    this.estimates = estimates;
    users = new LinkedHashMap<>();
  }

  /** The same users on another machine. */
  TraceJobRecords(TraceJobRecords before, ReplayMachine machine) {
    this.machine = machine;
    estimates = before.estimates;
    users = new LinkedHashMap<>(before.users);
    told = before.told;
  }

  /** A user of the cluster, by the number that it has there. */
  void know(UserIdentity user) {
    users.putIfAbsent(user.userName(), user);
    told = true;
  }

  /**
   * The job as it comes, at the end of the queue.
   *
   * @param from since when it waits for no other job
   */
  Job pending(int id, TraceJob job, JobSpec spec, long priority, Instant from) {
    return new Job(
        id,
        null,
        owner(job.user()),
        spec,
        NOTHING,
        job.submit(),
        eligible(from, spec),
        priority,
        0,
        0,
        new JobState.Pending(Hold.NONE, null, List.of(), false, false),
        null);
  }

  /** The place of a job in a heterogeneous one of which all components are there, else null. */
  static @Nullable HetComponent place(List<TraceJob> trace, int id) {
    TraceJob.Origin origin = trace.get(id - 1).origin();
    TraceJob.Component component = origin == null ? null : origin.component();
    if (component == null) {
      return null;
    }
    int leader = id - component.offset();
    return leader > 0 && TraceJob.components(trace, leader - 1) == component.size()
        ? new HetComponent(leader, component.offset(), component.size())
        : null;
  }

  private static Instant eligible(Instant from, JobSpec spec) {
    Instant begin = spec.beginTime();
    return begin != null && begin.isAfter(from) ? begin : from;
  }

  private UserIdentity owner(String user) {
    UserIdentity known = users.get(user);
    if (known != null) {
      return known;
    }
    int uid = FIRST_UID + users.size();
    while (isTaken(uid)) {
      uid++;
    }
    UserIdentity fresh = new UserIdentity(uid, uid, user, user);
    users.put(user, fresh);
    return fresh;
  }

  /** Whether a user that was told of has that number; those that are made up have rising ones. */
  private boolean isTaken(int uid) {
    return told && users.values().stream().anyMatch(user -> user.uid() == uid);
  }

  /** What the job asks for, as the scheduler is to see it. */
  JobSpec spec(TraceJob job) {
    return switch (job.demand()) {
      case TraceJobRequest.ProcessorRequest processors -> {
        Duration limit = processors.limit();
        if (estimates == EstimateSource.ACTUAL) {
          limit = atLeastASecond(shorter(job.run(), limit));
        }
        yield specs.computeIfAbsent(
            new TraceJobRequest.ProcessorRequest(processors.count(), limit), this::processors);
      }
      case TraceJobRequest.SbatchRequest(JobSpec spec) -> {
        AccountAndQos member = new AccountAndQos(spec.account(), spec.qos());
        List<String> partitions = spec.partitions().isEmpty() ? partitions() : spec.partitions();
        JobSpec asked = inKnownReservations(spec);
        JobSpec named = with(asked, partitions, spec.timeLimit(), spec.timeMin(), member);
        if (estimates == EstimateSource.ACTUAL) {
          // Whose run time is known can be given no less.
          Duration runs = atLeastASecond(shorter(job.run(), limit(named)));
          named = with(named, partitions, new TimeLimit.Limited(runs), null, member);
        }
        yield named;
      }
    };
  }

  /** How long a run of the job lasts if nothing else ends it. */
  Duration lasts(TraceJob job) {
    return estimates == EstimateSource.ACTUAL ? run(job) : job.run();
  }

  private Duration run(TraceJob job) {
    return switch (job.demand()) {
      case TraceJobRequest.ProcessorRequest processors -> shorter(job.run(), processors.limit());
      case TraceJobRequest.SbatchRequest(JobSpec spec) -> shorter(job.run(), limit(spec));
    };
  }

  /** The limit that holds, null for none. */
  @Nullable Duration limit(JobSpec spec) {
    return switch (spec.timeLimit()) {
      case TimeLimit.Limited(Duration duration) -> duration;
      case TimeLimit.Unlimited _ -> null;
      case TimeLimit.PartitionDefault _ -> {
        PartitionConfig partition = partition(spec);
        if (partition == null) {
          yield null;
        }
        Duration byDefault = partition.limits().defaultTime();
        yield byDefault == null ? partition.limits().maxTime() : byDefault;
      }
    };
  }

  private @Nullable PartitionConfig partition(JobSpec spec) {
    for (PartitionConfig partition : machine.partitions()) {
      if (spec.partitions().isEmpty()
          ? partition.isDefault()
          : spec.partitions().contains(partition.name())) {
        return partition;
      }
    }
    return null;
  }

  private List<String> partitions() {
    PartitionConfig byDefault = machine.defaultPartition();
    return byDefault == null ? List.of() : List.of(byDefault.name());
  }

  private static Duration shorter(Duration run, @Nullable Duration limit) {
    return limit == null || run.compareTo(limit) < 0 ? run : limit;
  }

  private static Duration atLeastASecond(Duration duration) {
    return duration.isZero() ? Duration.ofSeconds(1) : duration;
  }

  private JobSpec processors(TraceJobRequest.ProcessorRequest processors) {
    int count = processors.count();
    boolean whole = machine.countsWholeNodes();
    boolean oneNode = machine.nodeCount() == 1;
    ResourceRequest resources =
        ResourceRequest.of(whole ? count : 1, oneNode ? 1 : count, oneNode ? count : 1)
            .with()
            .maxNodes(whole ? count : Math.min(count, machine.nodeCount()))
            .sharing(whole ? OversubscribeMode.EXCLUSIVE : OversubscribeMode.DEFAULT)
            .build();
    return JobSpec.of("job", partitions(), resources, new TimeLimit.Limited(processors.limit()));
  }

  /** The same charged to an account and a QOS. */
  static JobSpec with(JobSpec spec, AccountAndQos member) {
    return with(spec, spec.partitions(), spec.timeLimit(), spec.timeMin(), member);
  }

  private static JobSpec with(
      JobSpec spec,
      List<String> partitions,
      TimeLimit limit,
      @Nullable Duration least,
      AccountAndQos member) {
    return spec.with()
        .partitions(partitions)
        .account(member.account())
        .qos(member.qos())
        .timeLimit(limit)
        .timeMin(least)
        .build();
  }

  /** Of reservations that a job names, those that there are; it runs without the others. */
  private JobSpec inKnownReservations(JobSpec spec) {
    List<String> known =
        spec.reservations().stream()
            .filter(
                name -> machine.reservations().stream().anyMatch(one -> one.name().equals(name)))
            .toList();
    return known.equals(spec.reservations()) ? spec : spec.withReservations(known);
  }
}
