package io.dure.faults.world;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.faults.books.WorldBooks;
import io.dure.faults.scenario.FaultScenario;
import io.dure.faults.scenario.ScenarioAct;
import io.dure.faults.step.FrontEnds;
import io.dure.faults.step.StepWitness;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.noderun.RunId;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in one thread on virtual time. The same scenario and wiring always give the same
 * story. After the scenario everything is mended, and then all that can run must run to its end.
 */
public final class SimulatedWorld {
  private static final long MILLI = 1000;
  private static final long SECOND = 1_000_000;
  private static final long LOOK_EVERY = 5 * SECOND;
  private static final long LONGEST_AFTERMATH = 8 * 3600 * SECOND;

  /** How others make room for the urgent; in some worlds nobody does. */
  private static final List<String> PREEMPT_MODES =
      List.of("", "CANCEL", "REQUEUE", "SUSPEND,GANG", "SUSPEND,GANG");

  final VirtualTimeline time = new VirtualTimeline();
  final FaultHooks wiring;
  final PromiseWitness witness = new PromiseWitness(this);
  final GroupLogHistory chronicle = new GroupLogHistory(this);
  final SimulatedPeerNetwork peers;
  final WorldBooks books;
  final List<SimulatedControllerHost> controllers = new ArrayList<>();
  private final ControllerGroup council = new ControllerGroup(this, controllers);

  /** Leaderships that began. */
  long leaderships;

  /** Batches after which a member of a group takes a snapshot. */
  final int entriesASnapshot;

  final long bytesASnapshot;

  /** Between two signs of life of a leader: as in production, or rarer, for longer lives. */
  final int beatMillis;

  private final FaultScenario scenario;
  private final List<SimulatedNodeHost> nodes = new ArrayList<>();
  final SimulatedUsers clients;
  final StepWitness stepWitness;
  final FrontEnds fronts;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final @Nullable List<String> history;
  private final DaemonLog log;
  private @Nullable PromiseViolation violation;

  /**
   * How a world ended.
   *
   * @param violation what broke, null if nothing did
   * @param virtualMicros how long it lived
   * @param hash of all that happened; the same for the same scenario and program
   * @param jobs acknowledged jobs
   * @param runs runs that began on nodes
   * @param counts faults and other happenings by kind
   * @param history what happened, in words; empty if it was not asked for
   */
  public record Outcome(
      @Nullable PromiseViolation violation,
      long virtualMicros,
      long hash,
      int jobs,
      int runs,
      Map<String, Integer> counts,
      List<String> history) {}

  private SimulatedWorld(FaultScenario scenario, FaultHooks wiring, boolean remembers) {
    this.scenario = scenario;
    this.wiring = wiring;
    this.history = remembers ? new ArrayList<>() : null;
    SplittableRandom random = new SplittableRandom(scenario.seed() ^ 0x5DEECE66DL);
    this.log = DaemonLog.toStream(new Bugs(), LogLevel.ERROR, time::now, ZoneOffset.UTC);
    ClusterConfig config = config(random.split(), scenario.nodes(), scenario.controllers());
    this.books = new WorldBooks(scenario.seed(), config, this::violate, time::micros);
    this.peers = new SimulatedPeerNetwork(this, random.split());
    this.beatMillis = random.nextInt(4) == 0 ? 200 : 1000;
    this.entriesASnapshot = 30 + random.nextInt(random.nextBoolean() ? 30 : 1000);
    this.bytesASnapshot =
        scenario.seed() % 3 == 0 ? 2000 + Math.floorMod(scenario.seed(), 30_000) : Long.MAX_VALUE;
    for (ClusterSettings.Host host : config.settings().controller().hosts()) {
      controllers.add(new SimulatedControllerHost(this, config, host.name(), random.split(), log));
    }
    this.clients = new SimulatedUsers(this, random.split());
    this.stepWitness = new StepWitness(clients);
    this.fronts = new FrontEnds(clients, random.split());
    for (NodeConfig node : config.nodes()) {
      NodeLocalConfig setup = new NodeLocalConfig(config.path(), node, config.settings());
      nodes.add(new SimulatedNodeHost(this, setup, random.split(), log));
    }
  }

  /** Lets the scenario happen. */
  public static Outcome run(FaultScenario scenario, FaultHooks wiring, boolean remembers) {
    return new SimulatedWorld(scenario, wiring, remembers).run();
  }

  private static ClusterConfig config(SplittableRandom random, int nodes, int controllers) {
    boolean scripts = random.nextBoolean();
    String rules =
        ("SlurmdTimeout=" + (60 + random.nextInt(200)) + "\n")
            + ("KillWait=" + (1 + random.nextInt(30)) + "\n")
            + ("ReturnToService=" + random.nextInt(3) + "\n")
            + ("JobRequeue=" + random.nextInt(2) + "\n");
    String mode = PREEMPT_MODES.get(random.nextInt(PREEMPT_MODES.size()));
    int grace = random.nextBoolean() ? 0 : 1 + random.nextInt(60);
    // Who stands still keeps its memory: there must be room for another.
    int memory = mode.startsWith("SUSPEND") ? 400 : 900;
    String text =
        "ClusterName=world\nGresTypes=gpu\nSelectType=select/cons_tres\n"
            + hosts(controllers)
            + ("SelectTypeParameters=CR_Core_Memory\nMinJobAge=600\n" + rules)
            + ("DefMemPerCPU=" + memory + "\n")
            + "SchedulerParameters=requeue_delay=1\nTreeWidth=3\n"
            + (scripts ? "Prolog=/prolog\nEpilog=/epilog\n" : "")
            + ("NodeName=n[1-"
                + nodes
                + "] CPUs=8 Sockets=1 CoresPerSocket=8 RealMemory=8000 Gres=gpu:4\n")
            + (mode.isEmpty() ? "" : "PreemptType=preempt/partition_prio\nPreemptMode=" + mode)
            + ("\nPartitionName=main Nodes=ALL Default=YES GraceTime=" + grace + "\n")
            + ("PartitionName=" + ScenarioCommands.URGENT + " Nodes=ALL PriorityTier=2\n");
    ParsedConfig parsed = SlurmConfParser.parseAlone("/slurm.conf", text);
    if (parsed.hasErrors()) {
      throw new IllegalStateException(parsed.errors().toString());
    }
    return parsed.config();
  }

  private static String hosts(int controllers) {
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= controllers; i++) {
      lines.append("SlurmctldHost=c").append(i).append('\n');
    }
    return lines.toString();
  }

  /** Whether several controllers keep the log together. */
  boolean isGroup() {
    return controllers.size() > 1;
  }

  SimulatedControllerHost machine(String host) {
    for (SimulatedControllerHost machine : controllers) {
      if (machine.host.equals(host)) {
        return machine;
      }
    }
    throw new IllegalArgumentException(host);
  }

  /** What people see, null if nobody answers. */
  @Nullable ClusterState published() {
    SimulatedControllerHost chief = council.chief();
    SimulatedLeader leading = chief == null ? null : chief.serving();
    return leading == null ? null : leading.published();
  }

  private Outcome run() {
    tell(
        "a cluster of %s nodes and %s controllers, seed %s"
            .formatted(scenario.nodes(), scenario.controllers(), scenario.seed()));
    controllers.forEach(SimulatedControllerHost::start);
    nodes.forEach(SimulatedNodeHost::start);
    for (ScenarioAct act : scenario.acts()) {
      time.at(act.atMillis() * MILLI, "act", () -> perform(act.what()));
    }
    time.after(LOOK_EVERY, "look", this::look);
    proceed(scenario.millis() * MILLI);
    if (violation == null) {
      aftermath();
    }
    controllers.forEach(controller -> time.note("disk", controller.disk.checksum()));
    return new Outcome(
        violation,
        time.micros(),
        time.hash(),
        witness.acknowledgedJobs(),
        witness.runs(),
        counts,
        history == null ? List.of() : history);
  }

  private void proceed(long end) {
    while (violation == null && time.step(end)) {
      // everything happens in there
    }
  }

  private void look() {
    ClusterState state = published();
    if (state != null) {
      witness.look(state, nodes, 90 * SECOND);
      lookAtSteps(state);
    }
    time.after(LOOK_EVERY, "look", this::look);
  }

  private void lookAtSteps(ClusterState state) {
    SimulatedControllerHost chief = council.chief();
    if (chief != null) {
      List<StepWitness.Touched> touched = new ArrayList<>();
      for (SimulatedNodeHost node : nodes) {
        if (witness.isInTouch(state, node, 90 * SECOND)) {
          long settled = 90 * SECOND + LaunchedStep.LAUNCH_TIME.toSeconds() * SECOND;
          touched.add(
              new StepWitness.Touched(
                  node.name(), node.parts, witness.isInTouch(state, node, settled)));
        }
      }
      stepWitness.look(state, touched, chief.clock.instant());
    }
  }

  /** The faults stop: everything is mended, and all that can run runs to its end. */
  private void aftermath() {
    tell("the faults stop");
    controllers.forEach(SimulatedControllerHost::setRight);
    books.mend();
    peers.heal();
    for (SimulatedNodeHost node : nodes) {
      node.toHere.blockedUntil = 0;
      node.fromHere.blockedUntil = 0;
    }
    clients.lose(0, 0);
    long end = time.micros() + LONGEST_AFTERMATH;
    boolean quiet = false;
    while (violation == null && !quiet && time.micros() < end) {
      resume();
      proceed(time.micros() + 120 * SECOND);
      quiet = isQuiet();
    }
    if (violation == null && !quiet) {
      violate("all that can run runs to its end", waiting());
    }
    long since = time.micros();
    proceed(since + 200 * SECOND);
    // What is kept is known to be so everywhere with the next batch or beat.
    for (int i = 0; i < 20 && isGroup() && !council.isAlike(); i++) {
      proceed(time.micros() + beatMillis * MILLI / 4);
    }
    for (int i = 0; i < 20 && violation == null && !books.areWhole(); i++) {
      proceed(time.micros() + 30 * SECOND);
    }
    if (violation == null) {
      lastChecks(since);
    }
  }

  private void resume() {
    ClusterState state = published();
    if (state == null) {
      return;
    }
    state
        .nodes()
        .values()
        .forEach(node -> {
          if (node.condition().down() || node.condition().drain()) {
            clients.node(node.name(), "RESUME");
          }
        });
    for (Job job : state.pending().values()) {
      if (job.state() instanceof JobState.Pending pending && pending.hold() != Hold.NONE) {
        clients.release(job.id());
      }
    }
    for (Job job : state.active().values()) {
      if (job.state() instanceof JobState.Suspended suspended
          && suspended.cause() == JobState.Suspended.Cause.OPERATOR) {
        clients.resume(job.id());
      }
    }
  }

  private boolean isQuiet() {
    ClusterState state = published();
    return state != null
        && state.active().isEmpty()
        && state.pending().isEmpty()
        && fronts.waiting().isEmpty();
  }

  private String waiting() {
    ClusterState state = published();
    if (state == null) {
      return "no controller serves: " + council.replicas();
    }
    StringBuilder text = new StringBuilder();
    state
        .active()
        .values()
        .forEach(job ->
            text.append("job ")
                .append(job.displayId())
                .append(' ')
                .append(job.state())
                .append("; "));
    state
        .pending()
        .values()
        .forEach(job ->
            text.append("job ")
                .append(job.displayId())
                .append(' ')
                .append(job.state())
                .append("; "));
    state
        .nodes()
        .values()
        .forEach(node -> {
          if (!node.available()) {
            text.append(node.name())
                .append(' ')
                .append(node.condition())
                .append(" responding ")
                .append(node.responding())
                .append("; ");
          }
        });
    fronts.waiting().forEach(s -> text.append("a front end of s").append(s).append("; "));
    return text.length() > 2000 ? text.substring(0, 2000) + " ..." : text.toString();
  }

  private void lastChecks(long quietSince) {
    ClusterState state = published();
    if (state == null) {
      violate("without faults a controller serves", council.replicas());
      return;
    }
    witness.check(state);
    stepWitness.last(state);
    if (!fronts.waiting().isEmpty()) {
      violate("nothing waits for ever", "front ends of submissions " + fronts.waiting());
    }
    if (isGroup()) {
      council.checkReplicas();
    }
    books.check();
    for (SimulatedNodeHost node : nodes) {
      NodeRecord record = state.node(node.name());
      if (record == null || !record.responding() || node.connection() == null) {
        violate("without faults every node is connected", node.name() + " is not");
      } else if (witness.lastWelcome(node.name()) > quietSince) {
        violate("without faults connections stand", node.name() + " had to call again");
      }
      node.steps.values().stream()
          .filter(SimulatedStep::lives)
          .findFirst()
          .ifPresent(step ->
              violate(
                  "nothing is left behind", "run " + step.id.text() + " lives on " + node.name()));
      if (!node.parts.all().isEmpty()) {
        violate(
            "nothing is left behind",
            node.parts.all().iterator().next().id().text() + " is left on " + node.name());
      }
      if (!node.spool().runs().isEmpty()) {
        violate("nothing is left behind", node.name() + " still remembers " + node.spool().runs());
      }
    }
  }

  /** Whether processes of a run live on any node. */
  boolean lives(RunId id) {
    for (SimulatedNodeHost node : nodes) {
      SimulatedStep step = node.steps.get(id);
      if (step != null && step.lives()) {
        return true;
      }
    }
    return false;
  }

  SimulatedNodeHost node(String name) {
    return node(Integer.parseInt(name.substring(1)));
  }

  private SimulatedNodeHost node(int number) {
    return nodes.get(number - 1);
  }

  private void perform(ScenarioAct.ActKind what) {
    tell("* " + what.words());
    count(what.getClass().getSimpleName());
    switch (what) {
      case ScenarioAct.Submit act -> clients.submit(act);
      case ScenarioAct.OfJob act -> clients.request(act);
      case ScenarioAct.OfNode act -> clients.node(act);
      case ScenarioAct.OfSteps act -> clients.ofSteps(act);
      case ScenarioAct.Fault fault -> strike(fault);
    }
  }

  private void strike(ScenarioAct.Fault fault) {
    switch (fault) {
      case ScenarioAct.OfBooks of -> council.strike(of);
      case ScenarioAct.OfController of -> council.strike(council.controller(of.controller()), of);
      case ScenarioAct.ClockJump(int node, int seconds) ->
          node(node).jump(Duration.ofSeconds(seconds));
      case ScenarioAct.KillDaemon(int node, int down) -> node(node).kill(down * MILLI);
      case ScenarioAct.Reboot(int node, int down) -> node(node).reboot(down * MILLI);
      case ScenarioAct.PauseDaemon(int node, int millis) -> node(node).pause(millis * MILLI);
      case ScenarioAct.BreakLink(int node) -> {
        SimulatedNodeConnection connection = node(node).connection();
        if (connection != null) {
          connection.cut();
        }
      }
      case ScenarioAct.CutLink(int node, boolean toNode, boolean fromNode, int millis) -> {
        long until = time.micros() + millis * MILLI;
        SimulatedNodeHost machine = node(node);
        machine.toHere.blockedUntil = toNode ? until : machine.toHere.blockedUntil;
        machine.fromHere.blockedUntil = fromNode ? until : machine.fromHere.blockedUntil;
      }
      case ScenarioAct.SlowLink(int node, int delay, int millis) -> {
        for (SimulatedChannel.NetworkConditions weather :
            List.of(node(node).toHere, node(node).fromHere)) {
          weather.slowUntil = time.micros() + millis * MILLI;
          weather.slowBy = delay * MILLI;
        }
      }
      case ScenarioAct.SpoolFull(int node, int millis) -> node(node).spool().full(millis * MILLI);
      case ScenarioAct.LoseAnswers(int millis, int percent) ->
          clients.lose(millis * MILLI, percent);
      case ScenarioAct.CutControllers(int from, int to, int millis) ->
          council.cut(from, to, millis * MILLI);
      case ScenarioAct.BadPeers(int millis, int lost, int doubled, int slow) ->
          peers.trouble(millis * MILLI, lost, doubled, slow * MILLI);
    }
  }

  /** Part of the story. */
  void tell(String words) {
    if (history != null) {
      long millis = time.micros() / MILLI;
      history.add(
          String.format(Locale.ROOT, "%5d.%03d s  %s", millis / 1000, millis % 1000, words));
    }
  }

  void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** A promise is broken; the first one counts. */
  void violate(String promise, String text) {
    if (violation == null) {
      violation = new PromiseViolation(promise, text);
      tell("! " + promise + ": " + text);
    }
  }

  /** Hears what the product's own parts say of bugs. */
  private final class Bugs extends OutputStream {
    @Override
    public void write(int b) {
      throw new UnsupportedOperationException("lines come whole");
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      String line = new String(bytes, from, count, StandardCharsets.UTF_8);
      if (line.contains("bug")) {
        violate("no part meets a bug", line.strip());
      }
    }
  }
}
