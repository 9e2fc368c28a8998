package io.dure.node.job;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.GresRequest;
import io.dure.node.binding.BoundTasks;
import io.dure.node.binding.CpuBinding;
import io.dure.node.binding.GpuBinding;
import io.dure.node.binding.MemoryBinding;
import io.dure.node.binding.MemoryDomains;
import io.dure.node.binding.StepCpus;
import io.dure.node.cgroup.CoreToCpuMap;
import io.dure.node.launch.JobEnvironment;
import io.dure.node.launch.TaskGroup;
import io.dure.node.step.StepRequest;
import io.dure.protocol.step.TaskBinding;
import java.util.ArrayList;
import java.util.List;

/** What each task of a step on this node has for itself. */
final class TaskBindings {
  private final StepRequest request;
  private final NodeLocalConfig setup;
  private final CoreToCpuMap map;
  private final TaskBinding asked;
  private final List<List<Integer>> domains = MemoryDomains.ofThisMachine();

  /** A node that binds tasks, or not. */
  TaskBindings(StepRequest request, NodeLocalConfig setup, CoreToCpuMap map) {
    this.request = request;
    this.setup = setup;
    this.map = map;
    this.asked = request.order().binding();
  }

  /**
   * What came of it.
   *
   * @param own that of each task, in their order
   * @param variables what all of them are told, {@code NAME=VALUE} each
   */
  record Bound(List<TaskGroup.TaskOwn> own, List<String> variables) {}

  /**
   * Binds the tasks.
   *
   * @param binds whether the node binds tasks to CPUs
   * @throws JobRefusedException if tasks are to be bound to what the step does not have
   */
  Bound tasks(boolean binds) throws JobRefusedException {
    int tasks = request.share().ranks().size();
    StepCpus cpus =
        StepCpus.of(
            request.share().cores(),
            setup.node().shape().coresPerSocket(),
            map::threads,
            asked.threadsPerCore());
    CpuBinding bound = binds ? bound(cpus) : null;
    List<Integer> gpus = JobRecordReader.gpus(request.share().gres());
    GpuBinding devices =
        GpuBinding.of(
            gpuBind(),
            gpus,
            tasks,
            task -> near(gpus, bound == null ? List.of() : bound.cpus().get(task)),
            setup.settings().steps().constrainsDevices());
    List<TaskGroup.TaskOwn> own = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      List<Integer> visible = devices.visible().get(task);
      List<String> variables = new ArrayList<>();
      if (!visible.equals(gpus)) {
        String list = JobRecordReader.visible(visible, gpus, setup);
        JobEnvironment.VISIBLE.forEach(name -> variables.add(name + "=" + list));
        variables.add("SLURM_STEP_GPUS=" + GpuBinding.text(visible));
      }
      List<String> notes = new ArrayList<>(devices.notes().get(task));
      MemoryBinding memory = null;
      if (bound != null) {
        memory = MemoryBinding.of(asked.memory(), task, bound.cpus().get(task), domains);
        notes.addAll(notes(bound, memory, task));
      }
      own.add(
          new TaskGroup.TaskOwn(
              variables,
              bound == null ? List.of() : bound.cpus().get(task),
              memory == null || memory.domains().isEmpty()
                  ? null
                  : new TaskGroup.TaskMemory(memory.prefers(), memory.domains()),
              notes,
              memory != null && memory.failure() != null));
    }
    return new Bound(own, bound == null ? List.of() : bound.variables(asked.cpu().verbose()));
  }

  private List<String> notes(CpuBinding bound, MemoryBinding memory, int task) {
    List<String> notes = new ArrayList<>();
    int rank = request.share().ranks().get(task);
    if (asked.cpu().verbose()) {
      notes.add(bound.note(setup.nodeName(), rank, task));
    }
    if (asked.memory().verbose()) {
      notes.add(memory.note(setup.nodeName(), rank, task, domains.size()));
    }
    if (memory.failure() != null) {
      notes.add(memory.failure());
    }
    return notes;
  }

  private CpuBinding bound(StepCpus cpus) throws JobRefusedException {
    TaskBinding.Choice choice = asked.cpu();
    int count = request.share().ranks().size();
    if (map.isEmulated() && choice.type().isEmpty()) {
      return CpuBinding.none(count); // nodes of one machine would crowd on its first CPUs
    }
    int each = Math.max(1, request.step().spec().cpusPerTask());
    String usual = setup.settings().resources().fillsSockets() ? "block" : "cyclic";
    BoundTasks tasks =
        new BoundTasks(
            count,
            each,
            asked.sockets().isEmpty() ? usual : asked.sockets(),
            asked.tasksPerCore(),
            asked.tasksPerSocket(),
            setup.settings().steps().autoBind());
    try {
      return CpuBinding.of(choice, cpus, tasks, domains);
    } catch (CpuBinding.UnsatisfiableException e) {
      throw new JobRefusedException("Unable to satisfy cpu bind request: " + e.getMessage());
    }
  }

  /** What was asked for, or what follows from a number of GPUs for each task or the reverse. */
  private String gpuBind() {
    String text = asked.gpus();
    GresRequest gres = request.step().spec().gres();
    if (!text.isEmpty() || gres == null) {
      return text;
    }
    long each = GresRequest.gpus(gres.perTask());
    if (each > 0) {
      return "per_task:" + each;
    }
    return gres.tasksPerGpu() == null ? "" : "single:" + gres.tasksPerGpu();
  }

  /**
   * Those of the GPUs that are near to one of a task's CPUs; all where none is.
   *
   * @param cpus CPUs of the machine, none for all that the step has
   */
  private List<Integer> near(List<Integer> gpus, List<Integer> cpus) {
    List<Integer> near = new ArrayList<>();
    List<Integer> cores = new ArrayList<>();
    for (int core : request.share().cores()) {
      if (cpus.isEmpty() || map.threads(core).stream().anyMatch(cpus::contains)) {
        cores.add(core);
      }
    }
    for (GresDevice device : setup.node().resources().devices()) {
      boolean close = device.cores().isEmpty() || device.cores().stream().anyMatch(cores::contains);
      if (device.name().equals(GresCount.GPU) && gpus.contains(device.index()) && close) {
        near.add(device.index());
      }
    }
    return near.isEmpty() ? gpus : near;
  }
}
