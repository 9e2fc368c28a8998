package io.dure.controller;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.TextStorage;
import io.dure.cluster.UnreadableTextException;
import io.dure.controller.accounting.AccountsFollower;
import io.dure.controller.accounting.ClusterAccounting;
import io.dure.controller.accounting.RunawayJobs;
import io.dure.controller.accounting.RunawayTeller;
import io.dure.controller.accounting.SlurmdbdClient;
import io.dure.controller.accounting.UsageExchange;
import io.dure.controller.completion.CompletionDelivery;
import io.dure.controller.hook.JobSubmitHook;
import io.dure.controller.loop.DecisionListener;
import io.dure.controller.loop.EventFollower;
import io.dure.controller.loop.EventStore;
import io.dure.controller.loop.LatestValue;
import io.dure.controller.loop.PassPacing;
import io.dure.controller.loop.ReplyListener;
import io.dure.controller.loop.RetryingSubmitter;
import io.dure.controller.loop.SchedulerLoop;
import io.dure.controller.loop.StateLoop;
import io.dure.controller.loop.TextFiles;
import io.dure.controller.node.NodeLinks;
import io.dure.controller.node.NodeSession;
import io.dure.controller.script.ControllerScriptRunner;
import io.dure.controller.script.OwnPrograms;
import io.dure.controller.script.SchedulerLog;
import io.dure.controller.server.RequestHandler;
import io.dure.controller.service.CallerDirectory;
import io.dure.controller.service.ControllerAdmin;
import io.dure.controller.service.JobChangeCounter;
import io.dure.controller.service.ServiceContext;
import io.dure.controller.service.Services;
import io.dure.controller.service.StateWaiters;
import io.dure.controller.statistics.ControllerStatistics;
import io.dure.controller.statistics.EventTrace;
import io.dure.controller.statistics.SchedulerPassResult;
import io.dure.controller.view.PendingVerdicts;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.CredentialSigner;
import io.dure.insight.worker.ForecastLoop;
import io.dure.insight.worker.ForecastWorkerMain;
import io.dure.insight.worker.ForecastWorkerProcess;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What only the controller that leads does: decide, schedule, answer, keep the node daemons. One
 * begins with a state and ends when another controller takes over or the program ends.
 */
final class LeaderServices implements AutoCloseable {
  private static final RetryingSubmitter.RetryDelays RETRY =
      new RetryingSubmitter.RetryDelays(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private final Logger log;
  private final CountDownLatch over = new CountDownLatch(1);
  private final NodeLinks nodes = new NodeLinks();
  private final StateWaiters waiters = new StateWaiters();
  private final CredentialSigner signer = CredentialSigner.generate();
  private final Planner planner = new Planner();
  private final StateLoop loop;
  private final ControllerScriptRunner scripts;
  private final OwnPrograms own;

  /** Follows the accounts that slurmdbd keeps, null where the cluster keeps them itself. */
  private final @Nullable AccountsFollower following;

  private final @Nullable UsageExchange usage;

  private final @Nullable RunawayTeller runaways;

  /** Records ended jobs, null where this controller was started without JobCompType and books. */
  private final @Nullable CompletionDelivery completions;

  private final SchedulerLog schedulerLog;
  private final SchedulerLoop ticker;
  private final ForecastLoop forecasts;
  private final LatestValue<PendingVerdicts> verdicts = new LatestValue<>(PendingVerdicts.NONE);
  private final LatestValue<ClusterState> last;
  private final JobChangeCounter changes;
  private final RequestHandler handler;
  private final NodeSession.SessionServices sessions;
  private final Consumer<Throwable> stopped;
  private final ControllerStatistics statistics;
  private final EventTrace trace;
  private final EventFollower follower;

  /** Of the scheduler's thread. */
  private Planner.Memory memory = Planner.Memory.none();

  /**
   * What it stands on.
   *
   * @param stateDirectory where the programs of jobs leave their traces
   * @param since when the controller began, which listings tell
   * @param follower gets the events that are decided
   * @param recorded the records for the accounting database and JobCompType, null for none
   * @param hook judges submissions where the configuration says so, null where it never does
   * @param stopped told of a bug after which nothing is decided any more
   */
  record Ground(
      Path stateDirectory,
      CallerDirectory callers,
      ControllerAdmin administration,
      ClusterKey key,
      InstantSource clock,
      Instant since,
      Logger log,
      EventFollower follower,
      @Nullable ClusterAccounting recorded,
      Consumer<Throwable> stopped,
      @Nullable JobSubmitHook hook) {
    private static final String TEXTS = "texts";

    /** Opens the place of long scripts and environments; the state directory is locked. */
    TextStorage texts() {
      return TextFiles.open(stateDirectory.resolve(TEXTS), log);
    }
  }

  /** Lets nothing happen yet. */
  LeaderServices(Ground ground, ClusterState recovered, EventStore store) throws IOException {
    log = ground.log();
    stopped = ground.stopped();
    follower = ground.follower();
    InstantSource clock = ground.clock();
    statistics = new ControllerStatistics(clock);
    trace = new EventTrace(log);
    last = new LatestValue<>(recovered);
    changes = new JobChangeCounter(recovered, ground.since());
    loop = new StateLoop(recovered, store, clock, new Consequences(), log);
    RetryingSubmitter submitter =
        new RetryingSubmitter(told -> loop.submit(told, new Caller.Self()), over, RETRY, log);
    scripts = ControllerScriptRunner.open(ground.stateDirectory(), submitter::tell, log);
    own = new OwnPrograms(recovered, log);
    completions = completions(ground.recorded(), submitter);
    ClusterAccounting books = ground.recorded() == null ? null : ground.recorded().books();
    SlurmdbdClient daemon = books == null ? null : books.daemon();
    following = daemon == null ? null : following(daemon);
    runaways = daemon == null || books == null ? null : runaways(daemon, books, clock);
    usage =
        daemon == null
            ? null
            : new UsageExchange(
                daemon,
                loop::published,
                told -> loop.submit(told, new Caller.Self()).get(),
                clock,
                log);
    schedulerLog = new SchedulerLog(log);
    ticker = new SchedulerLoop(loop, this::plan, clock, log);
    forecasts =
        new ForecastLoop(
            loop::published,
            new ForecastWorkerProcess(
                ForecastWorkerProcess.command(ForecastWorkerMain.class.getName()), log),
            this::note,
            clock,
            log);
    handler =
        new RequestHandler(
            Services.of(
                new ServiceContext(loop, verdicts::get, ground.callers(), clock, ground.hook()),
                new Services.Sources(
                    nodes,
                    waiters,
                    signer,
                    changes,
                    ground.administration(),
                    statistics,
                    schedulerLog,
                    books,
                    log)),
            trace);
    sessions =
        new NodeSession.SessionServices(
            loop, nodes, ground.key(), signer.publicKey(), statistics.requests(), clock, log);
  }

  private @Nullable CompletionDelivery completions(
      @Nullable ClusterAccounting recorded, RetryingSubmitter submitter) {
    return recorded == null
        ? null
        : new CompletionDelivery(
            recorded.endedJobs(), loop::published, submitter::tell, InstantSource.system(), log);
  }

  private RunawayTeller runaways(
      SlurmdbdClient daemon, ClusterAccounting books, InstantSource clock) {
    return new RunawayTeller(
        daemon, loop::published, new RunawayJobs(loop::published, clock, books), log);
  }

  private AccountsFollower following(SlurmdbdClient daemon) {
    return new AccountsFollower(
        daemon, loop::published, told -> loop.submit(told, new Caller.Self()).get(), log);
  }

  /**
   * Does what comes before all else, to configure or to take over, and begins to schedule.
   *
   * @return whether it is done; false if this was over before
   */
  boolean start(Command.InternalCommand first) throws InterruptedException, ExecutionException {
    loop.start();
    Reply reply = loop.submit(first, new Caller.Self()).get();
    if (reply instanceof Reply.Refused refused && refused.code() != ErrorCode.IN_STANDBY) {
      throw new IllegalStateException("the first command was rejected: " + refused.detail());
    }
    if (reply instanceof Reply.Done) {
      own.begin(loop.published());
      if (completions != null) {
        completions.start();
      }
    }
    ticker.start();
    forecasts.start();
    if (following != null && usage != null && runaways != null && reply instanceof Reply.Done) {
      following.start();
      usage.start();
      runaways.start();
    }
    return reply instanceof Reply.Done;
  }

  StateLoop loop() {
    return loop;
  }

  NodeLinks nodes() {
    return nodes;
  }

  RequestHandler handler() {
    return handler;
  }

  NodeSession.SessionServices sessions() {
    return sessions;
  }

  private SchedulingPlan plan(ClusterState state, Instant now) {
    long began = System.nanoTime();
    Planner.Planned planned =
        planner.plan(
            state, now, (job, index) -> DependencyResolver.taskMayStart(state, job, index), memory);
    memory = planned.memory();
    SchedulingPlan plan = planned.plan();
    long took = System.nanoTime() - began;
    SchedulerPassResult result =
        SchedulerPassResult.of(plan, memory.promised(), state.pending().size());
    statistics.planned(took, result);
    trace.planned(result, took);
    PendingVerdicts found = new PendingVerdicts(plan.verdicts(), now, forecasts.newest());
    verdicts.set(found);
    changes.judged(found);
    schedulerLog.planned(state, plan.starts(), now);
    return plan;
  }

  /** Does not wait for the outcome: what could not be stored now is offered again. */
  private void note(Command.NoteForecasts told) {
    try {
      loop.submit(
          told,
          new Caller.Self(),
          new ReplyListener() {
            @Override
            public void decided(Reply reply) {}

            @Override
            public void failed(Throwable failure) {
              log.info("could not store start-time forecasts: " + failure);
            }
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends: node daemons are hung up on, commands that wait are told to go elsewhere, programs of
   * jobs are ended. Any thread, also more than once; never waits for the log or its disk.
   */
  @Override
  public void close() {
    over.countDown();
    nodes.close();
    waiters.close();
    changes.close();
    loop.close();
    ticker.close();
    forecasts.close();
    if (following != null && usage != null && runaways != null) {
      following.close();
      usage.close();
      runaways.close();
    }
    if (completions != null) {
      completions.close();
    }
    scripts.close();
    own.close(last.get());
  }

  /** What happens once a decision is durable. */
  private final class Consequences implements DecisionListener {
    /** Of the loop's thread. */
    private @Nullable ClusterState decided;

    @Override
    public void decided(ClusterState state) {
      ClusterState before = decided;
      decided = state;
      if (before == null || PassPacing.differ(before, state)) {
        ticker.wake();
      }
    }

    @Override
    public void published(ClusterState state) {
      ClusterState before = last.get();
      if (last.set(state)) {
        waiters.published(state);
        changes.published(state);
        if (PassPacing.differ(before, state)) {
          forecasts.wake();
        }
      }
    }

    @Override
    public void happened(List<Event> events, ClusterState after) {
      follower.happened(events, after);
      statistics.happened(events, after);
      own.happened(events, after);
      trace.happened(events);
    }

    @Override
    public void perform(Effect effect, ClusterState state) {
      trace.performed(effect);
      switch (effect) {
        case Effect.RunProlog prolog -> scripts.prolog(prolog, state);
        case Effect.RunEpilog epilog -> scripts.epilog(epilog, state);
        case Effect.SwitchPower power -> own.power(power, state);
        case Effect.Reboot(String node) -> nodes.reboot(node);
        case Effect.RunTrigger trigger -> own.trigger(trigger, state);
        case Effect.OnNode there -> {
          if (there instanceof Effect.Terminate(_, int jobId, int run, _)) {
            scripts.endProlog(jobId, run);
          }
          try {
            nodes.perform(there, state);
          } catch (UnreadableTextException e) {
            log.error(
                "a job of node "
                    + there.node()
                    + " is not launched: "
                    + e.reason()
                    + ". Once the node has connected anew, it is tried again");
            nodes.disconnect(there.node());
          }
        }
      }
    }

    @Override
    public void stopped(Throwable cause) {
      stopped.accept(cause);
    }
  }
}
