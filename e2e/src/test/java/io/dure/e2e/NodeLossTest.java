package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node is silent for longer than SlurmdTimeout, and comes back. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class NodeLossTest {
  private static final Await SOON = Await.seconds(60);

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(2, 8).with("SlurmdTimeout", 4));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void itsJobsGoElsewhereAndWhatIsLeftOfThemIsCleared() {
    Session shell = cluster.admin();
    String lasting = "echo $SLURMD_NODENAME >> nodes-$SLURM_JOB_ID; exec sleep 1000";
    int moving = shell.submit("--requeue", "--wrap", lasting);
    String gone = cluster.await(moving, "RUNNING").get("BatchHost");
    String other = gone.equals("n1") ? "n2" : "n1";
    int bound = shell.submit("-w", gone, "--no-requeue", "--wrap", lasting);
    // Two scripts of a node may begin in any order, and one that has not begun dies with its
    // daemon.
    for (int job : List.of(moving, bound)) {
      SOON.until(job + " runs", () -> shell.read("nodes-" + job).equals(gone + "\n"));
    }
    cluster.daemonOf(gone).kill9();
    SOON.value(
        "it is down",
        () -> cluster.node(gone),
        node -> node.get("State").equals("DOWN+NOT_RESPONDING"));
    Shown lost = cluster.await(bound, "NODE_FAIL");
    assertNotEquals("Unknown", lost.get("EndTime"));
    SOON.value(
        "the other runs elsewhere",
        () -> shell.read("nodes-" + moving),
        where -> where.equals(gone + "\n" + other + "\n"));
    assertEquals("1", cluster.job(moving).get("Restarts"));
    assertEquals(other, cluster.job(moving).get("NodeList"));
    cluster.daemonOf(gone).start();
    SOON.value("it is back", () -> cluster.node(gone), node -> node.get("State").equals("IDLE"));
    SOON.until("nothing of the lost job is left", () -> cluster.processesOf(bound).isEmpty());
    SOON.until(
        "of the moved job only the new run is left",
        () -> cluster.processesOf(moving).stream().allMatch(seen -> isOf(other, seen)));
    assertEquals(
        1, cluster.processesOf(moving).stream().filter(s -> s.name().equals("sleep")).count());
    shell.run("scancel", Integer.toString(moving)).okSilently();
    cluster.await(moving, "CANCELLED");
    SOON.until("nothing of it is left", () -> cluster.processesOf(moving).isEmpty());
  }

  @Test
  void aJobThatMayLoseNodesGoesOnWithoutOne() throws IOException {
    Session shell = cluster.admin();
    String script =
        """
        srun --overlap -k bash -c 'touch k$SLURM_PROCID; until [ -e go ]; do sleep 0.05; done' &
        srun --overlap bash -c 'touch o$SLURM_PROCID; exec sleep 1000'; touch killed
        srun -N1 -n1 touch next
        wait
        """;
    int job = shell.submit("-N2", "-n2", "--no-kill", "--no-requeue", "--wrap", script);
    Path home = shell.directory();
    for (String name : List.of("k0", "k1", "o0", "o1")) {
      SOON.until("task " + name + " runs", () -> Files.exists(home.resolve(name)));
    }
    cluster.daemonOf("n2").kill9();
    SOON.value(
        "it has lost the node", () -> cluster.job(job), one -> one.get("NodeList").equals("n1"));
    assertEquals("1", cluster.job(job).get("NumNodes"));
    assertEquals("RUNNING", cluster.job(job).get("JobState"));
    cluster.daemonOf("n2").start();
    SOON.until("a step without the option is killed", () -> Files.exists(home.resolve("killed")));
    SOON.until("the job goes on", () -> Files.exists(home.resolve("next")));
    assertEquals("RUNNING", cluster.job(job).get("JobState"));
    Files.createFile(home.resolve("go"));
    cluster.await(job, "COMPLETED");
    cluster.awaitNodes();
    SOON.until("nothing of it is left", () -> cluster.processesOf(job).isEmpty());
  }

  @Test
  void aJobGivesANodeBackWhileItsStepsRun() throws IOException {
    Session shell = cluster.admin();
    String script =
        """
        srun --overlap -N1 -n1 -w n2 bash -c 'trap "" TERM; touch there; exec sleep 1000' & there=$!
        srun -J all --overlap bash -c 'touch g$SLURM_PROCID; until [ -e on ]; do sleep 0.05; done' & all=$!
        until [ -e shrink ]; do sleep 0.05; done
        scontrol update JobId=$SLURM_JOB_ID NumNodes=1 > said
        wait $there; echo $? > code
        . ./slurm_job_${SLURM_JOB_ID}_resize.sh
        srun --overlap bash -c 'echo $SLURMD_NODENAME' > rest
        step=$(squeue -h -s -j $SLURM_JOB_ID -o '%i %j' | sed -n 's/ all$//p')
        sbcast -j $step rest $PWD/copy; echo $? > cast
        touch next
        until [ -e on ]; do sleep 0.05; done
        wait $all; true
        """;
    int job = shell.submit("-N2", "-n2", "--no-requeue", "--wrap", script);
    Path home = shell.directory();
    for (String name : List.of("there", "g0", "g1")) {
      SOON.until("task " + name + " runs", () -> Files.exists(home.resolve(name)));
    }
    Files.createFile(home.resolve("shrink"));
    SOON.until("steps begin on what is left", () -> Files.exists(home.resolve("next")));
    assertEquals("n1\n", shell.read("rest"));
    assertEquals("137\n", shell.read("code"));
    assertEquals("0\n", shell.read("cast"), "files go to the step's nodes that the job still has");
    assertEquals("n1\n", shell.read("copy"));
    String stem = "./slurm_job_" + job + "_resize.";
    assertEquals(
        "To reset Slurm environment variables, execute\n  For bash or sh shells:  . "
            + stem
            + "sh\n  For csh shells:         source "
            + stem
            + "csh\n",
        shell.read("said"));
    Shown shown = cluster.job(job);
    assertEquals("RUNNING", shown.get("JobState"));
    assertEquals("n1", shown.get("NodeList"));
    assertEquals("1", shown.get("NumNodes"));
    SOON.until(
        "nothing of it is left on the other node",
        () -> cluster.processesOf(job).stream().allMatch(seen -> isOf("n1", seen)));
    int next = shell.submit("-w", "n2", "--exclusive", "--wrap", "true");
    cluster.await(next, "COMPLETED");
    Files.createFile(home.resolve("on"));
    cluster.await(job, "COMPLETED");
    SOON.until("nothing of it is left", () -> cluster.processesOf(job).isEmpty());
  }

  @Test
  void aSecondDaemonOfANodeIsRefusedWhileTheFirstLives() {
    Session shell = cluster.admin();
    int job = shell.submit("-w", "n1", "--no-requeue", "--wrap", "exec sleep 1000");
    cluster.await(job, "RUNNING");
    Daemon second = cluster.secondOf("n1");
    second.start();
    SOON.until("both say so", () -> told(second) == 1 && told(cluster.controller()) == 1);
    // It tries again meanwhile, and nobody takes notice.
    cluster.await(shell.submit("-w", "n2", "--wrap", "sleep 6"), "COMPLETED");
    assertEquals(1, told(second));
    assertEquals(1, told(cluster.controller()));
    assertEquals("RUNNING", cluster.job(job).get("JobState"));
    shell.run("scancel", Integer.toString(job)).okSilently();
    cluster.await(job, "CANCELLED");
    cluster.daemonOf("n1").kill9();
    SOON.until("the second is the node", () -> second.log().contains("registered with"));
    second.stop();
    cluster.daemonOf("n1").start();
    cluster.awaitNodes();
  }

  private static long told(Daemon daemon) {
    return daemon
        .log()
        .lines()
        .filter(line -> line.contains("node n1 is already registered by slurmd"))
        .count();
  }

  private static boolean isOf(String node, Processes.Seen seen) {
    return seen.environment().contains("SLURMD_NODENAME=" + node + "\0");
  }
}
