package io.dure.e2e.contributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code seff}, {@code smail}, {@code sjobexitmod} and {@code sjstat} with a real cluster. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class ReportCommandsTest {
  private static final Await SOON = Await.seconds(60);

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

  private static String ended(String... words) {
    String id = Integer.toString(shell.submit(words));
    SOON.until(
        "the books have its end",
        () -> shell.run("sacct", "-nPX", "-j", id, "-o", "end").ok().startsWith("2"));
    return id;
  }

  @Test
  void whatAJobUsedIsReported() {
    String id = ended("-n2", "--wrap", "exit 3");
    List<String> lines = shell.run("seff", id).ok().lines().toList();
    assertEquals("Job ID: " + id, lines.getFirst());
    assertEquals("State: FAILED (exit code 3)", lines.get(3));
    assertEquals("Nodes: 1", lines.get(4));
    assertEquals("Cores per node: 2", lines.get(5));
    assertTrue(lines.getLast().startsWith("Memory Efficiency: "), lines.getLast());
    shell.run("seff", "4000").fails(2, "Job not found.");
  }

  @Test
  void theMailOfAnEndHasTheReport() throws IOException {
    String id = ended("--wrap", "true");
    Path programs = Files.createDirectories(cluster.dir().resolve("mail"));
    Path mail = programs.resolve("mail");
    Files.writeString(mail, "#!/bin/sh\necho \"$2 to $3\"\ncat\n");
    Files.setPosixFilePermissions(mail, PosixFilePermissions.fromString("rwxr-xr-x"));
    String smail = Checkout.root().resolve("libexec/smail").toString();
    Session controller = shell.with("PATH", programs + ":/usr/bin:/bin").with("SLURM_JOB_ID", id);
    String sent =
        controller.run(smail, "-s", "Slurm Job_id=" + id + " Name=wrap Ended, Run", "zoe").ok();
    assertTrue(
        sent.startsWith("Slurm Job_id=" + id + " Name=wrap Ended, Run to zoe\nJob ID"), sent);
    assertTrue(sent.contains("\nState: COMPLETED (exit code 0)\n"), sent);
    String begun = controller.run(smail, "-s", "Slurm Job_id=1 Name=w Began", "zoe").ok();
    assertEquals("Slurm Job_id=1 Name=w Began to zoe", begun.strip());
  }

  @Test
  void whatAUserSaysOfAnEndIsKept() {
    String id = ended("--wrap", "true");
    assertEquals(
        "Modification of job " + id + " was successful.",
        shell.run("sjobexitmod", "-e", "49", "-r", "out of memory", id).ok().strip());
    String listed = shell.run("sjobexitmod", "-l", id).ok();
    assertTrue(listed.contains(" 0:0            49:0  out of memory"), listed);
  }

  @Test
  void partitionsAndJobsAreShown() {
    int job = shell.submit("-n3", "--wrap", "sleep 300");
    cluster.await(job, "RUNNING");
    List<String> lines = shell.run("sjstat").ok().lines().toList();
    assertEquals("Scheduling pool data:", lines.getFirst());
    assertTrue(lines.get(4).endsWith("8      2      2      1"), lines.get(4));
    assertTrue(lines.contains("Running job data:"), () -> String.join("\n", lines));
    assertTrue(
        lines.stream().anyMatch(line -> line.startsWith(job + " ") && line.contains("   3 ")),
        () -> String.join("\n", lines));
    shell.run("scancel", Integer.toString(job)).okSilently();
  }
}
