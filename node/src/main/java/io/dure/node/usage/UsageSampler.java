package io.dure.node.usage;

import io.dure.host.process.ProcFs;
import io.dure.host.process.ProcessStat;
import io.dure.model.config.step.StepSettings.Measure;
import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.model.step.StepConsumption;
import io.dure.node.cgroup.StepCgroup;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.launch.RunningStep;
import io.dure.node.launch.StepExit;
import io.dure.node.launch.StepUsage;
import io.dure.protocol.step.StepFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Looks at the processes of steps and remembers what they have used, so that neither the peaks
 * between two questions are lost nor what has ended. Nothing is remembered of a step that the
 * daemon has forgotten. Any thread; it blocks on files.
 */
public final class UsageSampler {
  private final Map<Object, StepSamples> known = new WeakHashMap<>();
  private final AtomicBoolean looks = new AtomicBoolean();
  private final StepProfiles profiles;
  private final NodeMeters meters;
  private final Logger log;

  /**
   * Knows no step.
   *
   * @param meters tell what processes and the machine use
   */
  public UsageSampler(NodeMeters meters, Logger log) {
    this.profiles = new StepProfiles(log);
    this.meters = meters;
    this.log = log;
  }

  /** A step begins, or was found running: what its node takes from now on counts. */
  public void begin(RunningStep step, NodeLocalConfig setup) {
    Long now = microjoules(setup);
    if (now != null) {
      usage(step).begin(now);
    }
  }

  private @Nullable Long microjoules(NodeLocalConfig setup) {
    return setup.settings().rules().energySampling() == null
        ? null
        : (Long) meters.energy().microjoules();
  }

  /** Looks at steps and writes their profiles, unless the look before is not over. */
  public void look(List<NamedStep> steps, NodeLocalConfig setup) {
    if (looks.compareAndSet(false, true)) {
      try {
        List<NamedStep> plotted =
            steps.stream().filter(step -> StepProfiles.isWanted(step, setup)).toList();
        ProcessorClocks clocks = plotted.isEmpty() ? ProcessorClocks.UNREAD : ProcessorClocks.now();
        figures(steps, setup, clocks, 0);
        for (NamedStep step : plotted) {
          profiles.add(step, usage(step.identity()).points(), setup);
        }
      } finally {
        looks.set(false);
      }
    }
  }

  /**
   * Looks at steps, and tells what they have used up to now; those without processes, and those
   * that cannot be read, are left out.
   *
   * @param pid of the step that this process belongs to alone, 0 for all
   */
  public List<StepFigures> figures(List<NamedStep> steps, NodeLocalConfig setup, int pid) {
    return figures(steps, setup, ProcessorClocks.now(), pid);
  }

  private List<StepFigures> figures(
      List<NamedStep> steps, NodeLocalConfig setup, ProcessorClocks clocks, int pid) {
    if (steps.isEmpty()) {
      return List.of();
    }
    List<StepFigures> figures = new ArrayList<>();
    MachineLook machine =
        new MachineLook(
            clocks, meters.gpus().look(setup.node().resources().autoDetect()), microjoules(setup));
    Measure measure = setup.settings().steps().memory().measure();
    try {
      Map<Integer, ProcessStat> all = new TreeMap<>();
      for (ProcessStat process : ProcFs.ofThisMachine().processes()) {
        all.put(process.pid(), process);
      }
      for (NamedStep step : steps) {
        StepFigures found = figures(step, all, measure, machine);
        if (found != null && (pid == 0 ? !isEmpty(found) : has(found, pid))) {
          figures.add(found);
        }
      }
    } catch (IOException e) {
      log.error("the processes of steps cannot be read: " + e);
    }
    return figures;
  }

  private @Nullable StepFigures figures(
      NamedStep step, Map<Integer, ProcessStat> all, Measure measure, MachineLook machine) {
    try {
      return usage(step.identity()).look(step, all, measure, machine);
    } catch (IOException e) {
      // A shepherd that is just starting or ending does not listen.
      log.info("step " + step.jobId() + "." + step.name() + " cannot be looked at: " + e);
      return null;
    }
  }

  private StepSamples usage(Object step) {
    synchronized (known) {
      return known.computeIfAbsent(step, _ -> new StepSamples());
    }
  }

  /**
   * What a step has used in all, now that it has ended: what its shepherd has counted, or more
   * where samples or its control group know of more. No samples of it are kept any more.
   */
  public @Nullable StepConsumption ended(
      RunningStep step, StepExit exit, StepCgroup group, NodeLocalConfig setup) {
    StepSamples samples;
    synchronized (known) {
      samples = known.remove(step);
    }
    StepUsage counted = exit.used();
    if (counted == null) {
      return null;
    }
    MemoryWatch watch = setup.settings().steps().memory();
    return (samples == null ? new StepSamples() : samples)
        .inAll(counted, group, setup.nodeName(), watch, microjoules(setup));
  }

  private static boolean isEmpty(StepFigures step) {
    return step.tasks().isEmpty() && step.others().isEmpty();
  }

  private static boolean has(StepFigures step, int pid) {
    return step.others().contains(pid)
        || step.tasks().stream().anyMatch(task -> task.pids().contains(pid));
  }
}
