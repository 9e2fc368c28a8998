package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How allocations of salloc and srun begin and end, on a cluster of two nodes. */
@Tag("cluster")
class AllocationTest {
  private static final Await SOON = Await.seconds(60);

  @RegisterExtension static final StepCluster RUNNING = StepCluster.of(() -> Conf.nodes(2, 4));

  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() {
    cluster = RUNNING.cluster();
    shell = RUNNING.shell();
  }

  /** What a line says, numbers of jobs left out. */
  private static String said(String line) {
    return shell.shell(line + " 2>&1; echo code $?").ok().replaceAll("[1-9][0-9]*(?=\\b)", "N");
  }

  @Test
  void aCommandRunsWhereItIsToldTo() {
    assertEquals("/\ncode 0", said("salloc -Q -D / pwd"));
    assertTrue(
        said("salloc -D /nowhere pwd").startsWith("salloc: error: chdir(/nowhere): No such"));
    String missing = said("salloc /nowhere/program");
    assertTrue(
        missing.contains(
            "salloc: error: _fork_command: Unable to find command \"/nowhere/program\"\n"),
        missing);
    assertTrue(missing.endsWith("code N"), missing);
  }

  @Test
  void anAllocationThatIsCancelledIsTold() {
    assertEquals(
        """
        salloc: Granted job allocation N
        salloc: Job allocation N has been revoked.
        code N\
        """,
        said("salloc -KTERM bash -c 'scancel $SLURM_JOB_ID; exec sleep 600'"));
  }

  @Test
  void aCallThatWaitsSaysWhatASignalDid() throws Exception {
    String holder =
        shell.shell("salloc -N2 --exclusive --no-shell 2>&1 | grep -oE '[0-9]+'").ok().strip();
    try {
      Process waiting = shell.start("waiting.out", "srun", "-N2", "true");
      Path output = cluster.dir().resolve("waiting.out");
      SOON.until("it waits", () -> says(shell, "queued and waiting"));
      waiting.destroy();
      assertEquals(1, waiting.waitFor(), output.toString());
      SOON.until("it says so", () -> says(shell, "has been revoked"));
      SOON.until(
          "its job is gone",
          () -> shell.run("squeue", "-h", "-o", "%i").ok().strip().equals(holder));
    } finally {
      shell.run("scancel", holder).whatever();
    }
  }

  private static boolean says(Session session, String text) {
    return session.read("waiting.out").contains(text);
  }

  @Test
  void componentsRunTogetherWithTheirTasksNumberedThrough() {
    String out = shell.shell("srun -Q -l -n1 echo a : -n2 echo b | sort").ok();
    assertEquals("0: a\n1: b\n2: b", out);
    assertEquals(
        "0: x\n1: x\n2: x",
        shell.shell("salloc -Q -n1 : -n2 srun -l --het-group=0,1 echo x | sort").ok());
  }

  @Test
  void aHostFileSaysWhereEachTaskRuns() throws IOException {
    Path hosts = cluster.dir().resolve("hosts");
    Files.writeString(hosts, "n2\nn1\nn2\n");
    assertEquals(
        "0: n2\n1: n1\n2: n2",
        shell
            .with("SLURM_HOSTFILE", hosts.toString())
            .shell("srun -l printenv SLURMD_NODENAME | sort")
            .ok());
  }

  @Test
  void aTerminalIsHandedOnWithItsSize() {
    String out =
        shell
            .shell("script -qec 'stty rows 33 cols 77; srun --pty stty size' /dev/null < /dev/null")
            .ok();
    assertTrue(out.contains("33 77"), out);
    assertEquals(
        "0\n1", shell.shell("srun -u bash -c '[ -t 1 ]; echo $?; [ -t 2 ]; echo $?'").ok());
  }
}
