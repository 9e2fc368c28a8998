package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.model.accounting.Association;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.report.ExplainedJob;
import io.dure.model.report.StartRemedy;
import io.dure.model.report.StartRemedy.Kind;
import io.dure.model.request.DependencyList;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.rules.SchedulerNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What a job could ask for instead, untried. All functions are pure. */
final class RemedyProposals {
  /** Minutes that people ask for. */
  private static final List<Long> MINUTES =
      List.of(
          5L, 10L, 15L, 20L, 30L, 45L, 60L, 75L, 90L, 105L, 120L, 150L, 180L, 210L, 240L, 270L,
          300L, 330L, 360L, 420L, 480L, 540L, 600L, 660L, 720L, 840L, 960L, 1080L, 1200L, 1320L,
          1440L, 1800L, 2160L, 2520L, 2880L, 3600L, 4320L, 5760L, 7200L, 8640L, 10080L, 14400L,
          20160L, 28800L, 43200L);

  private static final Instant UNTRIED = Instant.EPOCH;
  private static final JobChange.ResourceChange SAME = JobChange.ResourceChange.NONE;
  private static final int DAY = 1440;

  private final ClusterState state;
  private final Job job;
  private final JobSpec spec;
  private final ResourceRequest asked;
  private final String word;

  RemedyProposals(ClusterState state, Job job) {
    this.state = state;
    this.job = job;
    spec = job.spec();
    asked = spec.resources();
    word = ExplainedJob.selector(job).text();
  }

  /**
   * Amounts of one thing that could be asked for, rising, all less than what is asked for now.
   *
   * @param remedy what it is to ask for so much
   * @param probe a little more than that, so that what starts at once still does some minutes later
   */
  record ReductionSteps(
      List<Long> amounts, LongFunction<StartRemedy> remedy, LongFunction<StartRemedy> probe) {
    ReductionSteps(List<Long> amounts, LongFunction<StartRemedy> remedy) {
      this(amounts, remedy, remedy);
    }
  }

  private StartRemedy propose(
      Kind kind, String from, String to, String option, String update, JobChange change) {
    Command.UserCommand command = new Command.UpdateJob(ExplainedJob.selector(job), change);
    String line = "update JobId=" + word + " " + update;
    return new StartRemedy(kind, from, to, option, line, command, UNTRIED, false, null);
  }

  /** Something that is not asked for any more; {@code sbatch} has no option for that. */
  private StartRemedy drop(Kind kind, String from, String update, JobChange change) {
    return propose(kind, from, "", "", update, change);
  }

  private StartRemedy drop(Kind kind, String update, JobChange.ResourceChange shape) {
    return drop(kind, "", update, shaped(shape));
  }

  private static JobChange shaped(JobChange.ResourceChange shape) {
    return JobChange.NONE.withShape(shape);
  }

  /** What takes away what the job itself waits for. */
  List<StartRemedy> own(Instant now) {
    List<StartRemedy> found = new ArrayList<>();
    if (!(job.state() instanceof JobState.Pending pending)) {
      return found;
    }
    if (pending.hold() != Hold.NONE) {
      Command.UserCommand release = new Command.ReleaseJob(ExplainedJob.selector(job));
      String update = "release " + word;
      found.add(new StartRemedy(Kind.RELEASE, "", "", "", update, release, UNTRIED, false, null));
    }
    Instant begin = spec.beginTime();
    if (begin != null && begin.isAfter(now)) {
      JobChange change = JobChange.NONE.withBeginTime(now);
      found.add(propose(Kind.BEGIN_NOW, "", "", "--begin=now", "StartTime=now", change));
    }
    if (!pending.waitingFor().isEmpty()) {
      JobChange change = JobChange.NONE.withDependency(DependencyList.NONE);
      found.add(drop(Kind.NO_DEPENDENCY, "", "Dependency=", change));
    }
    int throttle =
        switch (job.array()) {
          case ArrayPart.Waiting part -> part.throttle();
          case ArrayPart.Task part -> part.throttle();
          case null -> 0;
        };
    if (throttle > 0) {
      String more = Integer.toString(throttle + 1);
      found.add(
          propose(
              Kind.MORE_TASKS_AT_ONCE,
              Integer.toString(throttle),
              more,
              "",
              "ArrayTaskThrottle=" + more,
              JobChange.NONE.withArrayThrottle(throttle + 1)));
    }
    return found;
  }

  /** What it could do without. */
  List<StartRemedy> without() {
    List<StartRemedy> found = new ArrayList<>();
    partitions(found);
    qualities(found);
    if (!asked.requiredNodes().isEmpty()) {
      found.add(drop(Kind.NO_NODE_LIST, "ReqNodeList=", SAME.withRequiredNodes(List.of())));
    }
    if (!asked.excludedNodes().isEmpty()) {
      found.add(drop(Kind.NO_EXCLUDED_NODES, "ExcNodeList=", SAME.withExcludedNodes(List.of())));
    }
    if (asked.contiguous()) {
      found.add(drop(Kind.NOT_CONTIGUOUS, "Contiguous=no", SAME.withContiguous(false)));
    }
    if (asked.sharing() == OversubscribeMode.EXCLUSIVE) {
      JobChange.ResourceChange shared = SAME.withSharing(OversubscribeMode.DEFAULT);
      found.add(drop(Kind.NOT_EXCLUSIVE, "OverSubscribe=ok", shared));
    }
    types(found);
    demands(found);
    return found;
  }

  /** Demands that can be dropped. */
  private void demands(List<StartRemedy> found) {
    if (asked.features() != null) {
      JobChange change = shaped(SAME.withFeatures(""));
      found.add(drop(Kind.NO_FEATURES, asked.features(), "Features=", change));
    }
    if (asked.more().licenses() != null) {
      JobChange change = shaped(SAME.withLicenses(""));
      found.add(drop(Kind.NO_LICENCES, asked.more().licenses().text(), "Licenses=", change));
    }
    if (!spec.reservations().isEmpty()) {
      String now = String.join(",", spec.reservations());
      JobChange change = JobChange.NONE.withReservations(List.of());
      found.add(drop(Kind.NO_RESERVATION, now, "ReservationName=", change));
    }
  }

  private void partitions(List<StartRemedy> found) {
    for (PartitionConfig other : state.partitions()) {
      if (!spec.partitions().contains(other.name()) && !other.hidden()) {
        found.add(
            propose(
                Kind.OTHER_PARTITION,
                String.join(",", spec.partitions()),
                other.name(),
                "--partition=" + other.name(),
                "Partition=" + other.name(),
                JobChange.NONE.withPartitions(List.of(other.name()))));
      }
    }
  }

  private void qualities(List<StartRemedy> found) {
    String account = spec.account();
    Association own =
        account == null ? null : state.accounts().charged(account, job.owner().userName(), null);
    if (own == null) {
      return;
    }
    for (String name : state.accounts().effective(own).qos()) {
      if (!name.equals(spec.qos())) {
        found.add(
            propose(
                Kind.OTHER_QOS,
                spec.qos() == null ? "" : spec.qos(),
                name,
                "--qos=" + name,
                "QOS=" + name,
                JobChange.NONE.withQos(name)));
      }
    }
  }

  /** Other types of GPUs, where some type is asked for on each node. */
  private void types(List<StartRemedy> found) {
    GresCount typed = null;
    for (GresCount one : asked.gresOrNone().perNode()) {
      typed = one.name().equals(GresCount.GPU) && one.type() != null ? one : typed;
    }
    if (typed == null || asked.gresOrNone().perNode().size() != 1) {
      return;
    }
    GresCount now = typed;
    found.add(gpus(Kind.ANY_GPU_TYPE, now, new GresCount(GresCount.GPU, null, now.count())));
    for (String other : gpuTypes(now)) {
      GresCount next = new GresCount(GresCount.GPU, other, now.count());
      found.add(gpus(Kind.OTHER_GPU_TYPE, now, next));
    }
  }

  private List<String> gpuTypes(GresCount now) {
    TreeSet<String> types = new TreeSet<>();
    for (SchedulerNode node : state.nodes().values()) {
      for (GresDevice device : node.config().resources().devices()) {
        if (device.name().equals(GresCount.GPU) && device.type() != null) {
          types.add(device.type());
        }
      }
      for (CountedGres stock : node.config().resources().stocks()) {
        if (stock.name().equals(GresCount.GPU) && stock.type() != null) {
          types.add(stock.type());
        }
      }
    }
    types.remove(now.type());
    return List.copyOf(types);
  }

  private StartRemedy gpus(Kind kind, GresCount now, GresCount next) {
    return propose(
        kind,
        now.text(),
        next.text(),
        "--gres=" + next.text(),
        "Gres=" + next.text(),
        shaped(SAME.withGres(GresRequest.NONE.withPerNode(List.of(next)))));
  }

  /** What it could ask less of. */
  List<ReductionSteps> less() {
    List<ReductionSteps> scales = new ArrayList<>();
    if (spec.timeLimit() instanceof TimeLimit.Limited(Duration limit)) {
      shorter(limit.toMinutes(), limit.toMinutes(), scales);
    } else {
      shorter(Long.MAX_VALUE, -1, scales);
    }
    memory(scales);
    if (asked.minNodes() > 1) {
      scales.add(new ReductionSteps(upTo(asked.minNodes()), this::nodes));
    } else if (asked.tasks() > 1) {
      scales.add(new ReductionSteps(upTo(asked.tasks()), this::tasks));
    }
    if (asked.cpusPerTask() > 1) {
      scales.add(new ReductionSteps(upTo(asked.cpusPerTask()), this::cpus));
    }
    gpus(scales);
    return scales;
  }

  private void shorter(long below, long now, List<ReductionSteps> scales) {
    List<Long> amounts = MINUTES.stream().filter(minutes -> minutes < below).toList();
    if (!amounts.isEmpty()) {
      LongFunction<StartRemedy> remedy =
          minutes ->
              propose(
                  Kind.SHORTER,
                  now < 0 ? "" : time(now),
                  time(minutes),
                  "--time=" + time(minutes),
                  "TimeLimit=" + time(minutes),
                  JobChange.NONE.withTimeLimit(TimeLimit.minutes(minutes)));
      scales.add(
          new ReductionSteps(
              amounts, remedy, minutes -> remedy.apply(minutes + Math.clamp(minutes / 10, 1, 10))));
    }
  }

  /** Minutes as people type them. */
  static String time(long minutes) {
    long days = minutes / DAY;
    long rest = minutes % DAY;
    String clock = two(rest / 60) + ":" + two(rest % 60) + ":00";
    return days == 0 ? clock : days + "-" + clock;
  }

  private static String two(long number) {
    return (number < 10 ? "0" : "") + number;
  }

  private static List<Long> upTo(long most) {
    TreeSet<Long> amounts = new TreeSet<>();
    for (long amount = 1; amount < most && amount <= 16; amount++) {
      amounts.add(amount);
    }
    for (int part = 1; part < 8; part++) {
      amounts.add(Math.max(1, most * part / 8));
    }
    amounts.add(most - 1);
    return List.copyOf(amounts);
  }

  private void memory(List<ReductionSteps> scales) {
    @Nullable Long now =
        switch (asked.memory()) {
          case MemoryRequest.PerNode(long mib) -> mib;
          case MemoryRequest.PerCpu(long mib) -> mib;
          case MemoryRequest.PerGpu _, MemoryRequest.Default _ -> null;
        };
    if (now == null || now < 2) {
      return;
    }
    boolean perCpu = asked.memory() instanceof MemoryRequest.PerCpu;
    TreeSet<Long> amounts = new TreeSet<>();
    for (int part = 1; part < 16; part++) {
      long amount = now * part / 16;
      amounts.add(amount > 2048 ? amount / 1024 * 1024 : Math.max(1, amount));
    }
    LongFunction<StartRemedy> remedy =
        mib ->
            propose(
                Kind.LESS_MEMORY,
                text(now),
                text(mib),
                (perCpu ? "--mem-per-cpu=" : "--mem=") + text(mib),
                (perCpu ? "MinMemoryCPU=" : "MinMemoryNode=") + mib,
                shaped(
                    SAME.withMemory(
                        perCpu ? new MemoryRequest.PerCpu(mib) : new MemoryRequest.PerNode(mib))));
    scales.add(new ReductionSteps(List.copyOf(amounts), remedy));
  }

  private static String text(long mib) {
    return mib % 1024 == 0 ? mib / 1024 + "G" : mib + "M";
  }

  private StartRemedy nodes(long count) {
    int tasks = (int) Math.ceilDiv((long) asked.tasks() * count, asked.minNodes());
    boolean same = tasks == asked.tasks();
    return propose(
        Kind.FEWER_NODES,
        Integer.toString(asked.minNodes()),
        Long.toString(count),
        "--nodes=" + count + (same ? "" : " --ntasks=" + tasks),
        "NumNodes=" + count + (same ? "" : " NumTasks=" + tasks),
        shaped(
            SAME.with()
                .minNodes((int) count)
                .maxNodes((int) count)
                .tasks(same ? null : tasks)
                .build()));
  }

  private StartRemedy tasks(long count) {
    return propose(
        Kind.FEWER_TASKS,
        Integer.toString(asked.tasks()),
        Long.toString(count),
        "--ntasks=" + count,
        "NumTasks=" + count,
        shaped(SAME.withTasks((int) count)));
  }

  private StartRemedy cpus(long count) {
    return propose(
        Kind.FEWER_CPUS_PER_TASK,
        Integer.toString(asked.cpusPerTask()),
        Long.toString(count),
        "--cpus-per-task=" + count,
        "CPUsPerTask=" + count,
        shaped(SAME.withCpusPerTask((int) count)));
  }

  private void gpus(List<ReductionSteps> scales) {
    GresRequest gres = asked.gresOrNone();
    if (gres.perNode().size() == 1 && isSome(gres.perNode().getFirst())) {
      GresCount now = gres.perNode().getFirst();
      scales.add(
          new ReductionSteps(
              upTo(now.count()),
              count -> gpus(Kind.FEWER_GPUS, now, new GresCount(now.name(), now.type(), count))));
    } else if (gres.perJob().size() == 1 && isSome(gres.perJob().getFirst())) {
      GresCount now = gres.perJob().getFirst();
      scales.add(
          new ReductionSteps(
              upTo(now.count()),
              count -> {
                GresCount next = new GresCount(now.name(), now.type(), count);
                String sort = (now.type() == null ? "" : now.type() + ":") + count;
                return propose(
                    Kind.FEWER_GPUS,
                    now.text(),
                    next.text(),
                    "--gpus=" + sort,
                    "TresPerJob=" + next.text(),
                    shaped(SAME.withGres(GresRequest.NONE.withPerJob(List.of(next)))));
              }));
    }
  }

  private static boolean isSome(GresCount one) {
    return one.name().equals(GresCount.GPU) && one.count() > 1;
  }
}
