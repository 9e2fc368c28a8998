package io.dure.cli.captured;

import io.dure.model.TaskIndices;
import io.dure.model.UserIdentity;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.Dependency;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OpenMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.JobInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The queue of the cluster whose outputs were captured, in the order in which it was told. */
final class LabJobs {

  static final String NODES_DOWN =
      "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

  private static final UserIdentity ROOT = new UserIdentity(0, 0, "root", "root");
  private static final UserIdentity ALICE = new UserIdentity(1001, 1001, "alice", "alice");
  private static final UserIdentity BOB = new UserIdentity(1002, 1002, "bob", "bob");
  private static final ArrayPart.Shape SHAPE = new ArrayPart.Shape(10, 0, 18, 2);

  private static final String LATER =
      """
      196 wrap debug Reservation
      174 hi debug DOWN
      157 arr debug JobArrayTaskLimit
      187 wrap debug PartitionConfig
      186 wrap debug PartitionConfig
      178 toomany debug PartitionNodeLimit
      188 wrap debug PartitionConfig
      175 lo debug QOSGrpCpuLimit
      173 excl debug Priority
      177 longname_of_a_job debug Priority
      155 gpu debug BeginTime
      139 okjob debug BeginTime
      172 begin debug BeginTime
      205 (null) debug Priority
      181 inresv debug Reservation
      168 sing debug Dependency
      166 depnever debug DependencyNeverSatisfied
      165 depany debug Dependency
      163 lic2 debug Priority
      164 dep debug Dependency
      176 bigmem debug Priority
      171 admheld debug JobHeldAdmin
      170 held2 debug JobHeldUser
      160 arr debug n1:1
      161 arr debug n1:1
      162 arr debug n1:1
      159 het debug n1:4
      167 sing debug n4:1
      156 lic debug n4:1
      158 het debug n4:1
      154 bigrun debug n3:1 n4:1
      180 multi debug,short Priority
      183 wrap short DOWN
      184 wrap short PartitionNodeLimit
      182 wrap short ReqNodeNotAvail, May be reserved for other job
      185 wrap short PartitionTimeLimit
      179 toolong short PartitionTimeLimit\
      """;

  private final int id;
  private final String name;
  private UserIdentity owner = ALICE;
  private final long priority;
  private int minutes = 60;
  private int nodes = 1;
  private int cpus = 1;
  private long memory = 100;
  private List<String> partitions = List.of("debug");
  private String reason = "None";
  private Hold hold = Hold.NONE;
  private Instant submitted = at("16:00:48");
  private Instant expected;
  private List<String> planned = List.of();
  private String dependency = "";
  private String qos = "normal";
  private ArrayPart array;
  private Allocation allocation;
  private Instant started;
  private Instant begin;

  private LabJobs(int id, String name, long priority) {
    this.id = id;
    this.name = name;
    this.priority = priority;
  }

  static Instant at(String time) {
    return Instant.parse("2026-11-20T" + time + "Z");
  }

  static LabJobs job(int id, String name, long priority) {
    return new LabJobs(id, name, priority);
  }

  LabJobs of(String user) {
    owner = user.equals("root") ? ROOT : user.equals("bob") ? BOB : ALICE;
    return this;
  }

  LabJobs minutes(int value) {
    minutes = value;
    return this;
  }

  LabJobs shape(int nodeCount, int cpuCount, long memoryPerCpu) {
    nodes = nodeCount;
    cpus = cpuCount;
    memory = memoryPerCpu;
    return this;
  }

  LabJobs in(String... names) {
    partitions = List.of(names);
    return this;
  }

  LabJobs submitted(String time) {
    submitted = at(time);
    return this;
  }

  LabJobs begin(String time) {
    begin = at(time);
    return this;
  }

  LabJobs expected(String time, String... nodeNames) {
    expected = at(time);
    planned = List.of(nodeNames);
    return this;
  }

  LabJobs held(Hold value) {
    hold = value;
    return this;
  }

  LabJobs qos(String value) {
    qos = value;
    return this;
  }

  LabJobs dependency(String text) {
    dependency = text;
    return this;
  }

  LabJobs array(ArrayPart part) {
    array = part;
    return this;
  }

  LabJobs reason(String text) {
    reason = text;
    return this;
  }

  LabJobs running(String since, String... sharesOfNodes) {
    started = at(since);
    List<NodeShare> shares = new ArrayList<>();
    for (String share : sharesOfNodes) {
      int colon = share.indexOf(':');
      int count = Integer.parseInt(share.substring(colon + 1));
      shares.add(new NodeShare(share.substring(0, colon), List.of(), count, count * memory, count));
    }
    allocation = new Allocation(partitions.getFirst(), shares);
    return this;
  }

  JobInfo info() {
    return new JobInfo(
        new Job(
            id,
            array,
            owner,
            spec(),
            batch(),
            submitted,
            submitted,
            priority,
            0,
            1,
            state(),
            name.equals("het") ? new HetComponent(158, id - 158, 2) : null),
        reason,
        expected,
        planned,
        submitted,
        true,
        dependency,
        false,
        List.of(),
        null,
        null);
  }

  private JobState state() {
    if (allocation == null) {
      return new JobState.Pending(hold, null, List.<Dependency>of(), false, false);
    }
    return new JobState.Running(
        allocation,
        started,
        started.plus(Duration.ofMinutes(minutes)),
        id != 159,
        false,
        Hold.NONE,
        false,
        null,
        null,
        false);
  }

  private JobSpec spec() {
    ResourceRequest resources =
        ResourceRequest.of(nodes, cpus, 1).withMemory(new MemoryRequest.PerCpu(memory));
    return JobSpec.of(name, partitions, resources, TimeLimit.minutes(minutes))
        .with()
        .account(owner.equals(BOB) ? "bio" : owner.equals(ROOT) ? "root" : "physics")
        .qos(qos)
        .beginTime(begin)
        .build();
  }

  private static Workload.BatchSpec batch() {
    return new Workload.BatchSpec(
        TextId.EMPTY,
        List.of(),
        TextId.EMPTY,
        false,
        "/tmp/slurm-lab/jobs/cap",
        null,
        "%x-%j.out",
        null,
        OpenMode.DEFAULT,
        022,
        List.of(),
        null,
        "sbatch",
        "localhost",
        26122,
        false);
  }

  /** The queue as {@code squeue} showed it. */
  static List<JobInfo> whole() {
    List<JobInfo> all = new ArrayList<>();
    for (JobInfo info : all()) {
      if (info.job().id() == 155) {
        all.add(component(159).info());
      }
      if (info.job().id() == 154) {
        all.add(component(158).info());
      }
      all.add(info);
    }
    return all;
  }

  private static LabJobs component(int id) {
    boolean leads = id == 158;
    LabJobs job = job(id, "het", leads ? 45066 : 45078);
    return job.minutes(20).submitted("16:00:47").running("16:00:47", leads ? "n4:1" : "n1:4");
  }

  /** The queue as {@code squeue} showed it, without the job of two components. */
  static List<JobInfo> all() {
    List<JobInfo> all = new ArrayList<>();
    for (LabJobs job : waiting()) {
      all.add(job.info());
    }
    for (LabJobs job : running()) {
      all.add(job.info());
    }
    all.add(
        job(180, "multi", 45500)
            .shape(4, 64, 100)
            .minutes(5)
            .in("debug", "short")
            .submitted("16:00:49")
            .reason("Priority")
            .info());
    all.add(
        job(179, "toolong", 50066)
            .in("short")
            .submitted("16:00:49")
            .reason("PartitionTimeLimit")
            .info());
    return all;
  }

  private static List<LabJobs> waiting() {
    List<LabJobs> jobs = new ArrayList<>();
    jobs.add(
        job(174, "hi", 65325)
            .shape(3, 48, 100)
            .minutes(10)
            .reason(NODES_DOWN)
            .expected("18:00:48", "n1", "n2", "n4"));
    jobs.add(
        job(157, "arr", 65066)
            .of("bob")
            .submitted("16:00:47")
            .array(
                new ArrayPart.Waiting(
                    157, SHAPE, new TaskIndices(List.of(new TaskIndices.Range(6, 18, 2))), 3))
            .reason("JobArrayTaskLimit"));
    jobs.add(
        job(178, "toomany", 45500)
            .shape(9, 9, 100)
            .submitted("16:00:49")
            .reason("PartitionNodeLimit"));
    jobs.add(job(175, "lo", 45309).shape(1, 12, 100).minutes(10).reason("QOSGrpCpuLimit"));
    jobs.add(job(173, "excl", 45265).shape(4, 4, 100).minutes(10).reason("Priority"));
    jobs.add(
        job(177, "longname_of_a_job_that_goes_on", 45125)
            .shape(1, 16, 100)
            .minutes(5)
            .submitted("16:00:49")
            .expected("17:00:47", "n1")
            .reason("Priority"));
    jobs.add(job(172, "begin", 45066).begin("18:00:48").reason("BeginTime"));
    jobs.add(job(181, "inresv", 45066).submitted("16:00:49").reason("Reservation"));
    jobs.add(job(168, "sing", 45066).dependency("singleton(unfulfilled)").reason("Dependency"));
    jobs.add(
        job(166, "depnever", 45066)
            .dependency("afternotok:139(failed)")
            .reason("DependencyNeverSatisfied"));
    jobs.add(
        job(165, "depany", 45066)
            .dependency("afterany:155(unfulfilled)?afternotok:156(unfulfilled)")
            .reason("Dependency"));
    jobs.add(job(164, "dep", 45066).dependency("afterok:155(unfulfilled)").reason("Dependency"));
    jobs.add(job(163, "lic2", 45066).minutes(30).reason("Priority"));
    jobs.add(
        job(176, "bigmem", 25265).of("root").shape(4, 4, 30000).minutes(15).reason("Priority"));
    jobs.add(
        job(171, "admheld", 0)
            .of("bob")
            .held(Hold.ADMIN)
            .expected("17:00:48")
            .reason("JobHeldAdmin"));
    jobs.add(job(170, "held2", 0).held(Hold.USER).reason("JobHeldUser"));
    jobs.add(job(169, "held", 0).held(Hold.USER).reason("JobHeldUser"));
    return jobs;
  }

  private static List<LabJobs> running() {
    List<LabJobs> jobs = new ArrayList<>();
    for (int index = 0; index < 6; index += 2) {
      jobs.add(
          job(160 + index / 2, "arr", 65066)
              .of("bob")
              .submitted("16:00:47")
              .array(new ArrayPart.Task(157, SHAPE, index, 3))
              .running("16:00:47", "n1:1"));
    }
    jobs.add(job(155, "gpu", 45070).minutes(30).running("16:00:47", "n4:2"));
    jobs.add(job(167, "sing", 45066).running("16:01:17", "n4:1"));
    jobs.add(job(156, "lic", 45066).minutes(30).running("16:00:47", "n4:1"));
    jobs.add(
        job(154, "bigrun", 25203)
            .of("root")
            .minutes(120)
            .submitted("16:00:47")
            .running("16:00:48", "n3:16", "n4:4"));
    return jobs;
  }

  /** The queue some minutes later, of which only some columns are known. */
  static List<JobInfo> later() {
    List<JobInfo> jobs = new ArrayList<>();
    int place = 0;
    for (String line : LATER.split("\n", -1)) {
      String[] words = line.split(" ", 4);
      LabJobs job =
          job(Integer.parseInt(words[0]), words[1], 1000 - place++).in(words[2].split(",", -1));
      if (words[3].startsWith("n")) {
        job.running("16:00:47", words[3].split(" ", -1));
      } else {
        job.reason(words[3].equals("DOWN") ? NODES_DOWN : words[3]);
      }
      switch (words[0]) {
        case "205" -> job.array(new ArrayPart.Waiting(205, SHAPE, range(1, 3, 1), 0));
        case "160", "161", "162" ->
            job.array(new ArrayPart.Task(157, SHAPE, (job.id - 160) * 2, 3));
        case "157" -> job.array(new ArrayPart.Waiting(157, SHAPE, range(6, 18, 2), 3));
        default -> {}
      }
      jobs.add(job.info());
    }
    return jobs;
  }

  private static TaskIndices range(int first, int last, int step) {
    return new TaskIndices(List.of(new TaskIndices.Range(first, last, step)));
  }
}
