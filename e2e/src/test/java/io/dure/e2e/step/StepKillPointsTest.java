package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.e2e.step.StepScene.Moment;
import io.dure.testkit.Await;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills each party of a step at each moment of its life: the job ends with the true code, or as
 * failed where that cannot be known, srun returns, and the nodes are as they were.
 */
@Tag("cluster")
class StepKillPointsTest {
  @RegisterExtension static final StepCluster RUNNING = StepCluster.of(StepScene::conf);

  private static final Await BOUND = Await.seconds(45);
  private static final String TRUE_END = "FAILED 7:0, srun 7";
  private static final String LOST = "(FAILED|NODE_FAIL) .*, srun [1-9][0-9]*";
  private static final List<String> TABLE = new ArrayList<>();
  private static Cluster cluster;
  private static Set<String> clean;
  private static int counter;

  enum Victim {
    SRUN,
    AGENT,
    CONTROLLER,
    DAEMON,
    SPAWNER,
    SHEPHERD,
    TASK,
    CONNECTION
  }

  /**
   * Where it strikes.
   *
   * @param ends what the job's state and exit code, and srun's code, match
   */
  record Point(Moment moment, Victim victim, boolean inside, String ends) {
    @Override
    public String toString() {
      return moment + " " + victim + (inside ? " inside" : "");
    }
  }

  @BeforeAll
  static void start() {
    cluster = RUNNING.cluster();
    StepScene.prepare(cluster);
    RUNNING.shell().run("srun", "-N2", "true").okSilently();
    BOUND.until("its files are gone", () -> runs(StepScene.files(cluster)) == 0);
    clean = StepScene.files(cluster);
  }

  private static long runs(Set<String> files) {
    return files.stream().filter(file -> file.matches("n[12]/runs/.*")).count();
  }

  @AfterAll
  static void print() {
    System.out.println("moment victim: job, srun's code; until all was clean");
    TABLE.forEach(System.out::println);
  }

  static Stream<Point> points() {
    List<Point> points = new ArrayList<>();
    String wanted = System.getProperty("dure.points", ".*");
    for (Moment moment : Moment.values()) {
      for (Victim victim : Victim.values()) {
        String ends = ends(moment, victim);
        if (!ends.isEmpty()) {
          points.add(new Point(moment, victim, false, ends));
        }
      }
    }
    points.add(new Point(Moment.CREATED, Victim.SRUN, true, "CANCELLED .*, srun 137"));
    points.add(new Point(Moment.RUNNING, Victim.SRUN, true, "CANCELLED .*, srun 137"));
    points.add(new Point(Moment.RUNNING, Victim.DAEMON, true, "CANCELLED .*, srun 7"));
    points.add(new Point(Moment.RUNNING, Victim.SHEPHERD, true, "CANCELLED .*, srun 137"));
    points.add(new Point(Moment.STREAMING, Victim.CONTROLLER, true, "CANCELLED .*, srun 7"));
    return points.stream().filter(point -> point.toString().matches(wanted));
  }

  /** How the step ends that is struck there; empty where there is no such victim. */
  private static String ends(Moment moment, Victim victim) {
    return switch (victim) {
      case SRUN -> in(moment, Moment.QUEUED, Moment.ENDED, "(FAILED|CANCELLED) .*, srun 137");
      case AGENT, CONTROLLER -> TRUE_END;
      // With them goes what they have not handed to a shepherd yet.
      case DAEMON, SPAWNER -> moment == Moment.SENT ? LOST : TRUE_END;
      case SHEPHERD -> in(moment, Moment.STARTING, Moment.ENDED, LOST);
      case TASK ->
          moment == Moment.STARTING
              ? "FAILED 1:0, srun 1" // by its prolog
              : in(moment, Moment.RUNNING, Moment.STREAMING, "FAILED 0:9, srun 137");
      case CONNECTION -> in(moment, Moment.SENT, Moment.ENDED, LOST);
    };
  }

  private static String in(Moment moment, Moment first, Moment last, String ends) {
    return EnumSet.range(first, last).contains(moment) ? ends : "";
  }

  @ParameterizedTest
  @MethodSource("points")
  void theJobEndsAndNothingIsLeft(Point point) throws Exception {
    String name = "step" + counter++;
    boolean cuttable = point.victim() == Victim.CONNECTION;
    String outcome;
    try (StepScene scene = new StepScene(cluster, name, point.moment(), point.inside(), cuttable)) {
      long from = System.nanoTime();
      strike(scene, point.victim());
      scene.letGo();
      if (endsByItself(point)) {
        scene.go();
      }
      int code = -1;
      if (scene.srun().waitFor(45, TimeUnit.SECONDS)) {
        code = scene.srun().exitValue();
      }
      String state;
      List<String> left = List.of();
      try {
        if (point.inside()) {
          BOUND.until("the step is gone", () -> scene.steps().isEmpty());
          RUNNING.shell().run("scancel", "" + scene.job()).okSilently();
        }
        state = ended(scene.job());
        BOUND.until("clean", () -> scene.left(clean).isEmpty());
      } catch (AssertionError e) {
        left = scene.left(clean);
        state = cluster.job(scene.job()).get("JobState") + "!";
      }
      Duration took = Duration.ofNanos(System.nanoTime() - from);
      scene.assertOutputIsWhole(point.ends().equals(TRUE_END));
      outcome = state + ", srun " + code + "; " + took.toMillis() + " ms " + left;
      TABLE.add(point + ": " + outcome);
      System.out.println(point + ": " + outcome + "\n" + tail(scene.output()));
    }
    cluster.awaitNodes();
    BOUND.until("the nodes take steps", () -> StepScene.NODES.stream().allMatch(this::takesSteps));
    assertTrue(outcome.matches(point.ends() + "; [0-9]+ ms \\[]"), outcome);
  }

  private boolean takesSteps(String node) {
    Path socket = cluster.dir().resolve("spool/" + node + "/step.sock");
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aShepherdThatIsKilledTakesItsOwnStepAlone() throws Exception {
    Session shell = RUNNING.shell();
    String said = shell.shell("salloc -N1 -n2 --no-shell 2>&1 | grep -oE '[0-9]+' | head -1").ok();
    String job = said.strip();
    List<Process> sruns = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      String script =
          "touch own%1$d; until [ -e own%1$d.go ]; do sleep 0.05; done; exit 3".formatted(i);
      String[] words = {"srun", "--jobid=" + job, "--exact", "-n1", "bash", "-c", script};
      sruns.add(shell.start("own.out" + i, words));
      Path up = shell.directory().resolve("own" + i);
      BOUND.until("step " + i + " runs", () -> Files.exists(up));
    }
    Processes.Seen shepherd =
        Processes.mentioning(cluster.dir() + "/spool/").stream()
            .filter(seen -> seen.name().equals("shepherd") && seen.words().contains(".0\0"))
            .findFirst()
            .orElseThrow();
    Processes.kill(shepherd.pid(), "KILL");
    assertTrue(sruns.getFirst().waitFor(45, TimeUnit.SECONDS), "its srun ends");
    BOUND.until(
        "the step is gone",
        () ->
            shell
                .run("squeue", "-s", "-h", "-o", "%i")
                .ok()
                .lines()
                .noneMatch((job + ".0")::equals));
    Files.createFile(shell.directory().resolve("own1.go"));
    assertTrue(sruns.getLast().waitFor(45, TimeUnit.SECONDS), "the other ends");
    assertEquals(3, sruns.getLast().exitValue());
    shell.run("scancel", job).okSilently();
  }

  private static String tail(String text) {
    return text.lines()
        .filter(line -> !line.matches(".*x{100}.*"))
        .limit(20)
        .map(line -> "    " + line + "\n")
        .reduce("", String::concat);
  }

  private static String ended(int job) {
    Shown seen =
        BOUND.value(
            "the end of job " + job,
            () -> cluster.job(job),
            shown -> !shown.is("RUNNING") && !shown.is("PENDING") && !shown.is("COMPLETING"));
    return seen.get("JobState") + " " + seen.get("ExitCode");
  }

  /** Without this the step ends since a party of it is gone. */
  private static boolean endsByItself(Point point) {
    return switch (point.victim()) {
      case SRUN, SHEPHERD, CONNECTION -> false;
      case AGENT, CONTROLLER, DAEMON, SPAWNER, TASK -> true;
    };
  }

  /** Daemons are started again, as a service manager does. */
  private static void strike(StepScene scene, Victim victim) {
    switch (victim) {
      case SRUN -> kill((int) scene.srun().pid());
      case AGENT -> again(cluster.agent());
      case CONTROLLER -> again(cluster.controller());
      case DAEMON -> again(cluster.daemonOf("n1"));
      case SPAWNER -> kill(scene.spawner("n1"));
      case SHEPHERD -> kill(scene.shepherd("n1"));
      case TASK -> scene.firstTask().forEach(StepKillPointsTest::kill);
      case CONNECTION -> scene.between().cut();
    }
  }

  /** What is let go on meets it dead: a spawner that is about to die would take a launch along. */
  private static void kill(int pid) {
    Processes.kill(pid, "KILL");
    BOUND.until("process " + pid + " has ended", () -> !Processes.isAlive(pid));
  }

  private static void again(Daemon daemon) {
    daemon.kill9();
    daemon.start();
  }
}
