package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Steps that are started from another machine than that of their nodes. For that the agent runs
 * where the nodes' directories are not to be seen: their sockets cannot be reached, only their
 * ports. Needs root, for a mount namespace.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class RemoteStepTest {
  private static final Await SOON = Await.seconds(60);

  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() {
    assumeTrue(
        System.getProperty("user.name").equals("root"), "mount namespaces are for root alone");
    cluster = Cluster.start(Conf.nodes(4, 4).with("TreeWidth", 2).with("PrologFlags", "X11"));
    shell = cluster.admin();
    cluster.agent().stop();
    shell
        .shell(
            "exec setsid unshare -m bash -c 'mount -t tmpfs -o mode=755 none "
                + cluster.dir().resolve("spool")
                + " && exec "
                + Checkout.daemon("dure-agent")
                + " -f "
                + cluster.dir().resolve("slurm.conf")
                + " -L "
                + cluster.dir().resolve("log/agent.log")
                + "'")
        .ok();
    Path gateway = cluster.dir().resolve("run/relay.sock");
    SOON.until("the other agent serves", () -> Files.exists(gateway));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void tasksOfAllNodesWriteAndReadAtTheFrontEnd() {
    assertEquals(
        "0: n1\n1: n2\n2: n3\n3: n4",
        shell.shell("srun -N4 -l printenv SLURMD_NODENAME | sort").ok());
    assertEquals("in\nin\nin\nin", shell.shell("echo in | srun -N4 cat").ok());
    assertEquals("n1", shell.shell("srun -w n1 printenv SLURMD_NODENAME").ok());
    assertEquals("40000000", shell.shell("srun -N4 head -c 10000000 /dev/zero | wc -c").ok());
  }

  @Test
  void codesAndSignalsPass() {
    String codes = shell.shell("srun -Q -N4 bash -c 'exit $SLURM_PROCID' 2>&1; echo code $?").ok();
    assertTrue(codes.contains("n3: task 2: Exited with exit code 2"), codes);
    assertTrue(codes.endsWith("code 3"), codes);
    String said = shell.shell("srun -N4 bash -c 'kill -9 $$' 2>&1; echo code $?").ok();
    assertTrue(said.contains("code 137"), said);
    assertEquals(
        "left",
        shell
            .shell(
                "salloc -Q -N2 bash -c 'srun -Q bash -c \"touch began; sleep 600\" & "
                    + "until [ -e began ]; do :; done; kill $!; wait; echo left' 2>/dev/null")
            .ok());
  }

  @Test
  void clientsOnTheNodesReachTheXServer() throws IOException {
    Path known = EchoingXServer.xauth(cluster.dir().resolve("xauth"), true);
    String exchange =
        "bash -c 'number=${DISPLAY#*:}; exec 3<>/dev/tcp/127.0.0.1/$((6000 + ${number%.0}));"
            + " { head -c 1000000 /dev/zero >&3; } & head -c 1000000 <&3 | tr -d \"\\377\" | wc -c'";
    try (EchoingXServer server = new EchoingXServer()) {
      assertEquals(
          "0\n0",
          shell
              .with("DISPLAY", server.display())
              .with("PATH", known + ":" + shell.environment().get("PATH"))
              .shell("srun --x11 -N2 " + exchange)
              .ok());
      assertEquals(2, server.connections.get());
    }
  }

  @Test
  void filesAndQuestionsReachTheNodes() {
    Set<String> lines =
        new TreeSet<>(
            shell
                .shell(
                    "salloc -Q -N2 bash -c 'sbcast -f /etc/hostname /tmp/sent.$SLURM_JOB_ID;"
                        + " srun -Q -N1 cmp /etc/hostname /tmp/sent.$SLURM_JOB_ID && echo same;"
                        + " srun -Q -N1 rm -f /tmp/sent.$SLURM_JOB_ID;"
                        + " srun -Q cat /dev/zero >/dev/null & "
                        + " until sstat -n -a -j $SLURM_JOB_ID -o ntasks%3 | grep -q 2; do :; done;"
                        + " echo seen; kill $!; wait' 2>/dev/null")
                .ok()
                .lines()
                .toList());
    assertEquals(Set.of("same", "seen"), lines);
  }
}
