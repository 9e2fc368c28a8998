package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One step of two tasks on two nodes, held at a moment of its life by what it waits for: resources,
 * a socket, a prolog, a file, a process that stands still. The first task ends with 7.
 */
final class StepScene implements AutoCloseable {
  static final List<String> NODES = List.of("n1", "n2");
  static final Await SOON = Await.seconds(60);

  private static final String HIDDEN = "hidden.sock";

  /** The moments, in their order; each says what the step waits for. */
  enum Moment {
    /** Before the step is created: another job has the nodes. */
    QUEUED,
    /** Created, not launched: the nodes' sockets are not there. */
    CREATED,
    /** The launch was sent: the nodes' prologs take their time. */
    SENT,
    /** Tasks are starting: their prologs take their time. */
    STARTING,
    RUNNING,
    /** Running, and writing as fast as it can. */
    STREAMING,
    /** Tasks have ended, and their shepherds stand still. */
    ENDED,
    /** The exit records stand, and the node daemons stand still. */
    RECORDED,
    /** The controller, to which the ends are being told, stands still. */
    TOLD,
    /** The job is ending: the nodes' epilogs take their time. */
    ENDING
  }

  private final Cluster cluster;
  private final Session shell;
  private final Path dir;
  private final String name;
  private final List<Integer> stopped = new ArrayList<>();
  private final @Nullable CutConnection between;
  private final int holder;
  private int job;
  private @Nullable Process srun;

  /** The configuration that scenes need. */
  static Conf conf() {
    return Conf.nodes(2, 4)
        .with("Prolog", "{dir}/prolog.sh")
        .with("Epilog", "{dir}/epilog.sh")
        .with("TaskProlog", "{dir}/task-prolog.sh")
        .with("FirstJobId", 1 + Math.floorMod(ProcessHandle.current().pid(), 30_000) * 1000);
  }

  /** Writes the scripts that the configuration names. */
  static void prepare(Cluster cluster) {
    Path dir = cluster.dir();
    for (String script : List.of("prolog", "epilog", "task-prolog")) {
      String text =
          """
          #!/bin/bash
          [ ! -e %1$s/hold-%2$s ] || touch %1$s/in-%2$s.$SLURMD_NODENAME
          while [ -e %1$s/hold-%2$s ]; do sleep 0.05; done
          """
              .formatted(dir, script);
      executable(dir.resolve(script + ".sh"), text);
    }
    executable(
        dir.resolve("task.sh"),
        """
        #!/bin/bash
        touch $1.up.$SLURM_PROCID
        line=$(printf 'x%.0s' {1..900}) n=0
        until [ -e $1.go ]; do
          if [ $2 = STREAMING ]; then echo $SLURM_PROCID $((n++)) $line; else sleep 0.05; fi
        done
        echo $SLURM_PROCID $n end
        exit $((SLURM_PROCID ? 0 : 7))
        """);
  }

  private static void executable(Path file, String text) {
    try {
      Files.writeString(file, text);
      if (!file.toFile().setExecutable(true, false)) {
        throw new AssertionError("cannot make a program of " + file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Begins it and has it held there.
   *
   * @param inside in an allocation that was there before; else in a job of its own
   * @param cuttable whether the connection to the first node may be cut
   */
  StepScene(Cluster cluster, String name, Moment moment, boolean inside, boolean cuttable) {
    this.cluster = cluster;
    this.shell = cluster.admin();
    this.dir = cluster.dir();
    this.name = name;
    this.between = cuttable ? new CutConnection(socket("n1"), dir.resolve("behind.sock")) : null;
    this.holder = moment == Moment.QUEUED ? allocation("--exclusive") : 0;
    prepare(moment);
    this.job = inside ? allocation("-n2") : 0;
    List<String> words = new ArrayList<>(List.of("srun", "-N2", "-n2"));
    if (inside) {
      words.add("--jobid=" + job);
    }
    words.addAll(List.of(dir + "/task.sh", dir.resolve(name).toString(), moment.name()));
    try {
      srun = shell.start(name + ".out", words.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      SOON.until("its job is there", () -> job() != 0);
      reach(moment);
    } catch (AssertionError e) {
      close();
      throw e;
    }
  }

  private int allocation(String size) {
    String said = shell.shell("salloc -N2 " + size + " --no-shell 2>&1 | grep -oE '[0-9]+'").ok();
    return Integer.parseInt(said.lines().findFirst().orElseThrow());
  }

  private void prepare(Moment held) {
    switch (held) {
      case CREATED -> NODES.forEach(node -> move(socket(node), hidden(node)));
      case SENT -> touch("hold-prolog");
      case STARTING -> touch("hold-task-prolog");
      case ENDING -> touch("hold-epilog");
      default -> {}
    }
  }

  private void reach(Moment wanted) {
    switch (wanted) {
      case QUEUED -> SOON.until("it waits", () -> output().contains("queued and waiting"));
      case CREATED -> SOON.until("the step is created", () -> !steps().isEmpty());
      case SENT -> awaitFiles("in-prolog", NODES);
      case STARTING -> awaitFiles("in-task-prolog", NODES);
      case RUNNING -> awaitFiles(name + ".up", List.of("0", "1"));
      case STREAMING -> {
        reach(Moment.RUNNING);
        SOON.until("output", () -> outputBytes() > 1 << 20);
      }
      case ENDED -> {
        reach(Moment.RUNNING);
        for (String node : NODES) {
          stop(shepherd(node));
        }
        go();
        SOON.until("the tasks have ended", () -> cluster.processesOf(job).isEmpty());
      }
      case RECORDED -> {
        reach(Moment.RUNNING);
        NODES.forEach(node -> stop(cluster.daemonOf(node).pid()));
        go();
        NODES.forEach(node -> SOON.until("its record on " + node, () -> !records(node).isEmpty()));
      }
      case TOLD -> {
        reach(Moment.RUNNING);
        stop(cluster.controller().pid());
        go();
        String line = "step " + job + ".";
        for (String node : NODES) {
          SOON.until(
              "the end on " + node,
              () ->
                  cluster
                      .daemonOf(node)
                      .log()
                      .lines()
                      .anyMatch(said -> said.contains(line) && said.contains(" ended: ")));
        }
      }
      case ENDING -> {
        reach(Moment.RUNNING);
        go();
        awaitFiles("in-epilog", NODES);
      }
    }
  }

  /** Lets it go on. What stood still and was killed meanwhile is not there any more. */
  void letGo() {
    stopped.stream().filter(Processes::isAlive).forEach(pid -> Processes.kill(pid, "CONT"));
    stopped.clear();
    for (String file : List.of("hold-prolog", "hold-task-prolog", "hold-epilog")) {
      remove(file);
    }
    for (String node : NODES) {
      remove("in-prolog." + node);
      remove("in-task-prolog." + node);
      remove("in-epilog." + node);
      if (Files.exists(hidden(node))) {
        if (Files.exists(socket(node))) {
          hidden(node).toFile().delete(); // that of a spawner before this one
        } else {
          move(hidden(node), socket(node));
        }
      }
    }
    if (holder != 0 && cluster.job(holder).is("RUNNING")) {
      shell.run("scancel", "" + holder).okSilently();
    }
  }

  /** Lets the tasks end. */
  void go() {
    touch(name + ".go");
  }

  /** The job's number, 0 while there is none. */
  int job() {
    if (job == 0) {
      job =
          cluster.jobs().stream()
              .filter(seen -> seen.is("PENDING") || seen.is("RUNNING") || seen.is("COMPLETING"))
              .mapToInt(seen -> Integer.parseInt(seen.get("JobId")))
              .filter(id -> id != holder)
              .findFirst()
              .orElse(0);
    }
    return job;
  }

  Process srun() {
    Process started = srun;
    if (started == null) {
      throw new IllegalStateException("no srun was started");
    }
    return started;
  }

  CutConnection between() {
    CutConnection connection = between;
    if (connection == null) {
      throw new IllegalStateException("nothing stands between");
    }
    return connection;
  }

  /** What srun printed and said. */
  String output() {
    return shell.read(name + ".out");
  }

  /** What the tasks wrote has come once and in order, and all of it if that is so. */
  void assertOutputIsWhole(boolean all) {
    long[] next = new long[NODES.size()];
    List<String> ends = new ArrayList<>();
    for (String line : output().lines().toList()) {
      String[] words = line.split(" ", 3);
      if (words.length == 3 && words[0].matches("[01]") && words[2].matches("x{900}|end")) {
        int rank = Integer.parseInt(words[0]);
        assertEquals(Long.toString(next[rank]++), words[1], "line of task " + rank);
        if (words[2].equals("end")) {
          ends.add(words[0]);
        }
      }
    }
    if (all) {
      assertEquals(List.of("0", "1"), ends.stream().sorted().toList(), "last lines");
    }
  }

  private long outputBytes() {
    return shell.directory().resolve(name + ".out").toFile().length();
  }

  /** The numbered steps that the controller lists. */
  List<String> steps() {
    return shell
        .run("squeue", "-s", "-h", "-o", "%i")
        .ok()
        .lines()
        .filter(line -> line.matches("[0-9]+\\.[0-9]+"))
        .toList();
  }

  /** The shepherd of the step on that node. */
  int shepherd(String node) {
    return process("shepherd", dir.resolve("spool/" + node + "/runs").toString());
  }

  /** The spawner of that node. */
  int spawner(String node) {
    return process("spawner", socket(node).toString());
  }

  private static int process(String program, String word) {
    return SOON.value(
        "the " + program,
        () ->
            Processes.mentioning(word).stream()
                .filter(seen -> seen.name().equals(program))
                .mapToInt(Processes.Seen::pid)
                .findFirst()
                .orElse(0),
        pid -> pid != 0);
  }

  /** All processes of the first task. */
  List<Integer> firstTask() {
    return cluster.processesOf(job()).stream()
        .filter(seen -> seen.environment().contains("SLURM_PROCID=0\0"))
        .map(Processes.Seen::pid)
        .toList();
  }

  /** What the step has left: processes, files, control groups, mounts. */
  List<String> left(Set<String> before) {
    List<String> left = new ArrayList<>();
    cluster.processesOf(job()).forEach(seen -> left.add(seen.toString()));
    files(cluster).stream().filter(file -> !before.contains(file)).forEach(left::add);
    left.addAll(groups(job()));
    try {
      Files.readString(Path.of("/proc/self/mountinfo"))
          .lines()
          .filter(line -> line.contains(dir.toString()))
          .forEach(left::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return left;
  }

  /** The files of all spools, sockets among them. */
  static Set<String> files(Cluster cluster) {
    Path spool = cluster.dir().resolve("spool");
    try (Stream<Path> all = Files.walk(spool)) {
      TreeSet<String> found = new TreeSet<>();
      all.forEach(file -> found.add(spool.relativize(file).toString()));
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The control groups of a job, whatever node they are for. */
  private static List<String> groups(int job) {
    List<String> found = new ArrayList<>();
    Path root = Path.of("/sys/fs/cgroup");
    try (Stream<Path> mounts = Files.list(root)) {
      for (Path mount : Stream.concat(Stream.of(root), mounts).toList()) {
        Path top = mount.resolve("dure");
        if (Files.isDirectory(top)) {
          try (Stream<Path> below = Files.walk(top, 2)) {
            below
                .filter(group -> group.endsWith("job_" + job))
                .map(Path::toString)
                .forEach(found::add);
          }
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // One of another cluster was removed meanwhile: look again.
      return groups(job);
    }
    return found;
  }

  private List<Path> records(String node) {
    try (Stream<Path> all = Files.walk(dir.resolve("spool/" + node + "/runs"))) {
      return all.filter(file -> file.endsWith("exit")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void stop(int pid) {
    Processes.kill(pid, "STOP");
    SOON.until("it stands still", () -> Processes.standsStill(pid));
    stopped.add(pid);
  }

  private Path socket(String node) {
    return dir.resolve("spool/" + node + "/step.sock");
  }

  private Path hidden(String node) {
    return socket(node).resolveSibling(HIDDEN);
  }

  private void awaitFiles(String prefix, List<String> ends) {
    for (String end : ends) {
      SOON.until(prefix + "." + end, () -> Files.exists(dir.resolve(prefix + "." + end)));
    }
  }

  private void touch(String file) {
    try {
      Files.writeString(dir.resolve(file), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void remove(String file) {
    try {
      Files.deleteIfExists(dir.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    letGo();
    srun().destroyForcibly();
    if (between != null) {
      between.close();
    }
    if (job() != 0) {
      shell.run("scancel", "" + job).whatever();
    }
  }
}
