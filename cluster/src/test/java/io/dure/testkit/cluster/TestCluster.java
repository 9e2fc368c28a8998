package io.dure.testkit.cluster;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.RunReconciliation;
import io.dure.cluster.StateSnapshot;
import io.dure.cluster.decide.CommandDecider;
import io.dure.cluster.invariants.StateInvariants;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.LateLaunch;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Reply;
import io.dure.model.command.RunReport;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.Job;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import io.dure.testkit.SeededRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster on a clock of its own: the controller's rules, the scheduler, and fake node
 * daemons. After every command the invariants of {@link StateInvariants} are checked.
 *
 * <pre>{@code
 * TestCluster cluster = ClusterBuilder.of(2).start();
 * int id = cluster.submit(ALICE, job().cpus(2).time(10).runs(300));
 * cluster.advance(Duration.ofMinutes(6));
 * assertEquals("COMPLETED", cluster.state(id));
 * }</pre>
 */
public final class TestCluster {
  /** When every cluster begins. */
  public static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

  /** An ordinary user. */
  public static final Caller.User ALICE = user("alice", 1001, "users");

  /** Another one, also of group {@code staff}. */
  public static final Caller.User BOB = user("bob", 1002, "users", "staff");

  /** The superuser. */
  public static final Caller.User ROOT =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of("root"), true);

  private static final Caller SELF = new Caller.Self();

  private final ClusterState initial;
  private final ClusterConfig config;
  private final List<Event> journal = new ArrayList<>();
  private final Planner planner = new Planner();
  private Planner.Memory memory = Planner.Memory.none();
  private final TreeMap<String, FakeNode> nodes = new TreeMap<>();
  private final ArrayDeque<Message> inbox = new ArrayDeque<>();
  private final List<Effect> effects = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private ClusterState state;
  private Instant now = START;
  private Duration tick = Duration.ofSeconds(5);
  private SchedulingPlan plan =
      new SchedulingPlan(List.of(), io.dure.model.collection.IntMap.empty(), false);
  private Predicate<Effect> lost = _ -> false;
  private @Nullable SeededRandom duplicates;

  private record Message(String node, Command.NodeCommand command) {}

  /** One event with the state it met and the one it made, for tests of the life cycle. */
  public record Step(ClusterState before, Event event, ClusterState after) {}

  TestCluster(ClusterConfig config) {
    this.config = config;
    initial = ClusterState.initial(config);
    state = initial;
    for (NodeConfig node : config.nodes()) {
      add(node);
    }
    decide(new Command.Configure(config, Command.Recovery.START), SELF);
  }

  /** A caller who is no operator. */
  public static Caller.User user(String name, int uid, String... groups) {
    return new Caller.User(new UserIdentity(uid, 100, name, "users"), List.of(groups), false);
  }

  private void add(NodeConfig node) {
    Duration killWait = config.settings().jobs().killWait();
    nodes.put(
        node.name(),
        new FakeNode(
            node, killWait, now, (name, message) -> inbox.add(new Message(name, message))));
  }

  /** A cluster with a setting other than the usual. */
  public static ClusterBuilder with(String key, String value) {
    return new ClusterBuilder().set(key, value);
  }

  /** The state. */
  public ClusterState state() {
    return state;
  }

  /** The clock. */
  public Instant now() {
    return now;
  }

  /** Every event so far with the states around it. */
  public List<Step> steps() {
    return steps;
  }

  /** Every effect so far, delivered or not. */
  public List<Effect> effects() {
    return effects;
  }

  /** A fake node. */
  public FakeNode daemon(String name) {
    FakeNode node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("no fake node " + name);
    }
    return node;
  }

  /** The controller's record of a node. */
  public NodeRecord node(String name) {
    NodeRecord node = state.node(name);
    if (node == null) {
      throw new IllegalArgumentException("no node " + name);
    }
    return node;
  }

  /** A job's record. */
  public Job job(int id) {
    Job job = state.job(id);
    if (job == null) {
      throw new AssertionError("no job " + id);
    }
    return job;
  }

  /** An array task's record. */
  public Job task(int arrayId, int index) {
    Job job = state.task(arrayId, index);
    if (job == null) {
      throw new AssertionError("no task " + arrayId + "_" + index);
    }
    return job;
  }

  /** A job's state in Slurm's long word. */
  public String state(int id) {
    return Words.state(job(id));
  }

  /** Why a pending job waits, empty if the last pass did not say. */
  public String reason(int id) {
    PendingVerdict verdict = plan.verdicts().get(id);
    return verdict == null ? "" : verdict.reason();
  }

  /** Submits a job that is accepted and starts it if it fits. */
  public int submit(Caller.User who, JobBuilder job) {
    Reply reply = ask(who, job.submission());
    if (!(reply instanceof Reply.Submitted(int id))) {
      throw new AssertionError("not accepted: " + reply);
    }
    return id;
  }

  /** Submits a job; the answer is the code of a refusal, null if it was accepted. */
  public @Nullable ErrorCode refusal(Caller.User who, JobBuilder job) {
    return refusal(who, job.submission());
  }

  /** Asks for something; the answer is the code of a refusal, null if there was none. */
  public @Nullable ErrorCode refusal(Caller.User who, Command.UserCommand command) {
    return ask(who, command) instanceof Reply.Refused(ErrorCode code, _, _) ? code : null;
  }

  /** Asks for something and lets the cluster settle. */
  public Reply ask(Caller.User who, Command.UserCommand command) {
    Reply reply = decide(command, who).reply();
    settle();
    return reply;
  }

  /** Asks for a change under a name and lets the cluster settle. */
  public Reply ask(Caller.User who, String requestId, Command.UserCommand command) {
    Reply reply = decide(new Command.Named(requestId, command), who).reply();
    settle();
    return reply;
  }

  /** A message of a node's daemon, as it might come late or twice. */
  public void message(String node, Command.NodeCommand message) {
    inbox.add(new Message(node, message));
    settle();
  }

  /** News of the controller's own, such as the end of one of its programs. */
  public void tell(Command.InternalCommand news) {
    decide(news, SELF);
    settle();
  }

  /** Effects that match are lost from now on. */
  public void lose(Predicate<Effect> which) {
    lost = which;
  }

  /** One message or effect in four comes twice from now on. */
  public void duplicate(SeededRandom random) {
    duplicates = random;
  }

  /** A daemon that is not part of the configuration. */
  public void addMachine(NodeConfig node) {
    add(node);
  }

  public void connect(String node) {
    daemon(node).connect();
    settle();
  }

  /** The node lists what it runs, and the controller looks closer where the two differ. */
  public void compare(String node) {
    FakeNode daemon = daemon(node);
    List<RunReport> runs = daemon.inventory();
    long nanos = Duration.between(START, now).toNanos();
    List<LateLaunch> late = daemon.launches().heard(state, node, runs, nanos);
    if (!late.isEmpty() || !RunReconciliation.doubts(state, node, runs).isEmpty()) {
      decide(new Command.CompareRuns(node, runs, late), SELF);
      settle();
    }
  }

  public void connectAll() {
    nodes.values().stream().filter(n -> !n.connected()).forEach(FakeNode::connect);
    settle();
  }

  public void disconnect(String node) {
    boolean was = daemon(node).connected();
    daemon(node).disconnect();
    inbox.removeIf(m -> m.node().equals(node));
    if (was) {
      decide(new Command.NodeDisconnected(node), SELF);
      settle();
    }
  }

  /** The machine goes down and comes up; {@link #connect} says when its daemon calls. */
  public void reboot(String node, boolean spoolKept) {
    disconnect(node);
    daemon(node).reboot(spoolKept);
  }

  /** The controller dies, with it what was on its way, and starts from what it stored. */
  public void restartController() {
    inbox.clear();
    nodes.values().forEach(FakeNode::disconnect);
    StateInvariants.same(EventApplier.applyAll(initial, journal), state);
    ClusterState restored = StateSnapshot.of(state).restore();
    StateInvariants.same(restored, state);
    state = restored;
    decide(new Command.Configure(config, Command.Recovery.START), SELF);
  }

  /** {@code scontrol reconfigure} with another file. */
  public void reconfigure(ClusterConfig next) {
    decide(new Command.Configure(next, Command.Recovery.RECONFIGURE), SELF);
    settle();
  }

  /** Ticks come that often, every 5 seconds unless said otherwise, and whenever a node acts. */
  public void tickEvery(Duration interval) {
    tick = interval;
  }

  /** Time passes, from event to event and tick to tick. */
  public void advance(Duration duration) {
    Instant end = now.plus(duration);
    while (now.isBefore(end)) {
      Instant next = now.plus(tick);
      for (FakeNode node : nodes.values()) {
        Instant there = node.next();
        next = there != null && there.isAfter(now) && there.isBefore(next) ? there : next;
      }
      now = next.isAfter(end) ? end : next;
      tick();
    }
  }

  /** Minutes pass. */
  public void minutes(long minutes) {
    advance(Duration.ofMinutes(minutes));
  }

  /** Seconds pass. */
  public void seconds(long seconds) {
    advance(Duration.ofSeconds(seconds));
  }

  /** What is due now happens. */
  public void tick() {
    nodes.values().forEach(n -> n.at(now));
    drain();
    decide(new Command.Tick(), SELF);
    settle();
  }

  /** Messages are answered and jobs started until nothing moves any more. */
  private void settle() {
    int rounds = 0;
    do {
      drain();
      Planner.Planned planned =
          planner.plan(
              state,
              now,
              (job, index) -> DependencyResolver.taskMayStart(state, job, index),
              memory);
      memory = planned.memory();
      plan = planned.plan();
      if (!plan.starts().isEmpty()) {
        decide(new Command.StartJobs(plan.starts()), SELF);
      }
      if (!plan.preemptions().isEmpty()) {
        decide(new Command.PreemptJobs(plan.preemptions()), SELF);
        decide(new Command.Tick(), SELF);
        if (++rounds > 1_000) {
          throw new AssertionError("the same jobs make room for ever: " + plan.preemptions());
        }
      }
    } while (!inbox.isEmpty() || !plan.preemptions().isEmpty());
    StateInvariants.check(state);
    NodeInvariants.check(state, nodes.values());
  }

  private void drain() {
    for (Message next = inbox.poll(); next != null; next = inbox.poll()) {
      Caller caller = new Caller.NodeDaemon(next.node());
      decide(next.command(), caller);
      SeededRandom random = duplicates;
      if (random != null && random.percent(25)) {
        decide(next.command(), caller);
      }
    }
  }

  /** Decides as the controller does: record, then act. */
  public Decision decide(Command command, Caller caller) {
    Decision decision = CommandDecider.decide(state, command, caller, now);
    for (Event event : decision.events()) {
      ClusterState before = state;
      state = EventApplier.apply(state, event);
      steps.add(new Step(before, event, state));
    }
    StateInvariants.same(decision.after(), state);
    journal.addAll(decision.events());
    effects.addAll(decision.effects());
    for (Effect effect : decision.effects()) {
      deliver(effect);
      if (duplicates != null && duplicates.percent(25)) {
        deliver(effect);
      }
    }
    StateInvariants.check(state);
    return decision;
  }

  private void deliver(Effect effect) {
    if (!(effect instanceof Effect.OnNode there)) {
      return;
    }
    FakeNode node = nodes.get(there.node());
    if (node == null || !node.connected() || lost.test(effect)) {
      return;
    }
    Job job = effect instanceof Effect.Launch launch ? state.job(launch.jobId()) : null;
    node.perform(there, job == null ? null : Script.of(state.texts().of(job).script()));
  }

  /** Checks that the journal tells the same story as the state, and a snapshot too. */
  public void checkReplay() {
    StateInvariants.same(EventApplier.applyAll(initial, journal), state);
    StateInvariants.same(StateSnapshot.of(state).restore(), state);
  }

  /** Forgets the story so far, to keep long simulations short. */
  public void forgetSteps() {
    steps.clear();
    effects.clear();
  }
}
