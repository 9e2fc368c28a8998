package io.dure.cli.scontrol;

import io.dure.model.UserIdentity;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OpenMode;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.JobInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Jobs for tests: one CPU and 100 MiB of alice's in partition debug, unless told otherwise. */
public final class JobFixture {

  private static final Instant SUBMITTED = Instant.parse("2026-11-20T16:00:48Z");

  private final int id;
  private @Nullable ArrayPart array;
  private UserIdentity owner = new UserIdentity(1001, 1001, "alice", "alice");
  private String name = "job";
  private String account = "physics";
  private String qos = "normal";
  private @Nullable String comment;
  private @Nullable String wckey;
  private int minNodes = 1;
  private int maxNodes = 1;
  private int tasks = 1;
  private int cpusPerTask = 1;
  private MemoryRequest memory = new MemoryRequest.PerCpu(100);
  private @Nullable GresRequest gres;
  private @Nullable String licenses;
  private OversubscribeMode sharing = OversubscribeMode.DEFAULT;
  private List<String> required = List.of();
  private List<String> excluded = List.of();
  private @Nullable String features;
  private List<String> asked = List.of();
  private List<String> partitions = List.of("debug");
  private TimeLimit limit = TimeLimit.minutes(60);
  private @Nullable Instant beginTime;
  private @Nullable Boolean killOnInvalid;
  private @Nullable String mailType;
  private @Nullable String mailUser;
  private @Nullable String command;
  private @Nullable String output = "%x-%j.out";
  private int sid = 26122;
  private Instant submitted = SUBMITTED;
  private @Nullable Instant eligible;
  private long priority = 45066;
  private long nice;
  private int restarts;
  private JobState state;
  private String reason = "None";
  private String dependency = "";
  private @Nullable HetComponent het;
  private @Nullable Instant expected;
  private List<String> planned = List.of();
  private @Nullable Instant evaluated;

  private JobFixture(int id, JobState state) {
    this.id = id;
    this.state = state;
  }

  /** A job that waits. */
  public static JobFixture pending(int id) {
    JobState state = new JobState.Pending(Hold.NONE, null, List.of(), false, false);
    return new JobFixture(id, state).evaluated("16:00:48");
  }

  /** An array of which these tasks wait. */
  public static JobFixture waiting(int id, String tasks) {
    JobFixture job = pending(id);
    try {
      ArrayRequest request = ArrayRequest.parse(tasks, 1000);
      int count = request.indices().size();
      job.array =
          new ArrayPart.Waiting(
              id,
              new ArrayPart.Shape(count, request.indices().first(), request.indices().last(), 1),
              request.indices(),
              request.throttle());
    } catch (ArrayRequest.InvalidArrayException e) {
      throw new IllegalArgumentException(e);
    }
    return job;
  }

  /** A job that runs on one CPU of n1. */
  public static JobFixture running(int id) {
    JobFixture job =
        new JobFixture(id, new JobState.Pending(Hold.NONE, null, List.of(), false, false));
    return job.ran("2026-11-20T16:00:47Z", "2026-11-20T17:00:47Z", share("n1", 1, 100));
  }

  /** Whether its script has begun on its node. */
  JobFixture launched(boolean yes) {
    state = ((JobState.Running) state).withLaunched(yes);
    return this;
  }

  /** A share of a node from its first core on. */
  static NodeShare share(String node, int cpus, long memoryMib) {
    List<Integer> cores = IntStream.range(0, cpus).boxed().toList();
    return new NodeShare(node, cores, cpus, memoryMib, 1);
  }

  /** Runs on these shares. */
  public JobFixture ran(String start, String end, NodeShare... shares) {
    state =
        new JobState.Running(
            new Allocation("debug", List.of(shares)),
            Instant.parse(start),
            Instant.parse(end),
            true,
            false,
            Hold.NONE,
            false,
            null,
            null,
            false);
    evaluated = Instant.parse(start);
    return this;
  }

  /** Ended after it ran on these shares. */
  JobFixture ended(String start, String end, JobOutcome outcome, NodeShare... shares) {
    Allocation allocation = shares.length == 0 ? null : new Allocation("debug", List.of(shares));
    Instant started = shares.length == 0 ? null : Instant.parse(start);
    state = new JobState.Ended(allocation, started, Instant.parse(end), outcome, null);
    evaluated = Instant.parse(start);
    return this;
  }

  JobFixture held(Hold hold) {
    state = new JobState.Pending(hold, null, List.of(), false, false);
    priority = 0;
    reason = hold.reason();
    return this;
  }

  /** A task of an array with a record of its own. */
  public JobFixture task(int arrayJobId, int index) {
    return task(arrayJobId, index, 0);
  }

  JobFixture task(int arrayJobId, int index, int throttle) {
    array = new ArrayPart.Task(arrayJobId, new ArrayPart.Shape(10, 0, 18, 2), index, throttle);
    return this;
  }

  JobFixture component(int leader, int size) {
    het = new HetComponent(leader, id - leader, size);
    return this;
  }

  public JobFixture owner(String user, int uid) {
    owner = new UserIdentity(uid, uid, user, user);
    return this;
  }

  public JobFixture name(String value) {
    name = value;
    return this;
  }

  JobFixture account(String value, long newPriority) {
    account = value;
    priority = newPriority;
    return this;
  }

  JobFixture qos(String value) {
    qos = value;
    return this;
  }

  JobFixture nice(long value) {
    nice = value;
    return this;
  }

  JobFixture priority(long value) {
    priority = value;
    return this;
  }

  /** Its workload key. */
  public JobFixture wckey(String value) {
    wckey = value;
    return this;
  }

  JobFixture comment(String value) {
    comment = value;
    return this;
  }

  JobFixture nodes(int min, int max) {
    minNodes = min;
    maxNodes = max;
    asked = List.of("nodes");
    return this;
  }

  JobFixture tasks(int count, int cpusEach) {
    tasks = count;
    cpusPerTask = cpusEach;
    return this;
  }

  JobFixture memory(MemoryRequest value) {
    memory = value;
    return this;
  }

  JobFixture licenses(String value) {
    licenses = value;
    return this;
  }

  JobFixture gres(GresRequest value) {
    gres = value;
    return this;
  }

  JobFixture sharing(OversubscribeMode value) {
    sharing = value;
    return this;
  }

  JobFixture nodeLists(List<String> with, List<String> without) {
    required = with;
    excluded = without;
    return this;
  }

  JobFixture features(String value) {
    features = value;
    return this;
  }

  JobFixture partitions(String... names) {
    partitions = List.of(names);
    return this;
  }

  JobFixture limit(long minutes) {
    limit = TimeLimit.minutes(minutes);
    return this;
  }

  JobFixture begin(String time) {
    beginTime = Instant.parse(time);
    return this;
  }

  JobFixture killOnInvalid(boolean value) {
    killOnInvalid = value;
    return this;
  }

  JobFixture mail(String user, String type) {
    mailUser = user;
    mailType = type;
    return this;
  }

  JobFixture command(String path) {
    command = path;
    return this;
  }

  JobFixture output(@Nullable String pattern) {
    output = pattern;
    return this;
  }

  /** Submitted at a time of the day, and eligible at once. */
  JobFixture submitted(String time) {
    submitted = Instant.parse("2026-11-20T" + time + "Z");
    eligible = submitted;
    return this;
  }

  JobFixture eligible(@Nullable String time) {
    eligible = time == null ? null : Instant.parse("2026-11-20T" + time + "Z");
    return this;
  }

  JobFixture restarts(int count) {
    restarts = count;
    return this;
  }

  JobFixture reason(String value) {
    reason = value;
    return this;
  }

  JobFixture dependency(String value) {
    dependency = value;
    return this;
  }

  JobFixture expected(String time, String... nodes) {
    expected = Instant.parse("2026-11-20T" + time + "Z");
    planned = List.of(nodes);
    return this;
  }

  JobFixture evaluated(String time) {
    evaluated = Instant.parse("2026-11-20T" + time + "Z");
    return this;
  }

  JobFixture sid(int value) {
    sid = value;
    return this;
  }

  /** The job as the controller tells of it. */
  public JobInfo info() {
    JobSpec spec =
        JobSpec.of(name, partitions, resources(), limit)
            .with()
            .account(account)
            .qos(qos)
            .comment(comment)
            .wckey(wckey)
            .beginTime(beginTime)
            .nice(nice)
            .killOnInvalidDependency(killOnInvalid)
            .mailType(mailType)
            .mailUser(mailUser)
            .asked(new ArrayList<>(asked))
            .build();
    Workload.BatchSpec batch =
        new Workload.BatchSpec(
            TextId.EMPTY,
            List.of(),
            TextId.EMPTY,
            false,
            "/tmp/slurm-lab/jobs/cap",
            null,
            output,
            null,
            OpenMode.DEFAULT,
            022,
            List.of(),
            command,
            "sbatch job.sh",
            "localhost",
            sid,
            false);
    Job job =
        new Job(
            id, array, owner, spec, batch, submitted, eligible, priority, restarts, 1, state, het);
    return new JobInfo(
        job, reason, expected, planned, evaluated, true, dependency, false, List.of(), null, null);
  }

  private ResourceRequest resources() {
    return ResourceRequest.of(minNodes, tasks, cpusPerTask)
        .with()
        .maxNodes(maxNodes)
        .memory(memory)
        .sharing(sharing)
        .requiredNodes(required)
        .excludedNodes(excluded)
        .features(features)
        .gres(gres)
        .further(
            licenses == null
                ? null
                : new ResourceRequest.RareOptions(
                    null, null, new LicenseRequest(licenses), null, null, null, null))
        .build();
  }
}
