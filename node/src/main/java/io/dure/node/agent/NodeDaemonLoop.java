package io.dure.node.agent;

import io.dure.host.log.DaemonLog;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.node.NodeFacts;
import io.dure.node.job.JobStderrMessages;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.job.StepStarter;
import io.dure.node.job.TaskStarter;
import io.dure.node.launch.RunningStep;
import io.dure.node.launch.SignalScope;
import io.dure.node.link.ControllerLink;
import io.dure.node.link.ControllerLink.Session;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunInput;
import io.dure.node.peer.NodePeerLinks;
import io.dure.node.peer.StepEndTree;
import io.dure.node.step.Spawner;
import io.dure.node.step.StepRequest;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import io.dure.protocol.step.NodePeerMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The node daemon's loop: one thread, in {@link #run}, owns all runs and the conversation with the
 * controller. Any thread may call the other public methods, which hand the matter to it.
 */
public final class NodeDaemonLoop implements ControllerLink.Listener {
  /** Of the socket in the spool directory at which steps are taken. */
  public static final String STEP_SOCKET = "step.sock";

  /** Three of them fit into the time after which the controller takes a silent node for dead. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** Where another controller may lead, nodes must soon find out that one no longer answers. */
  private static final Duration HEARTBEAT_OF_SEVERAL = Duration.ofSeconds(5);

  private final BlockingQueue<DaemonLoopEvent> events = new LinkedBlockingQueue<>();
  private final DaemonEnvironment surroundings;
  private final RunSpool store;
  private final RunActions works;
  private final RunSupervisor keeper;
  private final StepAdmission admission;
  private final LoginDesk logins;
  private final StepEndTree ends;
  private final StepActions stepWorks;
  private final @Nullable Spawner spawner;
  private final DaemonLog log;
  private final InstantSource clock;
  private @Nullable Session session;
  private boolean welcome;

  /** The runs of the last registration, which a welcome speaks of. */
  private final TreeSet<RunId> listed = new TreeSet<>();

  private final MemoryUpkeep upkeep = new MemoryUpkeep();
  private Instant lastBeat = Instant.EPOCH;
  private String refusal = "";

  /** What the controller has still to hear of this machine, empty for nothing. */
  private String unfit = "";

  private boolean stopped;
  private volatile boolean busy;

  /** The configuration in force, for other threads. */
  private volatile NodeLocalConfig configured;

  /**
   * Opens the spool; nothing else happens before {@link #run}.
   *
   * @throws IOException if the spool cannot be written
   */
  public NodeDaemonLoop(
      NodeLocalConfig setup,
      StepStarter starter,
      TaskStarter tasks,
      Path spawner,
      DaemonEnvironment surroundings)
      throws IOException {
    this.surroundings = surroundings;
    this.log = surroundings.log();
    this.clock = surroundings.clocks().steady();
    this.ends = new StepEndTree(surroundings.peers(), this::report, clock);
    this.configured = setup;
    this.store = DiskRunSpool.open(setup.spool(), surroundings.bootId(), log);
    ProcessStepActions stepWorks =
        new ProcessStepActions(
            starter, tasks, this::configured, surroundings.meters(), log, events::add);
    this.works = stepWorks.runs(surroundings.users());
    this.spawner = stepWorks.open(spawner, setup.spool());
    this.keeper =
        new RunSupervisor(
            setup,
            store,
            new RunSupervisor.Hands(works, stepWorks, ends),
            this::report,
            surroundings.clocks(),
            log);
    this.admission = new StepAdmission(keeper, this::report, log);
    this.logins = new LoginDesk(keeper, clock, log);
    this.stepWorks = stepWorks;
  }

  /** With another spool and other hands than a machine's; the owner calls {@link #turn}. */
  public NodeDaemonLoop(
      NodeLocalConfig setup,
      RunSpool spool,
      RunActions labour,
      StepActions steps,
      DaemonEnvironment surroundings) {
    this.surroundings = surroundings;
    this.log = surroundings.log();
    this.clock = surroundings.clocks().steady();
    this.ends = new StepEndTree(surroundings.peers(), this::report, clock);
    this.configured = setup;
    this.store = spool;
    this.works = labour;
    this.keeper =
        new RunSupervisor(
            setup,
            store,
            new RunSupervisor.Hands(works, steps, ends),
            this::report,
            surroundings.clocks(),
            log);
    this.admission = new StepAdmission(keeper, this::report, log);
    this.logins = new LoginDesk(keeper, clock, log);
    this.stepWorks = steps;
    this.spawner = null;
  }

  /** Ends and forgets all that an earlier daemon left in the spool; only before {@link #run}. */
  public void clearSpool() throws IOException {
    store.clear(works::killUnreadableRun);
  }

  /** Takes up the runs of the spool; only before {@link #run}. */
  public void restore() throws IOException {
    keeper.restore(store.load(works::killUnreadableRun));
  }

  /** Works until {@link #stop}; jobs go on after that. */
  public void run() throws InterruptedException {
    try {
      work();
    } finally {
      if (spawner != null) {
        spawner.close();
      }
    }
  }

  private void work() throws InterruptedException {
    while (!stopped) {
      DaemonLoopEvent event = events.poll(patience().toNanos(), TimeUnit.NANOSECONDS);
      if (event != null) {
        handleSafely(event);
      }
      passTime();
    }
  }

  /** Deals with all that was told and with what time has brought; never waits. */
  public void turn() {
    for (DaemonLoopEvent event = events.poll(); event != null; event = events.poll()) {
      handleSafely(event);
      passTime();
    }
    passTime();
  }

  private void passTime() {
    keeper.tick();
    ends.tick();
    logins.tick();
    busy = keeper.isBusy();
    beat();
    if (upkeep.isDue(clock.instant(), surroundings.heap().getAsLong())) {
      surroundings.giveBack().run();
    }
  }

  /** How long nothing is due unless something is told; at most until the next heartbeat. */
  public Duration patience() {
    Instant now = clock.instant();
    Duration heartbeat = heartbeat();
    Instant beat = (session == null ? now : lastBeat).plus(heartbeat);
    Instant runs = earlier(earlier(beat, keeper.nextWake()), logins.due());
    Instant next = earlier(earlier(runs, ends.nextWake()), upkeep.due());
    Duration until = Duration.between(now, next);
    return until.compareTo(heartbeat) < 0 ? until.plusMillis(1) : heartbeat;
  }

  private Duration heartbeat() {
    boolean several = keeper.setup().settings().controller().hosts().size() > 1;
    return several ? HEARTBEAT_OF_SEVERAL : HEARTBEAT;
  }

  private static Instant earlier(Instant one, @Nullable Instant other) {
    return other == null || one.isBefore(other) ? one : other;
  }

  /** Whether a job had processes here when the loop last looked. Any thread. */
  public boolean isBusy() {
    return busy;
  }

  /** Ends the loop after what was told before. */
  public void stop() {
    events.add(new DaemonLoopEvent.Stop());
  }

  /** From now on this configuration holds. */
  public void configure(NodeLocalConfig setup) {
    events.add(new DaemonLoopEvent.Configured(setup));
  }

  /** Something happened to a run. */
  public void happened(RunId id, RunInput input) {
    events.add(new DaemonLoopEvent.Happened(id, input));
  }

  /** A front end wants a step started, and has shown that it may. */
  public void asked(StepRequest request) {
    events.add(new DaemonLoopEvent.StepAsked(request));
  }

  /** A shepherd keeps a numbered step. */
  public void kept(RunId id, int number, RunningStep step) {
    events.add(new DaemonLoopEvent.StepKept(id, number, step));
  }

  /** A numbered step has ended. */
  public void over(RunId id, int number, StepEnd end) {
    events.add(new DaemonLoopEvent.StepOver(id, number, end));
  }

  /** Something of this machine is broken: no job is to start here. */
  public void unfit(String reason) {
    events.add(new DaemonLoopEvent.Unfit(reason));
  }

  /** What daemons of other nodes say. */
  public NodePeerLinks.Listener peers() {
    return new NodePeerLinks.Listener() {
      @Override
      public void said(NodePeerLinks.Caller from, NodePeerMessage message) {
        events.add(new DaemonLoopEvent.PeerSaid(from, message));
      }

      @Override
      public void lost(String node) {
        events.add(new DaemonLoopEvent.PeerLost(node));
      }
    };
  }

  @Override
  public void connected(Session next) {
    events.add(new DaemonLoopEvent.Connected(next));
  }

  @Override
  public void received(Session from, ControllerToNodeMessage message) {
    events.add(new DaemonLoopEvent.Received(from, message));
  }

  @Override
  public void disconnected(Session former) {
    events.add(new DaemonLoopEvent.Disconnected(former));
  }

  /** One message that cannot be dealt with must not end the care for all other jobs. */
  private void handleSafely(DaemonLoopEvent event) {
    try {
      upkeep.worked(clock.instant());
      handle(event);
    } catch (RuntimeException e) {
      log.error(event.getClass().getSimpleName() + " failed, a bug in Dure", e);
    }
  }

  private void handle(DaemonLoopEvent event) {
    switch (event) {
      case DaemonLoopEvent.Connected(Session next) -> {
        session = next;
        welcome = false;
        register(next);
      }
      case DaemonLoopEvent.Received(Session from, ControllerToNodeMessage message) -> {
        // What an earlier connection still brings is brought again by this one.
        if (from.equals(session)) {
          receive(from, message);
        }
      }
      case DaemonLoopEvent.Disconnected(Session former) -> {
        if (former.equals(session)) {
          session = null;
          welcome = false;
        }
      }
      case DaemonLoopEvent.Happened(var id, var input) -> keeper.happened(id, input);
      case DaemonLoopEvent.Kept(var id, var step) -> keeper.kept(id, step);
      case DaemonLoopEvent.StepAsked(var request) -> admission.ask(request);
      case DaemonLoopEvent.FileAsked(var connection, var run, var owner) ->
          admission.moveFile(connection, run, owner);
      case DaemonLoopEvent.StepInquired(var inquiry) -> admission.inquire(inquiry);
      case DaemonLoopEvent.LoginAsked(var login) -> logins.asked(login, welcome ? session : null);
      case DaemonLoopEvent.LoginsFound(var id, var step) -> keeper.numbered().loginsFound(id, step);
      case DaemonLoopEvent.LoginsOver(var id) -> keeper.numbered().loginsOver(id);
      case DaemonLoopEvent.StepKept(var id, int number, var step) -> {
        keeper.numbered().kept(id, number, step);
        // Where its run stands still, so does what begins now.
        keeper.happened(id, new RunInput.StillMoves());
      }
      case DaemonLoopEvent.StepOver(var id, int number, var end) ->
          keeper.numbered().over(id, number, end);
      case DaemonLoopEvent.PeerSaid(var from, var message) -> keeper.numbered().said(from, message);
      case DaemonLoopEvent.PeerLost(String node) -> ends.lost(node);
      case DaemonLoopEvent.Unfit(String reason) -> {
        unfit = reason;
        tellUnfit();
      }
      case DaemonLoopEvent.Configured(NodeLocalConfig setup) -> {
        configured = setup;
        keeper.configure(setup);
        if (session != null) {
          register(session);
        }
      }
      case DaemonLoopEvent.Stop _ -> stopped = true;
    }
  }

  private NodeLocalConfig configured() {
    return configured;
  }

  private void register(Session to) {
    NodeFacts facts = surroundings.facts().get();
    List<RunReport> runs = keeper.all();
    listed.clear();
    runs.forEach(run -> listed.add(new RunId(run.jobId(), run.run())));
    to.send(
        new NodeToControllerMessage.Report(
            new Command.RegisterNode(facts, runs, surroundings.dynamic())));
  }

  private void receive(Session from, ControllerToNodeMessage message) {
    switch (message) {
      case ControllerToNodeMessage.Welcome(
              List<ControllerToNodeMessage.Run> known,
              byte[] credentialKey) -> {
        welcome = true;
        if (credentialKey.length > 0) {
          stepWorks.trust(credentialKey);
        }
        refusal = "";
        TreeSet<RunId> ids = new TreeSet<>();
        known.forEach(run -> ids.add(new RunId(run.jobId(), run.run())));
        log.info(
            "registered with the controller, which expects " + ids.size() + " runs on this node");
        keeper.reconcile(ids, listed);
        ends.connected();
        tellUnfit();
      }
      case ControllerToNodeMessage.Rejected(String text) -> {
        if (!text.equals(refusal)) {
          log.error("controller rejected this node: " + text);
        }
        refusal = text;
        from.close();
      }
      case ControllerToNodeMessage.Launch launch -> keeper.launch(launch);
      case ControllerToNodeMessage.Terminate(
              int jobId,
              int run,
              Effect.TerminationReason why,
              int killWait,
              var job) ->
          keeper.terminate(
              new RunId(jobId, run), job, why, Duration.ofSeconds(Math.max(0, killWait)));
      case ControllerToNodeMessage.Signal(int jobId, int run, int signal, Effect.Scope scope) ->
          signal(new RunId(jobId, run), signal, scope);
      case ControllerToNodeMessage.Suspend(int jobId, int run) ->
          keeper.happened(new RunId(jobId, run), new RunInput.Suspend());
      case ControllerToNodeMessage.Resume(int jobId, int run) ->
          keeper.happened(new RunId(jobId, run), new RunInput.Resume());
      case ControllerToNodeMessage.Forget(int jobId, int run) ->
          keeper.happened(new RunId(jobId, run), new RunInput.Forget());
      case ControllerToNodeMessage.TerminateStep _,
          ControllerToNodeMessage.SignalStep _,
          ControllerToNodeMessage.ForgetStep _,
          ControllerToNodeMessage.ConfirmStepParts _ ->
          keeper.numbered().received(message);
      case ControllerToNodeMessage.Notify(int jobId, int run, String text) -> {
        RunEntry entry = keeper.find(new RunId(jobId, run));
        if (entry != null) {
          works.write(entry, keeper.setup(), JobStderrMessages.notice(text));
        }
      }
      case ControllerToNodeMessage.Shutdown _ -> surroundings.shutdown().run();
      case ControllerToNodeMessage.Reconfigure _ -> surroundings.reconfigure().run();
      case ControllerToNodeMessage.UserJobs answer -> logins.told(answer);
      case ControllerToNodeMessage.Reboot _ -> surroundings.reboot().run();
      case ControllerToNodeMessage.KeepAlive _ -> log.trace("controller is alive");
    }
  }

  private void signal(RunId id, int signal, Effect.Scope scope) {
    RunEntry entry = keeper.find(id);
    if (entry == null || signal < 1 || signal > 64) {
      log.info("signal " + signal + " for run " + id.text() + " ignored: no such run");
      return;
    }
    switch (scope) {
      case BATCH_SHELL -> works.signal(entry, signal, SignalScope.BATCH_SHELL);
      case ALL -> {
        works.signal(entry, signal, SignalScope.WHOLE_STEP);
        keeper.numbered().signalAll(entry, signal);
      }
      case STEPS -> keeper.numbered().signalAll(entry, signal);
    }
  }

  private void tellUnfit() {
    if (!unfit.isEmpty() && session != null && welcome) {
      report(new Command.NodeUnfit(unfit));
      unfit = "";
    }
  }

  private void report(Command.NodeCommand command) {
    Session to = session;
    // Before the welcome the registration speaks for all runs, and after it all are told again.
    if (to != null && welcome) {
      to.send(new NodeToControllerMessage.Report(command));
    }
  }

  private void beat() {
    Session to = session;
    Instant now = clock.instant();
    if (to != null && !now.isBefore(lastBeat.plus(heartbeat()))) {
      lastBeat = now;
      to.send(new NodeToControllerMessage.Heartbeat(surroundings.load().get()));
      if (welcome) {
        to.send(new NodeToControllerMessage.Inventory(keeper.all()));
      }
      log.flush();
    }
  }
}
