package io.dure.node.agent;

import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
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
import io.dure.node.noderun.RunTermination;
import io.dure.node.peer.StepEndTree;
import io.dure.node.usage.NamedStep;
import io.dure.protocol.ControllerToNodeMessage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
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
  private final StepSupervisor steps;
  private final StepEventRouter numbered;
  private final MemoryWatchTimer memory = new MemoryWatchTimer();
  private final Consumer<Command.NodeCommand> reports;
  private final InstantSource clock;
  private final InstantSource wall;
  private final Logger log;
  private NodeLocalConfig setup;

  /** What does the work. */
  record Hands(RunActions runs, StepActions steps, StepEndTree ends) {}

  RunSupervisor(
      NodeLocalConfig setup,
      RunSpool store,
      Hands hands,
      Consumer<Command.NodeCommand> reports,
      DaemonClocks clocks,
      Logger log) {
    this.setup = setup;
    this.store = store;
    this.works = hands.runs();
    this.steps = new StepSupervisor(hands.steps(), reports, hands.ends(), clocks.steady(), log);
    this.numbered = new StepEventRouter(steps, hands.ends(), runs::get, this::settle);
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
      entry.worst = null;
      runs.put(each.state().id(), entry);
      // Numbers of processes mean others after a boot, so nothing is looked for then.
      boolean gone =
          !each.sameBoot() && each.state().isStarted() && !works.hasEnded(launching(entry));
      log.info("run " + each.state().id().text() + " found: " + each.state().phase());
      steps.works().adopt(launching(entry));
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
    RunState state = begun(step);
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

  private static RunState begun(RunDecision first) {
    return Objects.requireNonNull(first.next(), "what begins has a state");
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
    steps.revoke(id);
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

  /**
   * Begins the run of a job of which nothing was here before, and none of whose scripts runs here.
   *
   * @throws IOException if it cannot be stored; it is not begun then
   */
  RunEntry host(RunId id, RunSpool.StoredJob job) throws IOException {
    RunDecision begun = RunRules.host(id, setup.policy());
    RunState state = begun(begun);
    RunEntry entry = new RunEntry(state, job, clock.instant());
    store.create(state, job);
    runs.put(id, entry);
    perform(entry, begun.actions());
    return entry;
  }

  /** Lets in the steps and logins of a run that wait, if its prolog is over. */
  void admit(RunEntry entry) {
    if (!(entry.state.phase() instanceof RunPhase.Preparing)) {
      steps.admit(entry, launching(entry));
    }
  }

  /** All runs. */
  Collection<RunEntry> entries() {
    return runs.values();
  }

  /** Their steps. */
  StepSupervisor steps() {
    return steps;
  }

  /** What is told of the numbered steps of runs. */
  StepEventRouter numbered() {
    return numbered;
  }

  /** What waits for the last numbered step of a run goes on once there is none. */
  private void settle(RunEntry entry) {
    if (steps.isLive(entry)) {
      return;
    }
    RunInput held = entry.held;
    if (held != null) {
      entry.held = null;
      entry.killSteps = null;
      apply(entry, held);
    } else if (entry.state.phase() instanceof RunPhase.Hosting
        && entry.state.termination() != null) {
      apply(entry, new RunInput.StepsGone());
    } else if (entry.forgotten) {
      remove(entry);
    }
  }

  /** The script is over before the steps that it left: they end first. */
  private boolean waitsForSteps(RunEntry entry, RunInput input) {
    if (!(input instanceof RunInput.StepEnded) || !steps.isLive(entry)) {
      return false;
    }
    entry.held = input;
    entry.killSteps = clock.instant().plus(setup.settings().jobs().killWait());
    steps.terminate(entry, Effect.TerminationReason.ENDED);
    settle(entry);
    return true;
  }

  /** A shepherd keeps the step. */
  void kept(RunId id, RunningStep step) {
    RunEntry entry = runs.get(id);
    if (entry != null) {
      entry.step = step;
      apply(entry, new RunInput.StepStarted());
    }
  }

  /**
   * Ends all runs but those that the controller knows, and tells again of those.
   *
   * @param asked the runs that the controller was told of; what a front end has begun since then is
   *     newer than its answer
   */
  void reconcile(Set<RunId> known, Set<RunId> asked) {
    for (RunEntry entry : List.copyOf(runs.values())) {
      RunId id = entry.state.id();
      if (known.contains(id) || !asked.contains(id)) {
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
    steps.tell(entry);
  }

  /** All runs, for the registration. */
  List<RunReport> all() {
    List<RunReport> all = new ArrayList<>();
    for (RunEntry entry : runs.values()) {
      all.add(entry.state.report().with(steps.known(entry)));
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
      Instant kill = entry.killSteps;
      if (kill != null && !now.isBefore(kill)) {
        steps.kill(entry);
      }
      steps.tick(entry);
      if (entry.unsaved) {
        save(entry);
      }
      if (!entry.state.isActive() && now.isAfter(entry.told.plus(TELL_AGAIN))) {
        tell(entry);
      }
    }
    if (setup.settings().steps().memory().source() != null) {
      watch(now);
    }
  }

  private void watch(Instant now) {
    boolean all = memory.isDue(now, setup);
    List<NamedStep> running = new ArrayList<>();
    for (RunEntry entry : runs.values()) {
      if (all && entry.step != null && entry.state.isActive()) {
        works.watch(entry, setup);
      }
      running.addAll(entry.running());
    }
    List<NamedStep> due = memory.due(now, all, running);
    if (!due.isEmpty()) {
      steps.works().look(due);
    }
  }

  /** The earliest moment after now at which {@link #tick} has something to do; null for none. */
  @Nullable Instant nextWake() {
    Instant now = clock.instant();
    Instant next = null;
    for (RunEntry entry : runs.values()) {
      next = sooner(next, entry.state.wakeAt(), now);
      next = sooner(next, entry.killSteps, now);
      next = sooner(next, steps.nextWake(entry), now);
    }
    return isBusy() ? sooner(next, memory.next(setup), now) : next;
  }

  private static @Nullable Instant sooner(
      @Nullable Instant next, @Nullable Instant other, Instant now) {
    return other != null && other.isAfter(now) && (next == null || other.isBefore(next))
        ? other
        : next;
  }

  private void apply(RunEntry entry, RunInput input) {
    if (waitsForSteps(entry, input)) {
      return;
    }
    RunDecision step = RunRules.on(entry.state, input, clock.instant(), setup.policy());
    RunState next = step.next();
    if (next != null && !next.equals(entry.state)) {
      entry.state = next;
      entry.told = clock.instant();
      save(entry);
    }
    if (input instanceof RunInput.StepEnded(StepEnd end)) {
      log.info("run " + entry.state.id().text() + " ended: " + end.alone());
    }
    perform(entry, step.actions());
    if (next == null) {
      remove(entry);
    } else if (input instanceof RunInput.Terminate || input instanceof RunInput.Unwanted) {
      settle(entry);
    }
  }

  /** Removes a run, once the ends of its numbered steps are on record. */
  private void remove(RunEntry entry) {
    entry.forgotten = steps.owesEnds(entry);
    if (!entry.forgotten) {
      runs.remove(entry.state.id());
      store.remove(entry.state.id());
      steps.revoke(entry.state.id());
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
      case RunAction.StartStep _ -> {
        works.start(launching(entry));
        steps.admit(entry, launching(entry));
      }
      case RunAction.AdoptStep _ -> works.adopt(launching(entry));
      case RunAction.Announce(Effect.TerminationReason why) ->
          works.write(
              entry,
              setup,
              JobStderrMessages.ending(
                  entry.job.job(), setup.nodeName(), why, wall.instant(), ZoneId.systemDefault()));
      case RunAction.TerminateStep _ -> {
        works.terminate(entry);
        RunTermination ending = entry.state.termination();
        steps.terminate(entry, ending == null ? Effect.TerminationReason.ENDED : ending.why());
      }
      case RunAction.KillStep _ -> {
        works.kill(entry);
        steps.kill(entry);
      }
      case RunAction.AdmitSteps _ -> steps.admit(entry, launching(entry));
      case RunAction.RefuseSteps(String failure) -> steps.refuse(entry, failure);
      case RunAction.SuspendStep _ -> {
        works.suspend(entry);
        steps.suspend(entry);
      }
      case RunAction.ResumeStep _ -> {
        works.resume(entry);
        steps.resume(entry);
      }
      case RunAction.RunEpilog _ ->
          works.epilog(launching(entry), entry.state.phase().scriptEnd(), entry.worst);
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
}
