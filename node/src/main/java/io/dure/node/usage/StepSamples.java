package io.dure.node.usage;

import io.dure.host.process.ProcessStat;
import io.dure.model.config.step.StepSettings.Measure;
import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.model.step.Step;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepConsumption.Spread;
import io.dure.model.step.StepConsumption.TaskSums;
import io.dure.node.cgroup.StepCgroup;
import io.dure.node.launch.RunningStep;
import io.dure.node.launch.StepUsage;
import io.dure.node.step.StepControl;
import io.dure.protocol.step.GpuFigures;
import io.dure.protocol.step.StepFigures;
import io.dure.protocol.step.TaskFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the tasks of a step on this node have used. Any thread. */
final class StepSamples {
  private static final long MICROS = 1_000_000;

  /** The pids of tasks by rank, as the shepherd told them; empty before it could. */
  private SequencedMap<Integer, Integer> tasks = new LinkedHashMap<>();

  private final Map<Integer, TaskUsage> used = new TreeMap<>();

  /** When the process of a task began, so that none which got its number is taken for it. */
  private final Map<Integer, Long> begun = new TreeMap<>();

  private List<TaskPoint> points = List.of();

  /** What the machine had taken when the step began, microjoules; null where that is not known. */
  private @Nullable Long takenBefore;

  /** The step begins. */
  synchronized void begin(long microjoules) {
    if (takenBefore == null) {
      takenBefore = microjoules;
    }
  }

  /** What the machine has taken since the step began, 0 where that is not known. */
  private long joules(@Nullable Long microjoules) {
    Long before = takenBefore;
    return microjoules == null || before == null ? 0 : (microjoules - before) / MICROS;
  }

  /**
   * Looks at its processes.
   *
   * @param all the machine's, by pid
   * @param machine what else is known of it at this look
   * @throws IOException if the step's cannot be found
   */
  synchronized StepFigures look(
      NamedStep step, Map<Integer, ProcessStat> all, Measure measure, MachineLook machine)
      throws IOException {
    if (step.tasks() == null) {
      return lookAtLogins(step, all, measure, machine);
    }
    if (tasks.isEmpty() || tasks.containsValue(0)) {
      tasks = tasksOf(step);
    }
    List<Integer> pids = step.members().among(List.copyOf(all.values()));
    TaskDivision division = TaskDivision.of(pids, tasks.values(), all, earlier(all));
    List<TaskFigures> figures = new ArrayList<>();
    List<TaskPoint> seen = new ArrayList<>();
    int local = 0;
    for (Map.Entry<Integer, Integer> task : tasks.entrySet()) {
      int rank = task.getKey();
      List<Integer> own = division.byTask().getOrDefault(task.getValue(), List.of());
      ProcessStat first = own.isEmpty() ? null : all.get(own.getFirst());
      if (first != null
          && begun.computeIfAbsent(rank, _ -> first.startTicks()) == first.startTicks()) {
        List<ProcessSample> samples = samples(own, all, measure);
        TaskUsage usage = taken(rank, own, samples, machine);
        long megahertz = machine.clocks().mean(samples);
        long joules = figures.isEmpty() ? joules(machine.microjoules()) : 0;
        figures.add(figures(usage, rank, local, own, megahertz, joules));
        seen.add(usage.point(rank, first.startTicks(), megahertz));
      }
      local++;
    }
    points = List.copyOf(seen);
    return new StepFigures(step.jobId(), step.name(), figures, division.others());
  }

  /** All of its processes count as one task, which is there as long as the job is. */
  private StepFigures lookAtLogins(
      NamedStep step, Map<Integer, ProcessStat> all, Measure measure, MachineLook machine)
      throws IOException {
    List<Integer> pids = step.members().among(List.copyOf(all.values()));
    List<TaskFigures> figures = new ArrayList<>();
    if (!pids.isEmpty() || !used.isEmpty()) {
      List<ProcessSample> samples = samples(pids, all, measure);
      TaskUsage usage = taken(0, pids, samples, machine);
      figures.add(figures(usage, 0, 0, List.of(), machine.clocks().mean(samples), 0));
    }
    return new StepFigures(step.jobId(), step.name(), figures, pids);
  }

  private static List<ProcessSample> samples(
      List<Integer> pids, Map<Integer, ProcessStat> all, Measure measure) {
    List<ProcessSample> samples = new ArrayList<>();
    for (int pid : pids) {
      ProcessStat process = all.get(pid);
      if (process != null) {
        samples.add(ProcessSample.of(process, measure));
      }
    }
    return samples;
  }

  private TaskUsage taken(
      int rank, List<Integer> pids, List<ProcessSample> samples, MachineLook machine) {
    TaskUsage usage = used.computeIfAbsent(rank, _ -> new TaskUsage());
    GpuLook gpus = machine.gpus();
    usage.take(samples);
    usage.take(gpus == null ? null : gpus.of(pids));
    return usage;
  }

  /** Its tasks at the last look. */
  synchronized List<TaskPoint> points() {
    return points;
  }

  /**
   * What it has used in all.
   *
   * @param counted by its shepherd, which knows nothing of children that nobody waited for, nor of
   *     how much all processes of a task had together
   * @param node this one
   * @param microjoules what the machine has taken, null where that is not gathered
   */
  synchronized StepConsumption inAll(
      StepUsage counted,
      StepCgroup group,
      String node,
      MemoryWatch watch,
      @Nullable Long microjoules) {
    long user = counted.user().toNanos() / 1000;
    long system = counted.system().toNanos() / 1000;
    if (group.userMicros() + group.systemMicros() > user + system) {
      user = group.userMicros();
      system = group.systemMicros();
    }
    long sampled = used.values().stream().mapToLong(TaskUsage::micros).sum();
    // Which part of it was in the kernel no sample says.
    user += Math.max(0, sampled - user - system);
    return new StepConsumption(
        user,
        system,
        watch.source() == null ? null : tasksInAll(counted, node, watch),
        joules(microjoules));
  }

  private @Nullable TaskSums tasksInAll(StepUsage counted, String node, MemoryWatch watch) {
    TaskSums all = null;
    for (StepUsage.EndedTask task : counted.tasks()) {
      TaskUsage seen = used.getOrDefault(task.rank(), new TaskUsage());
      long resident = watch.measure() == Measure.RESIDENT ? task.maxRssKib() << 10 : 0;
      GpuFigures gpus = seen.mostGpus();
      TaskSums one =
          new TaskSums(
              1,
              most(task.cpuMicros(), seen.micros(), node, task.rank()),
              most(resident, seen.mostMemory(), node, task.rank()),
              Spread.of(seen.mostSpace(), node, task.rank()),
              most(task.pages(), seen.faults(), node, task.rank()),
              most(task.read(), seen.read(), node, task.rank()),
              most(task.written(), seen.written(), node, task.rank()),
              gpus == null ? null : Spread.of(gpus.memoryBytes(), node, task.rank()),
              gpus == null ? null : Spread.of(gpus.percent(), node, task.rank()));
      all = all == null ? one : all.and(one);
    }
    return all;
  }

  private static Spread most(long counted, long seen, String node, int rank) {
    return Spread.of(Math.max(counted, seen), node, rank);
  }

  /** The tasks of those processes that were theirs at the look before. */
  private Map<Integer, Integer> earlier(Map<Integer, ProcessStat> all) {
    Map<Integer, Integer> earlier = new TreeMap<>();
    used.forEach((rank, usage) -> {
      for (ProcessSample process : usage.last()) {
        ProcessStat now = all.get(process.pid());
        if (now != null && now.startTicks() == process.startTicks()) {
          earlier.put(process.pid(), tasks.getOrDefault(rank, 0));
        }
      }
    });
    return earlier;
  }

  private static TaskFigures figures(
      TaskUsage usage, int rank, int local, List<Integer> pids, long megahertz, long joules) {
    return new TaskFigures(
        rank,
        local,
        pids,
        usage.micros(),
        usage.mostMemory(),
        usage.mostSpace(),
        usage.faults(),
        usage.read(),
        usage.written(),
        megahertz,
        usage.mostGpus(),
        joules);
  }

  private static SequencedMap<Integer, Integer> tasksOf(NamedStep named) throws IOException {
    RunningStep step = named.tasks();
    if (step != null && !named.name().equals(Step.BATCH.text())) {
      return StepControl.tasks(step.directory().path());
    }
    SequencedMap<Integer, Integer> script = new LinkedHashMap<>();
    if (step != null) {
      script.put(0, step.scriptPid());
    }
    return script;
  }
}
