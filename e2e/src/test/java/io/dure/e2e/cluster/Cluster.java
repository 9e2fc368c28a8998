package io.dure.e2e.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.CommandContext;
import io.dure.cli.connect.ClusterConnector;
import io.dure.cli.process.CurrentProcessCaller;
import io.dure.cli.process.SystemWallClock;
import io.dure.cli.scontrol.Scontrol;
import io.dure.testkit.Await;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A cluster of real daemons on this machine, in a directory and on ports of its own. When it is
 * closed, or the tests' process ends, its daemons and all processes of its jobs are ended too.
 */
public final class Cluster implements AutoCloseable {
  private static final int FIRST_PORT = 27_900;
  private static final int LAST_PORT = 29_900;
  private static final Await SOON = Await.seconds(60);

  /** Whatever jobs it has, and whether or not one is promised it. */
  private static final String UP = "(IDLE|MIXED|ALLOCATED)(\\+PLANNED)?";

  private static final Set<Cluster> OPEN = ConcurrentHashMap.newKeySet();

  private final Path dir;
  private final int port;
  private final Map<String, Daemon> nodes = new LinkedHashMap<>();
  private final Daemon controller;
  private final Daemon agent;
  private Client client = Client.C;
  private final Thread atTheEnd = new Thread(this::endAll, "end-cluster");

  private Cluster(Path dir, int port, Conf conf) throws IOException {
    this.dir = dir;
    this.port = port;
    OPEN.add(this);
    Runtime.getRuntime().addShutdownHook(atTheEnd);
    for (String name : List.of("run", "log", "state", "spool", "home")) {
      Files.createDirectory(dir.resolve(name));
    }
    configure(conf);
    Map<String, String> environment = Session.of(User.SELF, dir, confFile()).environment();
    controller = Daemon.controller(dir, environment);
    agent = Daemon.agent(dir, environment);
    for (int i = 1; i <= conf.nodes(); i++) {
      nodes.put("n" + i, Daemon.node(dir, "n" + i, environment));
    }
  }

  /** Starts all of its daemons; each node is registered when this returns. */
  public static Cluster start(Conf conf) {
    Cluster cluster = prepare(conf);
    try {
      cluster.startAll();
      return cluster;
    } catch (RuntimeException | Error e) {
      String logs = cluster.logs();
      cluster.close();
      throw new AssertionError("the cluster did not start\n" + logs, e);
    }
  }

  /** Makes the directory and the configuration, and starts nothing. */
  public static Cluster prepare(Conf conf) {
    Checkout.build();
    try {
      Path dir = Files.createTempDirectory("dure-e2e-");
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
      return new Cluster(dir, freePort(conf.nodes() + 1), conf);
    } catch (IOException e) {
      throw new AssertionError("cannot make a cluster", e);
    }
  }

  /** Writes another configuration; who reads it is the test's affair. */
  public void configure(Conf conf) {
    try {
      Files.writeString(confFile(), conf.text(dir, port, hostName()));
    } catch (IOException e) {
      throw new AssertionError("cannot write " + confFile(), e);
    }
  }

  public void startAll() {
    controller.start();
    agent.start();
    nodes.values().parallelStream().forEach(Daemon::start);
    awaitNodes();
  }

  public void awaitNodes() {
    SOON.until(
        "all nodes are up",
        () -> nodes.keySet().stream().allMatch(name -> node(name).get("State").matches(UP)));
  }

  /** Those that have not been closed. */
  public static Set<Cluster> open() {
    return OPEN;
  }

  public Path dir() {
    return dir;
  }

  public Path confFile() {
    return dir.resolve("slurm.conf");
  }

  public int port() {
    return port;
  }

  public Daemon controller() {
    return controller;
  }

  public Daemon daemonOf(String node) {
    Daemon daemon = nodes.get(node);
    if (daemon == null) {
      throw new IllegalArgumentException("no node " + node);
    }
    return daemon;
  }

  public Daemon agent() {
    return agent;
  }

  /** Another daemon under a node's name, with files of its own, not started. */
  public Daemon secondOf(String node) {
    Path conf = dir.resolve("second.conf");
    try {
      String text = Files.readString(confFile());
      Files.writeString(
          conf, text.replace("node-%n", "second-%n").replace("/spool/%n", "/spool/second-%n"));
    } catch (IOException e) {
      throw new AssertionError("cannot write " + conf, e);
    }
    return Daemon.second(dir, node, conf, Session.of(User.SELF, dir, conf).environment());
  }

  public List<Daemon> daemons() {
    return Stream.concat(Stream.of(controller, agent), nodes.values().stream()).toList();
  }

  /** A shell of that user, in a directory of theirs. */
  public Session as(User user) {
    Path home = dir.resolve("home").resolve(user.name());
    try {
      if (!Files.isDirectory(home)) {
        Files.createDirectory(home);
        if (user.uid() != User.SELF.uid()) {
          Files.setAttribute(home, "unix:uid", user.uid());
          Files.setAttribute(home, "unix:gid", user.gid());
        }
      }
    } catch (IOException e) {
      throw new AssertionError("cannot make " + home, e);
    }
    return Session.of(user, home, confFile(), client);
  }

  /** From now on its users' commands are run in that way. */
  public void through(Client other) {
    client = other;
  }

  /** A shell of whoever runs the tests, mostly root. */
  public Session admin() {
    return as(User.SELF);
  }

  /** A job as the controller shows it now. */
  public Shown job(int id) {
    return Shown.parse(look("show", "job", Integer.toString(id)));
  }

  /** A node as the controller shows it now. */
  public Shown node(String name) {
    return Shown.parse(look("show", "node", name));
  }

  /** All jobs that the controller knows. */
  public List<Shown> jobs() {
    return look("show", "job").lines().map(Shown::parse).toList();
  }

  /** All partitions, a line for each. */
  public String partitions() {
    return look("show", "partition");
  }

  /** Waits until the job is in that state, and gives it. */
  public Shown await(int job, String state) {
    return SOON.value("job " + job + " " + state, () -> job(job), seen -> seen.is(state));
  }

  /** Waits until the job is in that state with that exit code, and gives it. */
  public Shown await(int job, String state, String exitCode) {
    Shown seen = await(job, state);
    assertEquals(exitCode, seen.get("ExitCode"), () -> "exit code of " + seen);
    return seen;
  }

  /** The living processes of a job, wherever it runs. */
  public List<Processes.Seen> processesOf(int job) {
    return Processes.mentioning("SLURM_CONF=" + confFile()).stream()
        .filter(seen -> seen.environment().contains("SLURM_JOB_ID=" + job + "\0"))
        .toList();
  }

  /** All logs together. */
  public long logBytes() {
    return daemons().stream().mapToLong(Daemon::logBytes).sum();
  }

  /** The end of each log, for the report of a failure. */
  public String logs() {
    StringBuilder text = new StringBuilder();
    for (Daemon daemon : daemons()) {
      String log = daemon.log();
      text.append(log, Math.max(0, log.length() - 3000), log.length()).append("--\n");
    }
    return text.toString();
  }

  /** What {@code scontrol -o} prints: the command itself, but within this process, to be quick. */
  private String look(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Map<String, String> environment = admin().environment();
    int code =
        new Scontrol()
            .run(
                new CommandContext(
                    "scontrol",
                    Stream.concat(Stream.of("-o"), Stream.of(words)).toList(),
                    environment,
                    dir,
                    new ByteArrayInputStream(new byte[0]),
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    false,
                    new CurrentProcessCaller(Path.of("/proc")),
                    new SystemWallClock(null),
                    new ClusterConnector(environment)));
    if (code != 0) {
      throw new AssertionError(
          "scontrol " + String.join(" ", words) + ": exit " + code + "\n" + err + out);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    endAll();
    OPEN.remove(this);
    Runtime.getRuntime().removeShutdownHook(atTheEnd);
    Ran.assertAllSeen();
  }

  private void endAll() {
    List<Daemon> living = daemons().stream().filter(Daemon::isAlive).toList();
    living.forEach(daemon -> daemon.signal("TERM"));
    try {
      Await.seconds(20).until("the daemons' end", () -> living.stream().noneMatch(Daemon::isAlive));
    } finally {
      Processes.mentioning(dir.toString()).forEach(seen -> Processes.kill(seen.pid(), "KILL"));
      if (!Boolean.getBoolean("dure.e2e.keep")) {
        delete();
      }
    }
  }

  private void delete() {
    try (Stream<Path> files = Files.walk(dir)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      System.err.println("left behind: " + dir);
    }
  }

  private static String hostName() throws IOException {
    String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** The first of so many free ports in a row. */
  public static int freePort(int count) {
    int places = (LAST_PORT - FIRST_PORT) / 10;
    // Other builds on this machine look for ports, too, and would all find the first. What is free
    // now is taken only once the daemons are up: tests side by side look at every other place.
    int begin = (int) Math.floorMod(ProcessHandle.current().pid() * 31, (long) places);
    int fork = Integer.getInteger("dure.fork", 1);
    for (int i = 0; i < places; i += 2) {
      int first = FIRST_PORT + 10 * ((2 * begin + i + fork) % places);
      if (Stream.iterate(first, next -> next + 1).limit(count).allMatch(Cluster::isFree)) {
        return first;
      }
    }
    throw new AssertionError("no free ports from " + FIRST_PORT + " to " + LAST_PORT);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
