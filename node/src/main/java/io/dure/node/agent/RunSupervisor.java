package io.dure.node.agent;

import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.JobTexts;
import io.dure.node.job.JobStderrMessages;
import io.dure.node.job.NodeFaultException;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.launch.RunningStep;
import io.dure.node.noderun.RunAction;
import io.dure.node.noderun.RunDecision;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunInput;
import io.dure.node.noderun.RunPhase;
import io.dure.node.noderun.RunPolicy;
import io.dure.node.noderun.RunRules;
import io.dure.node.noderun.RunState;
import io.dure.protocol.ControllerToNodeMessage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The runs of jobs on this node: asks {@link RunRules} what becomes of each, stores it, and has it
 * done. The loop's thread alone calls.
 */
final class RunSupervisor {
  private static final Duration TELL_AGAIN = Duration.ofSeconds(30);

  private final TreeMap<RunId, RunEntry> runs = new TreeMap<>();
  private final RunSpool store;
  private final RunActions works;
  private final Consumer<Command.NodeCommand> reports;
  private final InstantSource clock;
  private final InstantSource wall;
  private final Logger log;
  private NodeLocalConfig setup;

  /** When the memory of steps was last looked at. */
  private Instant watched = Instant.EPOCH;

  RunSupervisor(
      NodeLocalConfig setup,
      RunSpool store,
      RunActions works,
      Consumer<Command.NodeCommand> reports,
      DaemonClocks clocks,
      Logger log) {
    this.setup = setup;
    this.store = store;
    this.works = works;
    this.reports = reports;
    this.clock = clocks.steady();
    this.wall = clocks.wall();
    this.log = log;
  }

  void configure(NodeLocalConfig next) {
    setup = next;
  }

  NodeLocalConfig setup() {
    return setup;
  }

  /** Takes up what an earlier daemon left in the spool. */
  void restore(List<RunSpool.Found> found) {
    TreeSet<Long> jobs = new TreeSet<>();
    found.forEach(each -> jobs.add((long) each.state().id().jobId()));
    works.sweep(jobs);
    for (RunSpool.Found each : found) {
      RunEntry entry = new RunEntry(each.state(), each.job(), clock.instant());
      runs.put(each.state().id(), entry);
      // Numbers of processes mean others after a boot, so nothing is looked for then.
      boolean gone =
          !each.sameBoot() && each.state().isStarted() && !works.hasEnded(launching(entry));
      log.info("run " + each.state().id().text() + " found: " + each.state().phase());
      apply(
          entry,
          gone
              ? new RunInput.StepEnded(new StepEnd.Lost("the machine was booted"))
              : new RunInput.Restored());
    }
  }

  void launch(ControllerToNodeMessage.Launch launch) {
    Job job = launch.job();
    RunId id = new RunId(job.id(), job.run());
    RunEntry known = runs.get(id);
    if (known != null) {
      apply(known, new RunInput.LaunchedAgain());
      return;
    }
    String refusal = refusal(job);
    if (refusal == null) {
      begin(id, launch);
    } else {
      refuse(id, new StepEnd.NotStarted(refusal));
    }
  }

  private void begin(RunId id, ControllerToNodeMessage.Launch launch) {
    RunDecision step = RunRules.launch(id, setup.policy());
    RunState state = step.next();
    if (state == null) {
      throw new IllegalStateException("a launch begins a run");
    }
    RunSpool.StoredJob job =
        new RunSpool.StoredJob(
            launch.job(), launch.clusterName(), launch.texts(), launch.components());
    RunEntry entry = new RunEntry(state, job, clock.instant());
    try {
      store.create(state, entry.job);
    } catch (IOException e) {
      refuse(id, new StepEnd.NodeFault("SlurmdSpoolDir: " + NodeFaultException.text(e)));
      return;
    }
    runs.put(id, entry);
    log.info("launching run " + id.text() + " of user " + launch.job().owner().userName());
    perform(entry, step.actions());
  }

  private @Nullable String refusal(Job job) {
    JobState.Running running = job.state().runningOrSuspended();
    if (running == null) {
      return "the job is not running";
    }
    Allocation allocation = running.allocation();
    return allocation.shareOn(setup.nodeName()) == null
        ? "the job holds nothing on " + setup.nodeName()
        : null;
  }

  private void refuse(RunId id, StepEnd end) {
    log.error("run " + id.text() + " not started: " + end);
    reports.accept(new Command.StepEnded(id.jobId(), id.run(), end, true));
  }

  void terminate(RunId id, @Nullable Job job, Effect.TerminationReason why, Duration killWait) {
    RunEntry known = runs.get(id);
    if (known != null) {
      log.info("ending run " + id.text() + ": " + why);
      apply(known, new RunInput.Terminate(why, killWait));
      return;
    }
    // An epilog without a job to tell it of would do harm: there is none then.
    RunPolicy policy = job == null ? setup.policy().withoutEpilog() : setup.policy();
    RunDecision step = RunRules.terminateUnknown(id, policy);
    RunState state = step.next();
    String cluster = setup.settings().controller().clusterName();
    if (state == null || job == null) {
      step.actions().forEach(this::report);
      return;
    }
    RunSpool.StoredJob stored = new RunSpool.StoredJob(job, cluster, JobTexts.NONE, List.of());
    RunEntry entry = new RunEntry(state, stored, clock.instant());
    try {
      store.create(state, stored);
    } catch (IOException e) {
      // The epilog is owed all the same; a restart before its end would run it again.
      log.error("run " + id.text() + " cannot be stored: " + e);
      entry.unsaved = true;
    }
    runs.put(id, entry);
    perform(entry, step.actions());
  }

  private void report(RunAction action) {
    if (action instanceof RunAction.Report(Command.NodeCommand command)) {
      reports.accept(command);
    }
  }

  /** The run of that id, null if there is none. */
  @Nullable RunEntry find(RunId id) {
    return runs.get(id);
  }

  /** Something happened to a run; nothing if it is gone. */
  void happened(RunId id, RunInput input) {
    RunEntry entry = runs.get(id);
    if (entry != null) {
      apply(entry, input);
    }
  }

  /** A shepherd keeps the step. */
  void kept(RunId id, RunningStep step) {
    RunEntry entry = runs.get(id);
    if (entry != null) {
      entry.step = step;
      apply(entry, new RunInput.StepStarted());
    }
  }

  /** Ends all runs but these, which alone the controller knows; tells again of these. */
  void reconcile(Set<RunId> known) {
    for (RunEntry entry : List.copyOf(runs.values())) {
      RunId id = entry.state.id();
      if (known.contains(id)) {
        tell(entry);
      } else {
        log.info("run " + id.text() + " is unknown to the controller");
        apply(entry, new RunInput.Unwanted(setup.settings().jobs().killWait()));
      }
    }
  }

  private void tell(RunEntry entry) {
    entry.told = clock.instant();
    entry.state.news().forEach(reports);
  }

  /** All runs, for the registration. */
  List<RunReport> all() {
    List<RunReport> all = new ArrayList<>();
    for (RunEntry entry : runs.values()) {
      all.add(entry.state.report());
    }
    return all;
  }

  /** Whether any process of a job may be here. */
  boolean isBusy() {
    return runs.values().stream().anyMatch(entry -> entry.state.isActive());
  }

  /** Time has passed: KillWait is over, the disk may have room again, news were not answered. */
  void tick() {
    Instant now = clock.instant();
    for (RunEntry entry : List.copyOf(runs.values())) {
      Instant wake = entry.state.wakeAt();
      if (wake != null && !now.isBefore(wake)) {
        apply(entry, new RunInput.Tick());
      }
      if (entry.unsaved) {
        save(entry);
      }
      if (!entry.state.isActive() && now.isAfter(entry.told.plus(TELL_AGAIN))) {
        tell(entry);
      }
    }
    watchMemory(now);
  }

  private void watchMemory(Instant now) {
    MemoryWatch watch = setup.settings().steps().memory();
    if (watch.isOn() && !now.isBefore(watched.plus(watch.every()))) {
      watched = now;
      for (RunEntry entry : runs.values()) {
        if (entry.step != null && entry.state.isActive()) {
          works.watch(entry, setup);
        }
      }
    }
  }

  /** The earliest moment after now at which {@link #tick} has something to do; null for none. */
  @Nullable Instant nextWake() {
    Instant now = clock.instant();
    Instant next = null;
    for (RunEntry entry : runs.values()) {
      Instant wake = entry.state.wakeAt();
      if (wake != null && wake.isAfter(now) && (next == null || wake.isBefore(next))) {
        next = wake;
      }
    }
    MemoryWatch watch = setup.settings().steps().memory();
    Instant look = watched.plus(watch.every());
    boolean looks = watch.isOn() && isBusy() && look.isAfter(now);
    return looks && (next == null || look.isBefore(next)) ? look : next;
  }

  private void apply(RunEntry entry, RunInput input) {
    RunDecision step = RunRules.on(entry.state, input, clock.instant(), setup.policy());
    RunState next = step.next();
    if (next != null && !next.equals(entry.state)) {
      entry.state = next;
      entry.told = clock.instant();
      save(entry);
    }
    if (input instanceof RunInput.StepEnded(StepEnd end)) {
      log.info("run " + entry.state.id().text() + " ended: " + end);
    }
    perform(entry, step.actions());
    if (next == null) {
      runs.remove(entry.state.id());
      store.remove(entry.state.id());
    }
  }

  private void save(RunEntry entry) {
    try {
      store.save(entry.state);
      entry.unsaved = false;
    } catch (IOException e) {
      // The older state leads to the same end: the shepherd's exit record counts, not this one.
      log.error("state of run " + entry.state.id().text() + " cannot be stored: " + e);
      entry.unsaved = true;
    }
  }

  private void perform(RunEntry entry, List<RunAction> actions) {
    for (RunAction action : actions) {
      perform(entry, action);
    }
  }

  private void perform(RunEntry entry, RunAction action) {
    switch (action) {
      case RunAction.RunProlog _ -> entry.prolog = works.prolog(launching(entry));
      case RunAction.KillProlog _ -> {
        Runnable prolog = entry.prolog;
        if (prolog != null) {
          prolog.run();
        }
      }
      case RunAction.StartStep _ -> works.start(launching(entry));
      case RunAction.AdoptStep _ -> works.adopt(launching(entry));
      case RunAction.Announce(Effect.TerminationReason why) ->
          works.write(
              entry,
              setup,
              JobStderrMessages.ending(
                  entry.job.job(), setup.nodeName(), why, wall.instant(), ZoneId.systemDefault()));
      case RunAction.TerminateStep _ -> works.terminate(entry);
      case RunAction.KillStep _ -> works.kill(entry);
      case RunAction.SuspendStep _ -> works.suspend(entry);
      case RunAction.ResumeStep _ -> works.resume(entry);
      case RunAction.RunEpilog _ -> works.epilog(launching(entry), end(entry.state.phase()));
      case RunAction.Report(Command.NodeCommand command) -> {
        reports.accept(command);
        if (command instanceof Command.NodeUnfit) {
          works.unkillable(launching(entry));
        }
      }
    }
  }

  private RunActions.Launch launching(RunEntry entry) {
    RunId id = entry.state.id();
    return new RunActions.Launch(id, entry.job, setup, store.directory(id));
  }

  private static @Nullable StepEnd end(RunPhase phase) {
    return switch (phase) {
      case RunPhase.Preparing _, RunPhase.Starting _, RunPhase.Running _ -> null;
      case RunPhase.Ended(StepEnd end) -> end;
      case RunPhase.Cleaned(StepEnd end, _) -> end;
    };
  }
}
