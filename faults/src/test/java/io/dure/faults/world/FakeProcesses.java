package io.dure.faults.world;

import io.dure.model.ExitStatus;
import io.dure.model.command.StepEnd;
import io.dure.node.agent.RunActions;
import io.dure.node.agent.RunEntry;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.launch.SignalScope;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunInput;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The work of one node daemon in one of its lives, on the processes of its machine: scripts say in
 * their text how long they run and how they end.
 */
final class FakeProcesses implements RunActions {
  private static final int SIGTERM = 15;
  private static final int SIGKILL = 9;

  private final SimulatedNodeHost machine;
  private final int life;
  private final TreeSet<RunId> adopted = new TreeSet<>();

  FakeProcesses(SimulatedNodeHost machine, int life) {
    this.machine = machine;
    this.life = life;
  }

  private Map<RunId, SimulatedStep> steps() {
    return machine.steps;
  }

  private void tell(RunId id, RunInput input) {
    machine.happened(life, id, input);
  }

  private void after(long micros, RunId id, RunInput input) {
    machine.world.time.after(micros, "labour", () -> tell(id, input));
  }

  private long little() {
    return 1000L + machine.random.nextInt(50_000);
  }

  @Override
  public Runnable prolog(Launch launch) {
    after(little(), launch.id(), new RunInput.PrologEnded(null));
    return () -> {};
  }

  @Override
  public void epilog(Launch launch, @Nullable StepEnd end, @Nullable ExitStatus worst) {
    after(little(), launch.id(), new RunInput.EpilogEnded(null));
  }

  @Override
  public void start(Launch launch) {
    RunId id = launch.id();
    if (steps().containsKey(id)) {
      adopt(launch);
      return;
    }
    int boot = machine.boots();
    machine.world.time.after(
        little(),
        "step",
        () -> {
          // A shepherd outlives its daemon, or the daemon died before it had made one.
          boolean made = life == machine.life() || machine.random.nextBoolean();
          if (boot != machine.boots() || !made) {
            return;
          }
          if (!steps().containsKey(id)) {
            begin(launch);
          }
          adopt(launch);
        });
  }

  private void begin(Launch launch) {
    String[] words = launch.job().texts().script().split(" ", -1);
    RunId id = launch.id();
    SimulatedStep step =
        new SimulatedStep(id, Boolean.parseBoolean(words[2]), machine.world.time.micros());
    steps().put(id, step);
    machine.world.witness.began(machine.name(), id);
    StepEnd end = new StepEnd.Ran(new ExitStatus(Integer.parseInt(words[1]), 0), false);
    machine.end(step, Long.parseLong(words[0]) * 1_000_000, end);
    step.calls = machine.world.clients.script(launch.job().job(), words);
  }

  @Override
  public boolean hasEnded(Launch launch) {
    SimulatedStep step = steps().get(launch.id());
    return step != null && !step.lives();
  }

  @Override
  public void adopt(Launch launch) {
    RunId id = launch.id();
    SimulatedStep step = steps().get(id);
    if (step == null) {
      tell(id, new RunInput.StepEnded(new StepEnd.Lost("its directory is gone")));
      return;
    }
    adopted.add(id);
    tell(id, new RunInput.StepStarted());
    if (!step.lives()) {
      ended(step);
    }
  }

  /** A step of the machine has ended. */
  void ended(SimulatedStep step) {
    StepEnd end = step.end;
    if (adopted.contains(step.id) && end != null) {
      tell(step.id, new RunInput.StepEnded(end));
    }
  }

  @Override
  public void write(RunEntry entry, NodeLocalConfig setup, String line) {}

  @Override
  public void unkillable(Launch launch) {} // no cluster here has such a program

  @Override
  public void watch(RunEntry entry, NodeLocalConfig setup) {} // nor watches memory

  @Override
  public void terminate(RunEntry entry) {
    SimulatedStep step = steps().get(entry.id());
    if (step != null && step.lives()) {
      step.dying = true;
      if (!step.stubborn) {
        machine.end(step, little() * 20, new StepEnd.Ran(new ExitStatus(0, SIGTERM), false));
      }
    }
  }

  @Override
  public void kill(RunEntry entry) {
    SimulatedStep step = steps().get(entry.id());
    if (step != null && step.lives()) {
      step.dying = true;
      machine.end(step, little(), new StepEnd.Ran(new ExitStatus(0, SIGKILL), false));
    }
  }

  @Override
  public void suspend(RunEntry entry) {
    SimulatedStep step = steps().get(entry.id());
    if (step != null) {
      step.stopped = true;
    }
  }

  @Override
  public void resume(RunEntry entry) {
    SimulatedStep step = steps().get(entry.id());
    StepEnd due = step == null ? null : step.due;
    if (step != null) {
      step.stopped = false;
      step.due = null;
      if (due != null) {
        machine.end(step, little(), due);
      }
    }
  }

  @Override
  public void signal(RunEntry entry, int signal, SignalScope scope) {
    if (signal == SIGKILL) {
      kill(entry);
    }
  }

  /** Its control groups show a daemon what runs of jobs that its spool does not know. */
  @Override
  public void sweep(Set<Long> known) {
    for (SimulatedStep step : steps().values()) {
      if (step.lives() && !known.contains((long) step.id.jobId())) {
        step.ends(new StepEnd.Lost("swept"));
      }
    }
    machine.parts.sweep(known);
  }

  @Override
  public void killUnreadableRun(Path runDirectory) {}
}
