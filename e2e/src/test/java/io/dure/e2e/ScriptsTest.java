package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The site's own programs around a job: prolog, epilog and health check. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class ScriptsTest {
  private static final Await SOON = Await.seconds(30);

  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Cluster.prepare(
            Conf.nodes(1, 8)
                .with("Prolog", "{dir}/prolog")
                .with("Epilog", "{dir}/epilog")
                .with("HealthCheckProgram", "{dir}/health")
                .with("HealthCheckInterval", 2)
                .with("HealthCheckNodeState", "ANY"));
    String dir = cluster.dir().toString();
    for (String script : List.of("prolog", "epilog")) {
      program(
          script,
          """
          #!/bin/bash
          env > %1$s/%2$s-$SLURM_JOB_ID.env
          echo %2$s >> %1$s/order-$SLURM_JOB_ID
          echo noise
          echo noise >&2
          [ ! -e %1$s/%2$s-fails ]
          """
              .formatted(dir, script));
    }
    program(
        "health",
        """
        #!/bin/bash
        echo run >> %1$s/health.runs
        [ -e %1$s/ill ] || exit 0
        export PATH=/usr/bin:/bin SLURM_CONF=%1$s/slurm.conf
        exec %2$s update NodeName=n1 State=DRAIN Reason=ill
        """
            .formatted(dir, Checkout.command("scontrol")));
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
  void prologAndEpilogKnowTheirJob() {
    int job =
        shell.submit(
            "-J",
            "named",
            "-o",
            "out",
            "--extra=tag=7",
            "--exclusive",
            "--wrap",
            "echo job >> "
                + cluster.dir()
                + "/order-$SLURM_JOB_ID; "
                + Checkout.command("srun")
                + " sh -c 'exit 7' 2> err; exit 3");
    cluster.await(job, "FAILED", "3:0");
    Map<String, String> before = environment("prolog", job);
    Map<String, String> after = environment("epilog", job);
    assertEquals("prolog\njob\nepilog\n", text("order-" + job));
    for (Map<String, String> seen : List.of(before, after)) {
      assertEquals(Integer.toString(job), seen.get("SLURM_JOB_ID"));
      assertEquals(Integer.toString(job), seen.get("SLURM_JOBID"));
      assertEquals(Integer.toString(User.SELF.uid()), seen.get("SLURM_JOB_UID"));
      assertEquals(Integer.toString(User.SELF.gid()), seen.get("SLURM_JOB_GID"));
      assertEquals(User.SELF.name(), seen.get("SLURM_JOB_USER"));
      assertEquals("main", seen.get("SLURM_JOB_PARTITION"));
      assertEquals("n1", seen.get("SLURM_JOB_NODELIST"));
      assertEquals("n1", seen.get("SLURMD_NODENAME"));
      assertEquals("e2e", seen.get("SLURM_CLUSTER_NAME"));
      assertEquals(cluster.confFile().toString(), seen.get("SLURM_CONF"));
      assertEquals(shell.directory().toString(), seen.get("SLURM_JOB_WORK_DIR"));
      assertEquals("tag=7", seen.get("SLURM_JOB_EXTRA"));
      assertEquals("NODE", seen.get("SLURM_JOB_EXCLUSIVE"));
      assertEquals("NO", seen.get("SLURM_JOB_OVERSUBSCRIBE"));
      assertTrue(seen.getOrDefault("SLURM_JOB_SLUID", "").startsWith("s"), seen::toString);
      assertEquals(null, seen.get("HOME"), "no login's variables");
    }
    assertEquals("prolog_slurmd", before.get("SLURM_SCRIPT_CONTEXT"));
    assertEquals("epilog_slurmd", after.get("SLURM_SCRIPT_CONTEXT"));
    assertEquals("768", after.get("SLURM_JOB_EXIT_CODE"));
    assertEquals("1792", after.get("SLURM_JOB_DERIVED_EC"), "of its step");
    assertEquals("", shell.read("out"), "their noise is not the job's output");
  }

  @Test
  void aFailedPrologDrainsTheNodeAndHoldsTheJob() throws IOException {
    Path fails = Files.createFile(cluster.dir().resolve("prolog-fails"));
    int job = shell.submit("-o", "held", "--wrap", "echo ran");
    SOON.value("the node is drained", () -> cluster.node("n1"), ScriptsTest::isDrained);
    assertTrue(cluster.node("n1").get("Reason").startsWith("Prolog error"));
    SOON.until("the job is held", () -> cluster.job(job).get("Reason").contains("held"));
    assertTrue(cluster.job(job).is("PENDING"));
    assertEquals("", shell.read("held"));
    Files.delete(fails);
    resume();
    shell.run("scontrol", "release", Integer.toString(job)).okSilently();
    cluster.await(job, "COMPLETED", "0:0");
    assertEquals("ran\n", shell.read("held"));
  }

  @Test
  void aFailedEpilogDrainsTheNode() throws IOException {
    Path fails = Files.createFile(cluster.dir().resolve("epilog-fails"));
    int job = shell.submit("-o", "/dev/null", "--wrap", "exit 2");
    cluster.await(job, "FAILED", "2:0");
    SOON.value("the node is drained", () -> cluster.node("n1"), ScriptsTest::isDrained);
    assertTrue(cluster.node("n1").get("Reason").startsWith("Epilog error"));
    Files.delete(fails);
    resume();
  }

  @Test
  void theHealthCheckDrainsByItself() throws IOException {
    SOON.until("it has run twice", () -> text("health.runs").startsWith("run\nrun\n"));
    Path ill = Files.createFile(cluster.dir().resolve("ill"));
    SOON.value("the node is drained", () -> cluster.node("n1"), ScriptsTest::isDrained);
    assertTrue(cluster.node("n1").get("Reason").startsWith("ill"));
    Files.delete(ill);
    SOON.until("a healthy run", ScriptsTest::ranAgain);
    resume();
  }

  private static boolean ranAgain() {
    String before = text("health.runs");
    SOON.until("the next check", () -> text("health.runs").length() > before.length() + 4);
    return true;
  }

  private static void resume() {
    shell.run("scontrol", "update", "NodeName=n1", "State=RESUME").okSilently();
    cluster.awaitNodes();
  }

  private static boolean isDrained(Shown node) {
    return node.get("State").contains("DRAIN");
  }

  private static Map<String, String> environment(String script, int job) {
    return text(script + "-" + job + ".env")
        .lines()
        .filter(line -> line.contains("="))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf('=')),
                line -> line.substring(line.indexOf('=') + 1)));
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
