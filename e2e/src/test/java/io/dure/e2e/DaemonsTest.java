package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The daemons as administrators and their units know them: options, signals, names, refusals. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class DaemonsTest {
  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(2, 8));
    shell = cluster.admin();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void theyAreFoundUnderSlurmsNames() {
    assertEquals("slurmctld", Processes.name(cluster.controller().pid()));
    assertEquals("slurmd", Processes.name(cluster.daemonOf("n1").pid()));
    List<String> found = shell.run("pgrep", "-x", "slurmctld").ok().lines().toList();
    assertTrue(found.contains(Integer.toString(cluster.controller().pid())), found.toString());
    int node = cluster.daemonOf("n1").pid();
    assertEquals("slurmd", Processes.program(node));
    List<String> byWords = shell.run("pgrep", "-f", "sbin/slurmd .*-N n1").ok().lines().toList();
    assertTrue(byWords.contains(Integer.toString(node)), byWords.toString());
    assertEquals("slurm 26.05.3", daemon("slurmctld", "-V").ok().strip());
    assertEquals("slurm 26.05.3", daemon("slurmd", "-V").ok().strip());
    assertEquals("slurm 26.05.3", daemon("slurmdbd", "-V").ok().strip());
    assertTrue(daemon("slurmd", "-C").ok().startsWith("NodeName="));
  }

  @Test
  void aSecondOneIsRefused() {
    String file = cluster.confFile().toString();
    int pid = cluster.controller().pid();
    String pidFile = cluster.dir() + "/run/controller.pid";
    daemon("slurmctld", "-f", file)
        .fails(1, "slurmctld: fatal: " + pidFile + " is held by a running process (" + pid + ")");
    String second = daemon("slurmd", "-N", "n1", "-f", file).whatever();
    assertTrue(
        second.contains("is held by a running process (" + cluster.daemonOf("n1").pid() + ")"),
        second);
    assertTrue(second.startsWith("exit 1\n"), second);
    assertEquals(pid, cluster.controller().pid());
  }

  @Test
  void aSecondOneOnTheSameStateIsRefusedToo() {
    Path other =
        shell.script(
            "other.conf",
            Conf.nodes(1, 1)
                .text(cluster.dir(), Cluster.freePort(2), "localhost")
                .replace("run/controller.pid", "home/other.pid")
                .replace("log/controller.log", "home/other.log"));
    String second = daemon("slurmctld", "-f", other.toString()).whatever();
    assertTrue(second.startsWith("exit 1\nslurmctld: fatal: "), second);
    assertTrue(second.contains(cluster.dir() + "/state"), second);
    shell.run("scontrol", "ping").ok();
  }

  @Test
  void aBadFileIsRefusedWithItsLine() {
    String text = Conf.nodes(1, 1).text(cluster.dir().resolve("no"), 27_817, "localhost");
    Path typo = shell.script("typo.conf", text + "SlurmctldPrt=1\n");
    int line = (int) text.lines().count() + 1;
    for (String name : List.of("slurmctld", "slurmd")) {
      String said = daemon(name, "-f", typo.toString()).whatever();
      assertTrue(said.startsWith("exit 1\n"), said);
      assertTrue(said.contains(typo + ":" + line) || said.contains("line " + line), said);
      assertTrue(said.contains("SlurmctldPort"), said);
    }
    assertTrue(
        daemon("slurmd", "-N", "nobody", "-f", cluster.confFile().toString())
            .whatever()
            .startsWith("exit 1\n"));
    assertTrue(daemon("slurmctld", "-f", "/no/such/file").whatever().startsWith("exit 1\n"));
    String option = daemon("slurmctld", "--nonsense").whatever();
    assertTrue(option.startsWith("exit 1\n"), option);
  }

  @Test
  void hangupReadsTheFileAgain() {
    int job = shell.submit("-o", "/dev/null", "--wrap", "sleep 600");
    cluster.await(job, "RUNNING");
    cluster.configure(Conf.nodes(2, 8).line("PartitionName=new Nodes=n2 MaxTime=60 State=UP"));
    cluster.controller().signal("HUP");
    Await.seconds(20)
        .until("the new partition", () -> cluster.partitions().contains("PartitionName=new "));
    assertEquals("n2", cluster.await(inNew(), "COMPLETED").get("NodeList"));
    cluster.configure(Conf.nodes(2, 8).line("PartitionNme=worse"));
    cluster.controller().signal("HUP");
    Await.seconds(20)
        .until("the refusal", () -> cluster.controller().log().contains("PartitionNme"));
    cluster.configure(Conf.nodes(2, 8));
    assertEquals("n2", cluster.await(inNew(), "COMPLETED").get("NodeList"));
    assertTrue(cluster.job(job).is("RUNNING"));
    shell.run("scontrol", "reconfigure").okSilently();
    shell
        .run("sbatch", "-p", "new", "--wrap", "true")
        .fails(
            1,
            "sbatch: error: invalid partition specified: new",
            "sbatch: error: Batch job submission failed: Invalid partition name specified");
    shell.run("scancel", Integer.toString(job)).okSilently();
    cluster.await(job, "CANCELLED");
  }

  private static int inNew() {
    return shell.submit("-p", "new", "-o", "/dev/null", "--wrap", "true");
  }

  private static Ran daemon(String name, String... words) {
    String[] all = new String[words.length + 1];
    all[0] = Checkout.daemon(name).toString();
    System.arraycopy(words, 0, all, 1, words.length);
    return shell.run(all);
  }
}
