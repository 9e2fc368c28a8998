package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The site's programs at the controller, and those around a task. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class ControllerScriptsTest {
  private static final Await SOON = Await.seconds(60);

  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Cluster.prepare(
            Conf.nodes(1, 8)
                .with("PrologSlurmctld", "{dir}/prologctld")
                .with("EpilogSlurmctld", "{dir}/epilogctld")
                .with("TaskProlog", "{dir}/taskprolog")
                .with("TaskEpilog", "{dir}/taskepilog"));
    String dir = cluster.dir().toString();
    program(
        "prologctld",
        """
        #!/bin/bash
        cd %1$s
        echo "$SLURM_SCRIPT_CONTEXT $SLURM_JOB_NODELIST" >> order-$SLURM_JOB_NAME
        [ $SLURM_JOB_NAME != bad ] || exit 1
        while [ $SLURM_JOB_NAME = gated -a ! -e gate ]; do /bin/sleep 0.05; done
        while [ $SLURM_JOB_NAME = hanging ]; do /bin/sleep 0.05; done
        """
            .formatted(dir));
    program(
        "epilogctld",
        """
        #!/bin/bash
        echo "$SLURM_SCRIPT_CONTEXT $SLURM_JOB_EXIT_CODE2" >> %1$s/order-$SLURM_JOB_NAME
        exit 7
        """
            .formatted(dir));
    program("taskprolog", "#!/bin/bash\necho export SCRATCH=/scratch/$SLURM_JOB_ID\n");
    program("taskepilog", "#!/bin/bash\necho after $SLURM_JOB_ID\n");
    cluster.startAll();
    shell = cluster.admin();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aJobIsConfiguringUntilThePrologIsOver() throws IOException {
    int job = shell.submit("-J", "gated", "-o", "out", "--wrap", "echo $SCRATCH; exit 3");
    SOON.until("the prolog runs", () -> !text("order-gated").isEmpty());
    assertEquals("CONFIGURING", cluster.job(job).get("JobState"));
    assertEquals("CF Prolog", shell.run("squeue", "-h", "-j", "" + job, "-o", "%t %r").ok());
    cluster.controller().kill9();
    cluster.controller().start();
    cluster.awaitNodes();
    SOON.until("it runs again", () -> text("order-gated").lines().count() == 2);
    // What it forks has its words until it is another program.
    SOON.until(
        "that of the former controller is ended",
        () -> Processes.mentioning(cluster.dir() + "/prologctld").size() == 1);
    Files.createFile(cluster.dir().resolve("gate"));
    cluster.await(job, "FAILED", "3:0");
    SOON.until("the epilog has run", () -> text("order-gated").lines().count() == 3);
    assertTrue(text("order-gated").endsWith("prolog_slurmctld n1\nepilog_slurmctld 3:0\n"));
    assertEquals("/scratch/%1$d\nafter %1$d\n".formatted(job), shell.read("out"));
  }

  @Test
  void aJobWhosePrologFailsDoesNotRun() {
    int job = shell.submit("-J", "bad", "--no-requeue", "-o", "bad", "--wrap", "echo ran");
    assertEquals("JobLaunchFailure", cluster.await(job, "FAILED").get("Reason"));
    SOON.until("the epilog has run", () -> text("order-bad").contains("epilog"));
    assertEquals("", shell.read("bad"));
    assertTrue(!cluster.node("n1").get("State").contains("DRAIN"));
  }

  @Test
  void aCancelledJobsPrologIsEnded() {
    int job = shell.submit("-J", "hanging", "--wrap", "true");
    SOON.until("the prolog runs", () -> !text("order-hanging").isEmpty());
    shell.run("scancel", Integer.toString(job)).okSilently();
    cluster.await(job, "CANCELLED");
    SOON.until("the epilog has run", () -> text("order-hanging").contains("epilog"));
    assertTrue(
        Processes.mentioning(cluster.dir() + "/prologctld").stream()
            .noneMatch(seen -> seen.environment().contains("SLURM_JOB_ID=" + job + "\0")));
  }

  private static String text(String file) {
    try {
      return Files.readString(cluster.dir().resolve(file));
    } catch (IOException e) {
      return "";
    }
  }

  private static void program(String name, String text) throws IOException {
    Path file = Files.writeString(cluster.dir().resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
