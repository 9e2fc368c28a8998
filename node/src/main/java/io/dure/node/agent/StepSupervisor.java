package io.dure.node.agent;

import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.StepEnd;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepName;
import io.dure.node.launch.RunningStep;
import io.dure.node.login.ExternStep;
import io.dure.node.login.LoginActions;
import io.dure.node.login.LoginAnswer;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunTermination;
import io.dure.node.peer.StepEndTree;
import io.dure.node.step.StepRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The numbered steps of the runs on this node. A step's directory in the spool is all that is kept
 * of it, from before it starts until its end is on record. The loop's thread alone calls.
 */
final class StepSupervisor {
  private static final int CREDENTIAL_REPLAYED = 1019;

  private static final int SIGTERM = 15;
  private static final int SIGKILL = 9;
  private static final int SIGCONT = 18;
  private static final Duration TELL_AGAIN = Duration.ofSeconds(30);

  /** Longer than a credential is valid, however much clocks differ. */
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  private final StepActions works;
  private final Consumer<Command.NodeCommand> reports;
  private final StepEndTree ends;
  private final InstantSource clock;
  private final Logger log;

  /** What may not be started any more, and until when that has to be remembered. */
  private final TreeMap<String, Instant> spent = new TreeMap<>();

  StepSupervisor(
      StepActions works,
      Consumer<Command.NodeCommand> reports,
      StepEndTree ends,
      InstantSource clock,
      Logger log) {
    this.works = works;
    this.reports = reports;
    this.ends = ends;
    this.clock = clock;
    this.log = log;
  }

  StepActions works() {
    return works;
  }

  /** No step of this run may be started any more. */
  void revoke(RunId id) {
    works.endFiles(id);
    ends.forget(id);
    spent.put(id.text(), clock.instant().plus(REMEMBERED));
  }

  /** Whether that run is known to be over, so that it must not be begun. */
  boolean isRevoked(RunId id) {
    Instant until = spent.get(id.text());
    return until != null && until.isAfter(clock.instant());
  }

  /** Why a step may not be started whatever its run does; null if nothing is against it. */
  boolean mayStart(StepRequest request, RunId id) {
    Instant now = clock.instant();
    spent.values().removeIf(now::isAfter);
    String name = name(id, request.step().number());
    if (spent.containsKey(id.text())) {
      refuseDone(request);
      return false;
    }
    if (spent.containsKey(name)) {
      log.error("step " + name + " was to be started a second time, which was refused");
      works.refuse(request.connection(), CREDENTIAL_REPLAYED, "Job credential replayed");
      return false;
    }
    return true;
  }

  private static String name(RunId id, int step) {
    return id.text() + "." + StepName.text(step);
  }

  /**
   * Takes in a step of a run; {@link #admit} starts it.
   *
   * @param width how many nodes report its end to each
   */
  void add(RunEntry run, StepRequest request, int width) {
    int number = request.step().number();
    ends.begin(run.id(), number, request.step().nodes(), request.share().node(), width);
    spent.put(name(run.id(), number), clock.instant().plus(REMEMBERED));
    StepEntry entry = new StepEntry(number, request);
    entry.waiting = true;
    run.steps.put(number, entry);
  }

  /** Starts the steps that wait for the prolog. */
  void admit(RunEntry run, RunActions.Launch launch) {
    for (StepEntry entry : List.copyOf(run.steps.values())) {
      StepRequest request = entry.request;
      if (entry.waiting && request != null) {
        entry.waiting = false;
        works.start(launch, request);
      }
    }
    admitLogins(run, launch);
  }

  /** Lets in the logins that wait for the prolog. */
  private void admitLogins(RunEntry run, RunActions.Launch launch) {
    if (!run.logins.isEmpty()) {
      LoginActions hands = works.logins();
      LoginActions.Host host =
          new LoginActions.Host(launch.job().job(), launch.setup(), launch.directory());
      ExternStep step = run.extern == null ? hands.step(host) : run.extern;
      run.extern = step;
      run.logins.forEach(login -> hands.join(host, step, login));
      run.logins.clear();
    }
  }

  /** They are told that they cannot be. */
  void turnAway(RunEntry run, LoginAnswer answer) {
    run.logins.forEach(login -> works.logins().answer(login, answer));
    run.logins.clear();
  }

  /** An earlier daemon has let logins in. */
  void loginsFound(RunEntry run, ExternStep step) {
    run.extern = step;
    if (run.state.termination() != null) {
      works.logins().end(run.id(), step);
    }
  }

  /** The prolog has failed. */
  void refuse(RunEntry run, String failure) {
    turnAway(run, new LoginAnswer.Failed(run.id().jobId(), failure));
    for (StepEntry entry : List.copyOf(run.steps.values())) {
      StepRequest request = entry.request;
      if (entry.waiting && request != null) {
        works.refuse(request.connection(), 0, failure);
        over(run, entry.number, new StepEnd.PrologFailed(failure));
      }
    }
  }

  /** A shepherd keeps a step, which a daemon may have started before this one. */
  void kept(RunEntry run, int number, RunningStep running) {
    StepEntry entry = run.steps.computeIfAbsent(number, missing -> new StepEntry(missing, null));
    entry.running = running;
    RunTermination termination = run.state.termination();
    if (termination != null) {
      end(run.id(), entry, termination.why(), signals(termination.why()));
    }
  }

  /** A step has ended. */
  void over(RunEntry run, int number, StepEnd end) {
    StepEntry entry = run.steps.get(number);
    if (entry != null && entry.end == null) {
      entry.waiting = false;
      entry.end = end;
      ExitStatus worst = run.worst;
      if (worst != null && end instanceof StepEnd.Ran(ExitStatus exit, _, _)) {
        run.worst = LaunchedStep.worse(worst, exit);
      }
      log.info("step " + name(run.id(), number) + " ended: " + end.alone());
      if (ends.ended(run.id(), number, end)) {
        entry.told = clock.instant();
      } else {
        tell(run, entry);
      }
    }
  }

  /** Tells of all ends that are not on record. */
  void tell(RunEntry run) {
    run.steps.values().forEach(entry -> tell(run, entry));
  }

  private void tell(RunEntry run, StepEntry entry) {
    StepEnd end = entry.end;
    if (end != null) {
      entry.told = clock.instant();
      RunId id = run.id();
      reports.accept(new Command.StepPartEnded(id.jobId(), id.run(), entry.number, end));
    }
  }

  /** The end of a step is on record. */
  void forget(RunEntry run, int number) {
    StepEntry entry = run.steps.get(number);
    if (entry != null && entry.end != null) {
      run.steps.remove(number);
      RunningStep running = entry.running;
      if (running != null) {
        works.forget(running.directory().path());
      }
    }
  }

  /** The steps of a run that have not ended, or whose end is not on record. */
  List<Integer> known(RunEntry run) {
    return List.copyOf(run.steps.keySet());
  }

  /** Whether a numbered step has ended, and its end is not on record. */
  boolean owesEnds(RunEntry run) {
    return run.steps.values().stream().anyMatch(entry -> entry.end != null);
  }

  /** Whether a process of a numbered step or of a login may be here. */
  boolean isLive(RunEntry run) {
    return run.extern != null || run.steps.values().stream().anyMatch(entry -> entry.end == null);
  }

  /** What a step is sent first when its run is ended. */
  private static List<Integer> signals(Effect.TerminationReason why) {
    return why == Effect.TerminationReason.RESIZED ? List.of(SIGKILL) : List.of(SIGCONT, SIGTERM);
  }

  /** The end of all steps and logins; those that wait are not started. */
  void terminate(RunEntry run, Effect.TerminationReason why) {
    turnAway(run, new LoginAnswer.NoJobs());
    works.endFiles(run.id());
    if (run.extern != null) {
      works.logins().end(run.id(), run.extern);
    }
    for (StepEntry entry : List.copyOf(run.steps.values())) {
      StepRequest request = entry.request;
      if (entry.waiting && request != null) {
        refuseDone(request);
        over(run, entry.number, new StepEnd.NotStarted("ended before it was started"));
      } else {
        end(run.id(), entry, why, signals(why));
      }
    }
  }

  private void end(RunId id, StepEntry entry, Effect.TerminationReason why, List<Integer> signals) {
    RunningStep running = entry.running;
    if (running != null && entry.end == null) {
      works.end(running, id.jobId() + "." + StepName.text(entry.number), why, signals);
    }
  }

  /** Tells a front end that its job or step is over already. */
  void refuseDone(StepRequest request) {
    ErrorCode done = ErrorCode.ALREADY_DONE;
    works.refuse(request.connection(), done.number(), done.text());
  }

  /**
   * Ends one step; one that is not known here is never started, which is told as its end. Of a run
   * that is over all ends are on record, and an order for it is late; so is one that the controller
   * gives because it has the end already.
   */
  void terminate(
      RunId id,
      @Nullable RunEntry run,
      int number,
      Effect.TerminationReason why,
      Duration killWait) {
    StepEntry entry = run == null ? null : run.steps.get(number);
    if (run == null && isRevoked(id)) {
      log.info("step " + name(id, number) + " is not ended: its run is over");
    } else if (run == null || entry == null) {
      spent.put(name(id, number), clock.instant().plus(REMEMBERED));
      if (why != Effect.TerminationReason.ENDED) {
        reports.accept(
            new Command.StepPartEnded(
                id.jobId(), id.run(), number, new StepEnd.NotStarted("it was not launched")));
      }
    } else if (entry.end != null) {
      tell(run, entry);
    } else if (entry.waiting) {
      StepRequest request = entry.request;
      if (request != null) {
        refuseDone(request);
      }
      over(run, number, new StepEnd.NotStarted("ended before it was started"));
    } else if (entry.killAt == null && why == Effect.TerminationReason.CANCELLED) {
      // As Slurm does; a job that is cancelled is asked first.
      entry.killAt = clock.instant().plusSeconds(1);
      end(id, entry, why, List.of(SIGKILL));
    } else if (entry.killAt == null) {
      entry.killAt = clock.instant().plus(killWait);
      end(id, entry, why, List.of(SIGCONT, SIGTERM));
    }
  }

  /** A signal to one step. */
  void signal(RunEntry run, int number, int signal) {
    StepEntry entry = run.steps.get(number);
    if (entry != null) {
      signal(entry, signal);
    }
  }

  /** SIGKILL to all steps and logins. */
  void kill(RunEntry run) {
    if (run.extern != null) {
      run.extern.kill();
    }
    run.steps.values().forEach(entry -> signal(entry, SIGKILL));
  }

  /** Has all steps and logins stand still. */
  void suspend(RunEntry run) {
    if (run.extern != null) {
      works.logins().suspend(run.id(), run.extern);
    }
    for (StepEntry entry : run.steps.values()) {
      RunningStep running = entry.running;
      if (running != null && entry.end == null) {
        works.suspend(run.id(), running);
      }
    }
  }

  /** Has them go on. */
  void resume(RunEntry run) {
    if (run.extern != null) {
      works.logins().resume(run.extern);
    }
    signal(run, SIGCONT);
  }

  /** A signal to all steps. */
  void signal(RunEntry run, int signal) {
    run.steps.values().forEach(entry -> signal(entry, signal));
  }

  private void signal(StepEntry entry, int signal) {
    RunningStep running = entry.running;
    if (running != null && entry.end == null) {
      works.signal(running, signal);
    }
  }

  /** Time has passed: ends that nobody confirmed are told again. */
  void tick(RunEntry run) {
    Instant now = clock.instant();
    for (StepEntry entry : run.steps.values()) {
      if (entry.end != null && now.isAfter(entry.told.plus(TELL_AGAIN))) {
        tell(run, entry);
      }
      Instant kill = entry.killAt;
      if (kill != null && entry.end == null && !now.isBefore(kill)) {
        signal(entry, SIGKILL);
        entry.killAt = now.plusSeconds(1);
      }
    }
  }

  /** When a lost report is due again, null for never. */
  @Nullable Instant nextWake(RunEntry run) {
    Instant next = null;
    for (StepEntry entry : run.steps.values()) {
      Instant again = entry.end == null ? entry.killAt : entry.told.plus(TELL_AGAIN);
      if (again != null && (next == null || again.isBefore(next))) {
        next = again;
      }
    }
    return next;
  }
}
