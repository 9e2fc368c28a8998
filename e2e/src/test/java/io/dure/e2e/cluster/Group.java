package io.dure.e2e.cluster;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.connect.ClusterConnector;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose state three controllers, c1 to c3, keep together. Each believes to be on a
 * machine of its name, with an address of its own on the loopback or in a network of its own.
 */
public final class Group implements AutoCloseable {
  private static final Await SOON = Await.seconds(60);
  private static final List<String> HOSTS = List.of("c1", "c2", "c3");

  private final Cluster cluster;
  private final Conf conf;
  private final @Nullable Network network;
  private final Map<String, Daemon> members = new LinkedHashMap<>();
  private final Map<String, Daemon> nodes = new LinkedHashMap<>();
  private final Map<String, Path> homes = new LinkedHashMap<>();

  private Group(Conf conf, boolean apart, Path checkout) {
    // A witness asks at the end for all that there was.
    this.conf = conf.with("MinJobAge", 0);
    cluster = Cluster.prepare(this.conf);
    List<String> machines = new ArrayList<>(HOSTS);
    for (int i = 1; i <= conf.nodes(); i++) {
      machines.add("n" + i);
    }
    network = apart ? Network.of(cluster.port(), machines) : null;
    Map<String, String> environment = cluster.admin().environment();
    for (String host : HOSTS) {
      Path home = host.equals("c1") ? cluster.dir() : cluster.dir().resolve(host);
      homes.put(host, home);
      members.put(host, on(host, Daemon.controllerOf(home, host, environment).from(checkout)));
    }
    for (String node : machines.subList(HOSTS.size(), machines.size())) {
      nodes.put(node, on(node, Daemon.node(cluster.dir(), node, environment).from(checkout)));
    }
  }

  /** On this machine's loopback; all serve, vote and have caught up when this returns. */
  public static Group start(Conf conf) {
    return startFrom(conf, Checkout.root());
  }

  /** The same with the daemons of another checkout, which is built. */
  public static Group startFrom(Conf conf, Path checkout) {
    return started(new Group(conf, false, checkout), Map.of());
  }

  /** The same with a network namespace for each controller and each node. */
  public static Group startApart(Conf conf) {
    return started(new Group(conf, true, Checkout.root()), Map.of());
  }

  /**
   * The same on the loopback, with some StateSaveLocations on disks of their own.
   *
   * @param disks of hosts; empty directories that exist
   */
  public static Group startOn(Conf conf, Map<String, Path> disks) {
    return started(new Group(conf, false, Checkout.root()), disks);
  }

  /** The same on the loopback, with controllers of that heap, as {@code DURE_HEAP} says. */
  public static Group startWithHeap(Conf conf, String heap) {
    Group group = new Group(conf, false, Checkout.root());
    group.members.values().forEach(member -> member.with("DURE_HEAP", heap));
    return started(group, Map.of());
  }

  private static Group started(Group group, Map<String, Path> disks) {
    try {
      group.start(disks);
      return group;
    } catch (IOException | RuntimeException | Error e) {
      String logs = group.logs();
      group.close();
      throw new AssertionError("the group did not start\n" + logs, e);
    }
  }

  private Daemon on(String machine, Daemon daemon) {
    return network == null ? daemon : daemon.after(network.inside(machine));
  }

  private String line(String host) {
    String address = network == null ? "127.0.0." + host.substring(1) : network.address(host);
    return "SlurmctldHost=" + host + "(" + address + ")";
  }

  private void start(Map<String, Path> disks) throws IOException {
    // A controller that was alone, whose journal becomes the beginning of the group's.
    cluster.configure(conf.controllers(List.of(line("c1"))));
    member("c1").start();
    member("c1").stop();
    cluster.configure(conf.controllers(HOSTS.stream().map(this::line).toList()));
    for (String host : HOSTS) {
      furnish(host, disks.get(host));
    }
    members.values().forEach(Daemon::start);
    cluster.agent().start();
    nodes.values().parallelStream().forEach(Daemon::start);
    cluster.awaitNodes();
    awaitCaughtUp();
  }

  /** What an administrator copies to another machine: configuration, key, authority. */
  private void furnish(String host, @Nullable Path disk) throws IOException {
    Path from = cluster.dir();
    Path to = home(host);
    for (String name : List.of("run", "log", "state")) {
      Files.createDirectories(to.resolve(name));
    }
    Path state = disk == null ? to.resolve("state") : disk;
    if (!state.equals(from.resolve("state"))) {
      copy(from.resolve("state/tls"), state.resolve("tls"));
    }
    String text = Files.readString(from.resolve("slurm.conf"));
    if (host.equals("c1")) {
      if (disk != null) {
        throw new IllegalArgumentException("c1 was alone on the disk that it has");
      }
      return;
    }
    text = text.replace("StateSaveLocation=" + from + "/state", "StateSaveLocation=" + state);
    for (String name : List.of("/run/controller", "/log/controller")) {
      text = text.replace(from + name, to + name);
    }
    Files.writeString(to.resolve("slurm.conf"), text);
    Files.copy(from.resolve("dure.key"), to.resolve("dure.key"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  public Cluster cluster() {
    return cluster;
  }

  /** The network, if it has one of its own. */
  public Network network() {
    if (network == null) {
      throw new IllegalStateException("all are on the loopback");
    }
    return network;
  }

  public List<String> hosts() {
    return HOSTS;
  }

  /** The controllers other than one, in order. */
  public List<String> others(String host) {
    return HOSTS.stream().filter(other -> !other.equals(host)).toList();
  }

  public Daemon member(String host) {
    Daemon member = members.get(host);
    if (member == null) {
      throw new IllegalArgumentException("no controller " + host);
    }
    return member;
  }

  public Daemon node(String name) {
    Daemon node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("no node " + name);
    }
    return node;
  }

  private Path home(String host) {
    Path home = homes.get(host);
    if (home == null) {
      throw new IllegalArgumentException("no controller " + host);
    }
    return home;
  }

  /** StateSaveLocation of a controller that has none on a disk of its own. */
  public Path state(String host) {
    return home(host).resolve("state");
  }

  /** Its {@code slurm.conf}. */
  public Path confFile(String host) {
    return home(host).resolve("slurm.conf");
  }

  /** Leaves that controller alone in its configuration, which is no group's then. */
  public void makeSingle(String host) throws IOException {
    String text = Files.readString(confFile(host));
    for (String other : others(host)) {
      text = text.replace(line(other) + "\n", "");
    }
    Files.writeString(confFile(host), text);
  }

  /** What {@code scontrol show replicas} prints, or says. */
  public String replicas() {
    return cluster.admin().run("scontrol", "show", "replicas").whatever();
  }

  /** Who leads now; waits while nobody does. */
  public String leader() {
    return SOON.value("a leader", () -> Takeover.leaderIn(replicas()), host -> !host.isEmpty());
  }

  /** The number of the last election that somebody won. */
  public long term() {
    return SOON.value("a leader", () -> Takeover.termIn(replicas()), term -> term > 0);
  }

  /** Waits for a leader other than this one. */
  public String leaderAfter(String last) {
    return SOON.value(
        "a leader other than " + last,
        () -> Takeover.leaderIn(replicas()),
        host -> !host.isEmpty() && !host.equals(last));
  }

  /** Waits until all three vote and lack no more than a load makes in a moment. */
  public void awaitCaughtUp() {
    Takeover.awaitCaughtUp(cluster.admin());
  }

  /** The same, for as long as a state of that size may need. */
  public void awaitCaughtUp(Await within) {
    Takeover.awaitCaughtUp(cluster.admin(), within);
  }

  /** Lets that controller lead. */
  public void takeOver(String host) {
    if (!leader().equals(host)) {
      Takeover.to(cluster.admin(), host::equals, Integer.toString(HOSTS.indexOf(host)));
    }
  }

  /** A configuration that knows one of the controllers only: who uses it asks that one. */
  public Path only(String host) {
    Path dir = cluster.dir().resolve("only-" + host);
    try {
      if (!Files.exists(dir)) {
        Files.createDirectory(dir);
        String text = Files.readString(cluster.confFile());
        for (String other : others(host)) {
          text = text.replace(line(other) + "\n", "");
        }
        Files.writeString(
            dir.resolve("slurm.conf"), text.replace("/run/controller.pid", "/run/none.pid"));
        Files.copy(cluster.dir().resolve("dure.key"), dir.resolve("dure.key"));
      }
      return dir.resolve("slurm.conf");
    } catch (IOException e) {
      throw new AssertionError("cannot make " + dir, e);
    }
  }

  /** A connection to one of the controllers, whoever leads. */
  public ControllerConnection connectTo(String host) throws IOException {
    return new ClusterConnector(only(host), User.SELF.uid(), User.SELF.gid()).open();
  }

  /** A shell whose commands ask that controller only. */
  public Session asking(String host) {
    return Session.of(User.SELF, cluster.dir(), only(host), Client.JVM);
  }

  /** The end of each log, for the report of a failure. */
  public String logs() {
    StringBuilder text = new StringBuilder();
    members.forEach((host, daemon) -> {
      String log = daemon.log();
      text.append("-- " + host + "\n").append(log, Math.max(0, log.length() - 5000), log.length());
    });
    return text.toString();
  }

  @Override
  public void close() {
    for (Daemon member : members.values()) {
      if (member.isAlive()) {
        member.goOn();
      }
    }
    Stream.concat(nodes.values().stream(), members.values().stream())
        .parallel()
        .filter(Daemon::isAlive)
        .forEach(Daemon::stop);
    cluster.close();
    if (network != null) {
      network.close();
    }
  }
}
