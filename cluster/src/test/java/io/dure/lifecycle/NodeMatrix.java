package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.NodeConfig;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeFacts;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Every condition of a node with everything that can be said about it. */
final class NodeMatrix {
  private static final Caller SELF = new Caller.Self();

  /** A cluster in which node {@code name} is in a certain condition. */
  record Condition(String title, TestCluster cluster, String name) {}

  private NodeMatrix() {}

  static List<Condition> conditions() {
    List<Condition> all = new ArrayList<>();
    all.add(new Condition("never called", cluster("1").startWithoutDaemons(), "n1"));
    all.add(new Condition("good", cluster("1").start(), "n1"));
    TestCluster busy = cluster("1").start();
    busy.submit(ALICE, job().on("n1").runs(10_000));
    all.add(new Condition("good, with a job", busy, "n1"));
    all.add(set("drained", "1", "DRAIN"));
    all.add(set("failing", "1", "FAIL"));
    TestCluster gone = cluster("1").start();
    gone.disconnect("n1");
    all.add(new Condition("silent", gone, "n1"));
    for (String returns : List.of("0", "1", "2")) {
      String suffix = ", ReturnToService=" + returns;
      all.add(set("down" + suffix, returns, "DOWN"));
      TestCluster silent = cluster(returns).start();
      silent.disconnect("n1");
      silent.minutes(6);
      all.add(new Condition("down by silence" + suffix, silent, "n1"));
      Condition drained = set("drained, down by silence" + suffix, returns, "DRAIN");
      drained.cluster().disconnect("n1");
      drained.cluster().minutes(6);
      all.add(drained);
    }
    all.add(dynamic("added, connected", true));
    all.add(dynamic("added, silent", false));
    all.add(power("being switched off", "POWER_DOWN", 0));
    all.add(power("switched off", "POWER_DOWN", 31));
    TestCluster wanted = power("", "POWER_DOWN", 31).cluster();
    wanted.submit(ALICE, job().on("n1").runs(10_000));
    all.add(new Condition("switched on for a job", wanted, "n1"));
    TestCluster used = cluster("1").set("RebootProgram", "/boot").start();
    used.submit(ALICE, job().on("n1").runs(10_000));
    used.ask(ROOT, Ask.node("n1", "state", "REBOOT_ASAP"));
    all.add(new Condition("to boot after its job", used, "n1"));
    TestCluster booting = cluster("1").set("RebootProgram", "/boot").start();
    booting.ask(ROOT, Ask.node("n1", "state", "REBOOT", "nextstate", "RESUME"));
    all.add(new Condition("told to boot", booting, "n1"));
    TestCluster away = cluster("1").set("RebootProgram", "/boot").start();
    away.ask(ROOT, Ask.node("n1", "state", "REBOOT", "nextstate", "DOWN"));
    away.disconnect("n1");
    all.add(new Condition("booting", away, "n1"));
    return all;
  }

  private static ClusterBuilder cluster(String returnToService) {
    return ClusterBuilder.of(2).set("ReturnToService", returnToService).set("SlurmdTimeout", "300");
  }

  private static Condition set(String title, String returns, String word) {
    TestCluster cluster = cluster(returns).start();
    cluster.ask(ROOT, Ask.node("n1", "state", word, "reason", "disk"));
    return new Condition(title, cluster, "n1");
  }

  private static Condition power(String title, String word, int seconds) {
    TestCluster cluster =
        cluster("1").set("SuspendProgram", "/off").set("ResumeProgram", "/on").start();
    cluster.ask(ROOT, Ask.node("n1", "state", word));
    cluster.disconnect("n1");
    cluster.seconds(seconds);
    return new Condition(title, cluster, "n1");
  }

  private static Condition dynamic(String title, boolean connected) {
    TestCluster cluster = cluster("1").start();
    NodeConfig added = ClusterBuilder.of(9).config().config().nodes().getLast();
    cluster.addMachine(added);
    cluster.ask(ROOT, new Command.CreateNodes(List.of(added)));
    if (connected) {
      cluster.connect(added.name());
    }
    return new Condition(title, cluster, added.name());
  }

  static Matrix of(List<Condition> conditions) {
    Matrix matrix = new Matrix();
    for (Condition condition : conditions) {
      matrix.title(condition.title() + ": " + describe(condition, condition.cluster().state()));
      ofDaemon(matrix, condition);
      ofOperator(matrix, condition);
      ofSelf(matrix, condition);
    }
    return matrix;
  }

  private static void line(
      Matrix matrix, Condition at, String name, Caller caller, Command command, Duration after) {
    Instant now = at.cluster().now().plus(after);
    matrix.line(name, at.cluster().state(), command, caller, now, state -> describe(at, state));
  }

  private static void ofDaemon(Matrix matrix, Condition at) {
    Caller daemon = new Caller.NodeDaemon(at.name());
    NodeConfig config = at.cluster().node(at.name()).config();
    int cpus = config.shape().cpus();
    register(matrix, at, "calls", facts(config, cpus, config.realMemoryMib()));
    register(matrix, at, "calls with fewer CPUs", facts(config, 1, config.realMemoryMib()));
    register(matrix, at, "calls with less memory", facts(config, cpus, 10));
    register(
        matrix,
        at,
        "calls after a boot",
        facts(config, cpus, config.realMemoryMib()).withBootId("another"));
    line(matrix, at, "unfit", daemon, new Command.NodeUnfit("health"), Duration.ZERO);
  }

  private static void register(Matrix matrix, Condition at, String name, NodeFacts facts) {
    Caller daemon = new Caller.NodeDaemon(at.name());
    line(matrix, at, name, daemon, new Command.RegisterNode(facts, List.of(), null), Duration.ZERO);
  }

  private static NodeFacts facts(NodeConfig config, int cpus, long memoryMib) {
    return new NodeFacts(
        "1",
        config.name(),
        null,
        "x86_64",
        "Linux",
        cpus,
        1,
        cpus,
        1,
        memoryMib,
        0,
        List.of(),
        TestCluster.START,
        config.name() + "-boot-1",
        TestCluster.START,
        "cgroup/v2",
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static void ofOperator(Matrix matrix, Condition at) {
    for (String word :
        List.of(
            "DOWN",
            "DRAIN",
            "FAIL",
            "RESUME",
            "IDLE",
            "UNDRAIN",
            "NORESP",
            "POWER_DOWN",
            "POWER_DOWN_FORCE",
            "POWER_UP",
            "REBOOT",
            "REBOOT_ASAP",
            "CANCEL_REBOOT",
            "x")) {
      Command command = Ask.node(at.name(), "state", word, "reason", "new");
      line(matrix, at, word, ROOT, command, Duration.ZERO);
    }
    Command noReason = Ask.node(at.name(), "state", "DOWN");
    line(matrix, at, "DOWN without a reason", ROOT, noReason, Duration.ZERO);
    Command drain = Ask.node(at.name(), "state", "DRAIN", "reason", "new");
    line(matrix, at, "DRAIN by a user", ALICE, drain, Duration.ZERO);
    Command reason = Ask.node(at.name(), "reason", "other");
    line(matrix, at, "another reason", ROOT, reason, Duration.ZERO);
    Command weight = Ask.node(at.name(), "weight", "7");
    line(matrix, at, "another weight", ROOT, weight, Duration.ZERO);
    Command delete = new Command.DeleteNodes(List.of(at.name()));
    line(matrix, at, "delete", ROOT, delete, Duration.ZERO);
    line(matrix, at, "delete by a user", ALICE, delete, Duration.ZERO);
    NodeConfig config = at.cluster().node(at.name()).config();
    Command create = new Command.CreateNodes(List.of(config));
    line(matrix, at, "create again", ROOT, create, Duration.ZERO);
  }

  private static void ofSelf(Matrix matrix, Condition at) {
    line(matrix, at, "gone", SELF, new Command.NodeDisconnected(at.name()), Duration.ZERO);
    line(matrix, at, "tick", SELF, new Command.Tick(), Duration.ZERO);
    line(matrix, at, "tick after SlurmdTimeout", SELF, new Command.Tick(), Duration.ofMinutes(5));
    ClusterConfig same = at.cluster().state().config();
    ClusterConfig without =
        new ClusterConfig(
            same.path(), same.settings(), same.values(), List.of(), List.of(), null, List.of());
    for (Command.Recovery recovery : Command.Recovery.values()) {
      Command command = new Command.Configure(same, recovery);
      line(matrix, at, "configure " + recovery, SELF, command, Duration.ZERO);
    }
    line(matrix, at, "take over", SELF, new Command.TakeOver(), Duration.ZERO);
    Command bare = new Command.Configure(without, Command.Recovery.RECONFIGURE);
    line(matrix, at, "configure without nodes", SELF, bare, Duration.ZERO);
  }

  private static String describe(Condition at, ClusterState state) {
    NodeRecord node = state.node(at.name());
    if (node == null) {
      return "none";
    }
    NodeCondition condition = node.condition();
    return (node.responding() ? "connected" : "silent")
        + (condition.down() ? " down" : "")
        + (condition.drain() ? " drain" : "")
        + (condition.fail() ? " fail" : "")
        + (condition.away() == null ? "" : " " + condition.away().getClass().getSimpleName())
        + (condition.reason() == null ? "" : " \"" + condition.reason() + "\"")
        + (node.shares().isEmpty() ? "" : " jobs");
  }
}
