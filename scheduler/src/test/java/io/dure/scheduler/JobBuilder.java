package io.dure.scheduler;

import io.dure.model.UserIdentity;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.Dependency;
import io.dure.model.request.DependencyList;
import io.dure.model.request.DependencyType;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job put together by a test, with sbatch's short options as names. */
public final class JobBuilder {
  private static final Workload.BatchSpec BATCH = Workload.BatchSpec.nothing("/");

  int minNodes = 1;
  int maxNodes = Integer.MAX_VALUE;
  int tasks = 1;
  int cpusPerTask = 1;
  @Nullable Integer tasksPerNode;
  int minCpus = 1;
  MemoryRequest memory = new MemoryRequest.PerNode(1);
  long tmpDisk;
  OversubscribeMode sharing = OversubscribeMode.DEFAULT;
  List<String> required = List.of();
  List<String> excluded = List.of();
  @Nullable String features;
  boolean contiguous;
  boolean overcommit;
  @Nullable Integer threadsPerCore;
  @Nullable GresRequest gres;
  public List<String> partitions = List.of("debug");
  @Nullable String account;
  TimeLimit limit = TimeLimit.minutes(60);
  @Nullable Duration atLeast;
  @Nullable Instant begin;
  @Nullable Instant deadline;
  @Nullable String array;
  int uid = 1001;
  long priority = 100;
  Hold hold = Hold.NONE;
  boolean dependent;
  List<Dependency> conditions = List.of();

  public JobBuilder nodes(int min, int max) {
    minNodes = min;
    maxNodes = max;
    return this;
  }

  public JobBuilder nodes(int count) {
    tasks = Math.max(tasks, count);
    return nodes(count, count);
  }

  public JobBuilder tasks(int count) {
    tasks = count;
    return this;
  }

  public JobBuilder cpusPerTask(int count) {
    cpusPerTask = count;
    return this;
  }

  JobBuilder tasksPerNode(int count) {
    tasksPerNode = count;
    return this;
  }

  JobBuilder minCpus(int count) {
    minCpus = count;
    return this;
  }

  JobBuilder gpus(int count) {
    gres = GresRequest.NONE.withPerJob(List.of(new GresCount(GresCount.GPU, null, count)));
    return this;
  }

  public JobBuilder mem(long mib) {
    memory = new MemoryRequest.PerNode(mib);
    return this;
  }

  JobBuilder memPerCpu(long mib) {
    memory = new MemoryRequest.PerCpu(mib);
    return this;
  }

  public JobBuilder exclusive() {
    sharing = OversubscribeMode.EXCLUSIVE;
    return this;
  }

  public JobBuilder exclusiveUser() {
    sharing = OversubscribeMode.USER;
    return this;
  }

  public JobBuilder on(String... names) {
    required = List.of(names);
    return this;
  }

  public JobBuilder notOn(String... names) {
    excluded = List.of(names);
    return this;
  }

  public JobBuilder constraint(String expression) {
    features = expression;
    return this;
  }

  JobBuilder contiguous() {
    contiguous = true;
    return this;
  }

  public JobBuilder overcommit() {
    overcommit = true;
    return this;
  }

  public JobBuilder threadsPerCore(int count) {
    threadsPerCore = count;
    return this;
  }

  public JobBuilder partition(String... names) {
    partitions = List.of(names);
    return this;
  }

  public JobBuilder account(String name) {
    account = name;
    return this;
  }

  public JobBuilder minutes(long count) {
    limit = TimeLimit.minutes(count);
    return this;
  }

  JobBuilder atLeast(long count) {
    atLeast = Duration.ofMinutes(count);
    return this;
  }

  public JobBuilder unlimited() {
    limit = new TimeLimit.Unlimited();
    return this;
  }

  JobBuilder begin(Instant at) {
    begin = at;
    return this;
  }

  JobBuilder deadline(Instant at) {
    deadline = at;
    return this;
  }

  public JobBuilder array(@Nullable String text) {
    array = text;
    return this;
  }

  public JobBuilder user(int id) {
    uid = id;
    return this;
  }

  public JobBuilder priority(long value) {
    priority = value;
    return this;
  }

  JobBuilder held() {
    hold = Hold.USER;
    return this;
  }

  JobBuilder afterCorr(int id) {
    conditions = List.of(new Dependency(DependencyType.AFTER_CORR, id, null, 0));
    return this;
  }

  JobBuilder dependent() {
    dependent = true;
    return this;
  }

  public JobSpec spec() {
    ResourceRequest request =
        new ResourceRequest(
            minNodes,
            maxNodes,
            tasks,
            cpusPerTask,
            tasksPerNode,
            minCpus,
            memory,
            tmpDisk,
            sharing,
            required,
            excluded,
            features,
            contiguous,
            overcommit,
            null,
            null,
            threadsPerCore,
            gres,
            null);
    return JobSpec.of("job", partitions, request, limit)
        .with()
        .account(account)
        .timeMin(atLeast)
        .beginTime(begin)
        .deadline(deadline)
        .dependency(new DependencyList(conditions, false))
        .arrayTasks(ArrayRequest.of(array))
        .build();
  }

  Job job(int id, Instant submitted) {
    List<Dependency> open =
        dependent ? List.of(new Dependency(DependencyType.AFTER_OK, 1, null, 0)) : List.of();
    JobState state = new JobState.Pending(hold, null, open, false, false);
    UserIdentity owner = new UserIdentity(uid, uid, "u" + uid, "g" + uid);
    return new Job(
        id, part(id), owner, spec(), BATCH, submitted, submitted, priority, 0, 0, state, null);
  }

  private @Nullable ArrayPart part(int id) {
    if (array == null) {
      return null;
    }
    try {
      ArrayRequest request = ArrayRequest.parse(array, 100_000);
      int count = request.indices().size();
      ArrayPart.Shape shape =
          new ArrayPart.Shape(count, request.indices().first(), request.indices().last(), 1);
      return new ArrayPart.Waiting(id, shape, request.indices(), request.throttle());
    } catch (ArrayRequest.InvalidArrayException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
