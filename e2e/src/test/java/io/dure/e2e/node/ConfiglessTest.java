package io.dure.e2e.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node daemon that has no configuration but what it fetches from the controller. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class ConfiglessTest {
  private static final Await SOON = Await.seconds(60);

  private Cluster cluster;
  private Path fetched;
  private Daemon node;

  private static Conf conf(int killWait) {
    return Conf.nodes(2, 4)
        .with("SlurmctldParameters", "enable_configless")
        .with("GresTypes", "gpu")
        .with("KillWait", killWait)
        .line("Include partitions/extra.conf");
  }

  @BeforeEach
  void start() throws IOException {
    cluster = Cluster.prepare(conf(2));
    Files.createDirectory(cluster.dir().resolve("partitions"));
    Files.writeString(
        cluster.dir().resolve("partitions/extra.conf"), "PartitionName=extra Nodes=n2\n");
    Files.writeString(cluster.dir().resolve("gres.conf"), "# none\n");
    cluster.startAll();
    cluster.daemonOf("n2").stop();
    fetched = cluster.dir().resolve("fetched");
    node =
        Daemon.configless(
            cluster.dir(),
            "n2",
            "127.0.0.1:1,127.0.0.1:" + cluster.port(),
            fetched,
            cluster.admin().environment());
  }

  @AfterEach
  void stop() {
    if (node != null && node.isAlive()) {
      node.stop();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private String text(String name) throws IOException {
    return Files.readString(fetched.resolve("conf").resolve(name));
  }

  private void awaitIdle() {
    SOON.until("n2 is up", () -> cluster.node("n2").get("State").equals("IDLE"));
  }

  @Test
  void runsJobsWithTheFilesOfTheController() throws IOException {
    node.start();
    awaitIdle();
    assertEquals(Files.readString(cluster.confFile()), text("slurm.conf"));
    assertEquals("PartitionName=extra Nodes=n2\n", text("partitions/extra.conf"));
    assertEquals("# none\n", text("gres.conf"));
    Session shell = cluster.admin();
    int job =
        shell.submit(
            "-p",
            "extra",
            "--mem=800",
            "-o",
            "job.out",
            "--wrap",
            "echo $SLURM_CONF; squeue -h -o %P; srun hostname");
    cluster.await(job, "COMPLETED");
    List<String> said = shell.read("job.out").lines().toList();
    assertEquals(fetched.resolve("conf/slurm.conf").toString(), said.get(0));
    assertEquals("extra", said.get(1));
    assertEquals(3, said.size(), said.toString());
  }

  @Test
  void fetchesThemAgainWhenTheyAreChanged() throws IOException {
    node.start();
    awaitIdle();
    cluster.configure(conf(7));
    Files.delete(cluster.dir().resolve("gres.conf"));
    assertTrue(text("slurm.conf").contains("KillWait=2\n"), "not before the controller has them");
    cluster.admin().run("scontrol", "reconfigure").ok();
    SOON.until("it has the new ones", () -> text("slurm.conf").contains("KillWait=7\n"));
    SOON.until("it read them", () -> node.log().contains("configuration reloaded"));
    assertFalse(Files.exists(fetched.resolve("conf/gres.conf")), "what is gone is gone there, too");
  }

  @Test
  void startsWithThoseOfTheLastTimeWhileNoControllerAnswers() {
    node.start();
    awaitIdle();
    node.stop();
    cluster.controller().stop();
    node.attempt()
        .okSaying(
            "slurmd: no controller gave its configuration: 127.0.0.1:1: Connection refused;"
                + " 127.0.0.1:"
                + cluster.port()
                + ": Connection refused; the files of the last time are used");
    cluster.controller().start();
    awaitIdle();
  }

  @Test
  void isRefusedWhereTheControllerDoesNotGiveThem() {
    cluster.configure(conf(2).with("SlurmctldParameters", "idle_on_node_suspend"));
    cluster.admin().run("scontrol", "reconfigure").ok();
    node.attempt()
        .fails(
            1,
            "slurmd: fatal: 127.0.0.1: Requested operation is presently disabled:"
                + " SlurmctldParameters does not have enable_configless");
  }

  @Test
  void aServerThatIsNoneIsTold() {
    for (String wrong : List.of("", "host:", "host:0", ":6817", "a,,b", "host:70000")) {
      String part = wrong.equals("a,,b") ? "" : wrong;
      Daemon bad =
          Daemon.configless(cluster.dir(), "n2", wrong, fetched, cluster.admin().environment());
      bad.attempt()
          .fails(
              1,
              "slurmd: fatal: --conf-server: \""
                  + part
                  + "\" is no controller: write HOST or HOST:PORT");
    }
  }
}
