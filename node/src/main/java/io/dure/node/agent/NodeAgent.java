package io.dure.node.agent;

import io.dure.core.config.NodeConfig;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.model.NodeFacts;
import io.dure.core.model.NodeLoad;
import io.dure.core.node.RunId;
import io.dure.core.node.RunInput;
import io.dure.host.log.Log;
import io.dure.host.user.UserDatabase;
import io.dure.node.job.JobMessages;
import io.dure.node.job.NodeSetup;
import io.dure.node.job.StepStarter;
import io.dure.node.launch.SignalScope;
import io.dure.node.link.ControllerCaller;
import io.dure.node.link.ControllerCaller.Session;
import io.dure.protocol.FromNode;
import io.dure.protocol.ToNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node daemon's loop: one thread, in {@link #run}, owns all runs and the conversation with the
 * controller. Any thread may call the other public methods, which hand the matter to it.
 */
public final class NodeAgent implements ControllerCaller.Listener {
  private static final Duration HEARTBEAT = Duration.ofSeconds(5);
  private static final Duration TICK = Duration.ofSeconds(1);

  private final BlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private final Surroundings surroundings;
  private final RunSpool store;
  private final RunActions works;
  private final RunSupervisor keeper;
  private final Log log;
  private final InstantSource clock;
  private @Nullable Session session;
  private boolean welcome;
  private Instant lastBeat = Instant.EPOCH;
  private String refusal = "";
  private boolean stopped;
  private volatile boolean busy;

  /**
   * What the daemon stands on.
   *
   * @param facts what the machine is; asked at each registration
   * @param load how busy it is now
   * @param dynamic the node as it describes itself, null for a node of the configuration
   * @param bootId the kernel's boot id
   * @param shutdown called when the controller wants this daemon to end; returns at once
   * @param reconfigure called when the controller wants the configuration read again; likewise
   */
  public record Surroundings(
      Supplier<NodeFacts> facts,
      Supplier<NodeLoad> load,
      @Nullable NodeConfig dynamic,
      String bootId,
      UserDatabase users,
      Log log,
      Clocks clocks,
      Runnable shutdown,
      Runnable reconfigure) {}

  /**
   * Opens the spool; nothing else happens before {@link #run}.
   *
   * @throws IOException if the spool cannot be written
   */
  public NodeAgent(NodeSetup setup, StepStarter starter, Surroundings surroundings)
      throws IOException {
    this.surroundings = surroundings;
    this.log = surroundings.log();
    this.clock = surroundings.clocks().steady();
    this.store = RunStore.open(setup.spool(), surroundings.bootId(), log);
    this.works = new ProcessRunActions(starter, surroundings.users(), log, events::add);
    this.keeper = new RunSupervisor(setup, store, works, this::report, surroundings.clocks(), log);
  }

  /** With another spool and other hands than a machine's; the owner calls {@link #turn}. */
  public NodeAgent(NodeSetup setup, RunSpool spool, RunActions labour, Surroundings surroundings) {
    this.surroundings = surroundings;
    this.log = surroundings.log();
    this.clock = surroundings.clocks().steady();
    this.store = spool;
    this.works = labour;
    this.keeper = new RunSupervisor(setup, store, works, this::report, surroundings.clocks(), log);
  }

  /** Ends and forgets all that an earlier daemon left in the spool; only before {@link #run}. */
  public void clearSpool() throws IOException {
    store.clear(works::salvage);
  }

  /** Takes up the runs of the spool; only before {@link #run}. */
  public void restore() throws IOException {
    keeper.restore(store.load(works::salvage));
  }

  /** Works until {@link #stop}; jobs go on after that. */
  public void run() throws InterruptedException {
    while (!stopped) {
      AgentEvent event = events.poll(patience().toNanos(), TimeUnit.NANOSECONDS);
      if (event != null) {
        handleSafely(event);
      }
      passTime();
    }
  }

  /** Deals with all that was told and with what time has brought; never waits. */
  public void turn() {
    for (AgentEvent event = events.poll(); event != null; event = events.poll()) {
      handleSafely(event);
      passTime();
    }
    passTime();
  }

  private void passTime() {
    keeper.tick();
    busy = keeper.isBusy();
    beat();
  }

  /** How long nothing is due unless something is told; at most a second. */
  public Duration patience() {
    Instant next = keeper.nextWake();
    if (next == null) {
      return TICK;
    }
    Duration until = Duration.between(clock.instant(), next);
    return until.compareTo(TICK) < 0 ? until.plusMillis(1) : TICK;
  }

  /** Whether a job had processes here when the loop last looked. Any thread. */
  public boolean isBusy() {
    return busy;
  }

  /** Ends the loop after what was told before. */
  public void stop() {
    events.add(new AgentEvent.Stop());
  }

  /** From now on this configuration holds. */
  public void configure(NodeSetup setup) {
    events.add(new AgentEvent.Configured(setup));
  }

  /** Something happened to a run. */
  public void happened(RunId id, RunInput input) {
    events.add(new AgentEvent.Happened(id, input));
  }

  @Override
  public void connected(Session next) {
    events.add(new AgentEvent.Connected(next));
  }

  @Override
  public void received(Session from, ToNode message) {
    events.add(new AgentEvent.Received(from, message));
  }

  @Override
  public void disconnected(Session former) {
    events.add(new AgentEvent.Disconnected(former));
  }

  /** One message that cannot be dealt with must not end the care for all other jobs. */
  private void handleSafely(AgentEvent event) {
    try {
      handle(event);
    } catch (RuntimeException e) {
      log.error("bug: " + event.getClass().getSimpleName() + " was not dealt with", e);
    }
  }

  private void handle(AgentEvent event) {
    switch (event) {
      case AgentEvent.Connected(Session next) -> {
        session = next;
        welcome = false;
        register(next);
      }
      case AgentEvent.Received(Session from, ToNode message) -> {
        // What an earlier connection still brings is brought again by this one.
        if (from.equals(session)) {
          receive(from, message);
        }
      }
      case AgentEvent.Disconnected(Session former) -> {
        if (former.equals(session)) {
          session = null;
          welcome = false;
        }
      }
      case AgentEvent.Happened(var id, var input) -> keeper.happened(id, input);
      case AgentEvent.Kept(var id, var step) -> keeper.kept(id, step);
      case AgentEvent.Configured(NodeSetup setup) -> {
        keeper.configure(setup);
        if (session != null) {
          register(session);
        }
      }
      case AgentEvent.Stop _ -> stopped = true;
    }
  }

  private void register(Session to) {
    NodeFacts facts = surroundings.facts().get();
    to.send(
        new FromNode.Report(new Command.RegisterNode(facts, keeper.all(), surroundings.dynamic())));
  }

  private void receive(Session from, ToNode message) {
    switch (message) {
      case ToNode.Welcome(List<ToNode.Run> known) -> {
        welcome = true;
        refusal = "";
        TreeSet<RunId> ids = new TreeSet<>();
        known.forEach(run -> ids.add(new RunId(run.jobId(), run.run())));
        log.info("registered with the controller, which knows " + ids.size() + " runs here");
        keeper.reconcile(ids);
      }
      case ToNode.Rejected(String text) -> {
        if (!text.equals(refusal)) {
          log.error("the controller refuses this node: " + text);
        }
        refusal = text;
        from.close();
      }
      case ToNode.Launch launch -> keeper.launch(launch);
      case ToNode.Terminate(int jobId, int run, Effect.Why why, int killWait, var job) ->
          keeper.terminate(
              new RunId(jobId, run), job, why, Duration.ofSeconds(Math.max(0, killWait)));
      case ToNode.Signal(int jobId, int run, int signal, Effect.Scope scope) ->
          signal(new RunId(jobId, run), signal, scope);
      case ToNode.Suspend(int jobId, int run) ->
          keeper.happened(new RunId(jobId, run), new RunInput.Suspend());
      case ToNode.Resume(int jobId, int run) ->
          keeper.happened(new RunId(jobId, run), new RunInput.Resume());
      case ToNode.Forget(int jobId, int run) ->
          keeper.happened(new RunId(jobId, run), new RunInput.Forget());
      case ToNode.Notify(int jobId, int run, String text) -> {
        RunEntry entry = keeper.find(new RunId(jobId, run));
        if (entry != null) {
          works.write(entry, keeper.setup(), JobMessages.notice(text));
        }
      }
      case ToNode.Shutdown _ -> surroundings.shutdown().run();
      case ToNode.Reconfigure _ -> surroundings.reconfigure().run();
      case ToNode.Beat _ -> log.debug2("the controller is there");
    }
  }

  private void signal(RunId id, int signal, Effect.Scope scope) {
    RunEntry entry = keeper.find(id);
    if (entry == null || signal < 1 || signal > 64) {
      log.info("signal " + signal + " for run " + id.text() + ": there is none");
      return;
    }
    switch (scope) {
      case BATCH_SHELL -> works.signal(entry, signal, SignalScope.BATCH_SHELL);
      case ALL -> works.signal(entry, signal, SignalScope.WHOLE_STEP);
      // A batch job has no steps of its own yet.
      case STEPS -> log.debug("signal " + signal + " for steps of run " + id.text());
    }
  }

  private void report(Command.FromNode command) {
    Session to = session;
    // Before the welcome the registration speaks for all runs, and after it all are told again.
    if (to != null && welcome) {
      to.send(new FromNode.Report(command));
    }
  }

  private void beat() {
    Session to = session;
    Instant now = clock.instant();
    if (to != null && !now.isBefore(lastBeat.plus(HEARTBEAT))) {
      lastBeat = now;
      to.send(new FromNode.Heartbeat(surroundings.load().get()));
      if (welcome) {
        to.send(new FromNode.Inventory(keeper.all()));
      }
      log.flush();
    }
  }
}
