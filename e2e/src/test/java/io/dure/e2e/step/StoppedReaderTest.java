package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Steps whose output is not read: they may wait for it, but hold neither their job nor a node. */
@Tag("cluster")
class StoppedReaderTest {
  private static final Await SOON = Await.seconds(60);

  @RegisterExtension
  static final StepCluster RUNNING =
      StepCluster.of(() -> Conf.nodes(1, 4).with("UnkillableStepTimeout", 20));

  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() {
    cluster = RUNNING.cluster();
    shell = RUNNING.shell();
  }

  /** An srun in a job of its own allocation that has filled all buffers and then stands still. */
  private static Process stopped(String job, Path flag) throws Exception {
    String script = "touch " + flag + "; exec yes";
    Process srun = shell.start(flag + ".out", "srun", "--jobid=" + job, "bash", "-c", script);
    SOON.until("the step runs", () -> Files.exists(flag));
    Processes.kill((int) srun.pid(), "STOP");
    return srun;
  }

  private static String job() {
    return shell.shell("salloc -n1 --no-shell 2>&1 | grep -oE '[0-9]+' | head -1").ok().strip();
  }

  private static boolean hasShepherd() {
    return Processes.mentioning(cluster.dir() + "/spool/").stream()
        .anyMatch(seen -> seen.name().equals("shepherd"));
  }

  private static void assertNodeIsWell() {
    SOON.until("the node is free", () -> cluster.node("n1").get("State").equals("IDLE"));
    assertFalse(hasShepherd());
  }

  @Test
  void aJobThatIsCancelledEndsUnderAFrontEndThatStandsStill() throws Exception {
    String job = job();
    Process srun = stopped(job, cluster.dir().resolve("job"));
    try {
      shell.run("scancel", job).okSilently();
      cluster.await(Integer.parseInt(job), "CANCELLED");
      assertNodeIsWell();
    } finally {
      srun.destroyForcibly();
    }
  }

  @Test
  void aStepThatIsCancelledEndsAndItsJobGoesOn() throws Exception {
    String job = job();
    Process srun = stopped(job, cluster.dir().resolve("step"));
    try {
      shell.run("scancel", job + ".0").okSilently();
      SOON.until("the step is over", () -> !hasShepherd());
      SOON.until("no step runs", () -> shell.run("squeue", "-hs", "-j", job).ok().isEmpty());
      assertEquals("RUNNING", cluster.job(Integer.parseInt(job)).get("JobState"));
    } finally {
      srun.destroyForcibly();
      shell.run("scancel", job).okSilently();
    }
    assertNodeIsWell();
  }

  @Test
  void aReaderThatTakesItsTimeGetsAllOfIt() throws Exception {
    Path flag = cluster.dir().resolve("read");
    String late = "(until [ -e " + flag + " ]; do sleep 0.05; done; wc -c)";
    String script = "srun head -c 5000000 /dev/zero | " + late;
    Process reader = shell.start("counted", "bash", "-c", script);
    SOON.until("a step runs", () -> hasShepherd());
    Files.createFile(flag);
    assertEquals(0, reader.waitFor());
    assertEquals("5000000", shell.read("counted").strip());
    assertNodeIsWell();
  }
}
