package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Commands about steps that run, on a cluster of two nodes. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class StepCommandsTest {
  private static final Await SOON = Await.seconds(60);

  private static Cluster cluster;
  private static Session shell;
  private static int counter;

  private final List<String> jobs = new ArrayList<>();

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(2, 4));
    shell = cluster.admin();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void end() {
    jobs.forEach(job -> shell.run("scancel", job).whatever());
  }

  /**
   * A job of two nodes with a step of three tasks that run until the file of that name is there.
   */
  private String step(Path flag, String then) {
    String id = shell.shell("salloc -N2 -n3 --no-shell 2>&1 | grep -oE '[0-9]+' | head -1").ok();
    String job = id.strip();
    jobs.add(job);
    String script =
        "touch " + flag + ".$SLURM_PROCID; until [ -e " + flag + " ]; do sleep 0.05; done; " + then;
    var _ =
        CompletableFuture.runAsync(
            () -> shell.run("srun", "--jobid=" + job, "-n3", "bash", "-c", script).whatever(),
            Thread::startVirtualThread);
    for (int i = 0; i < 3; i++) {
      Path up = Path.of(flag + "." + i);
      SOON.until("task " + i + " runs", () -> Files.exists(up));
    }
    return job;
  }

  private static Path flag() {
    return cluster.dir().resolve("flag" + counter++);
  }

  @Test
  void whatTheTasksOfAStepUseAndWhichProcessesTheyHave() throws IOException {
    Path flag = flag();
    String job = step(flag, "exit 3");
    Ran listed = shell.run("scontrol", "listpids", job + ".0", "n2");
    List<String> lines = listed.ok().lines().toList();
    assertEquals("PID      JOBID    STEPID   LOCALID GLOBALID", lines.getFirst());
    String pid = lines.get(1).split(" ", 2)[0];
    assertTrue(lines.get(1).matches(pid + " +" + job + " +0 +0 +2 *"), lines.get(1));
    assertTrue(Files.exists(Path.of("/proc/" + pid)), pid);
    assertTrue(shell.run("scontrol", "pidinfo", pid).ok().startsWith("Slurm JobId=" + job));
    String row = shell.run("sstat", "-nP", "-o", "jobid,ntasks,maxrss,pids", "-j", job).ok();
    String[] cells = row.strip().split("\\|", -1);
    assertEquals(List.of(job + ".0", "3"), List.of(cells).subList(0, 2), row);
    assertTrue(cells[2].matches("[1-9][0-9]*K"), row);
    assertTrue(List.of(cells[3].split(",", -1)).contains(pid), row);
    Files.createFile(flag);
    SOON.until(
        "the step is over",
        () ->
            shell
                .run("scontrol", "listpids", job + ".0", "n2")
                .whatever()
                .contains("StepId=" + job + ".0 does not exist on node n2."));
  }
}
