package io.dure.e2e.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Programs of strigger, which run once when something happens, through kills of the controller. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class TriggersTest {
  private static final Await SOON = Await.seconds(60);

  @TempDir Path directory;
  private Cluster cluster;
  private Session shell;
  private Path program;

  @BeforeEach
  void start() throws IOException {
    program =
        Files.writeString(
            directory.resolve("program"),
            "#!/bin/sh\necho \"$@\" >> " + directory.resolve("told") + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    cluster = Cluster.start(Conf.nodes(2, 2));
    shell = cluster.admin();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private List<String> told() throws IOException {
    Path file = directory.resolve("told");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  @Test
  void aNodeThatGoesDownAndAJobThatEnds() throws IOException {
    String job =
        shell.run("sbatch", "--parsable", "-o", "/dev/null", "--wrap", "sleep 600").ok().strip();
    shell.run("strigger", "--set", "--node", "--down", "-p", program + " down").ok();
    shell.run("strigger", "--set", "--up", "--flags=PERM", "-p", program + " up").ok();
    shell.run("strigger", "--set", "-j", job, "--fini", "-p", program + " fini").ok();
    List<String> listed = shell.run("strigger", "--get").ok().lines().toList();
    assertTrue(listed.getFirst().startsWith("TRIG_ID RES_TYPE"), listed::toString);
    assertEquals(4, listed.size(), listed::toString);
    assertEquals(1, shell.run("strigger", "--get", "-N", "-j", job).ok().lines().count());
    cluster.controller().kill9();
    cluster.controller().start();
    String node = shell.run("sinfo", "-h", "-N", "-o", "%N").ok().lines().toList().getLast();
    shell.run("scontrol", "update", "nodename=" + node, "state=down", "reason=test").ok();
    SOON.until("the node is told of", () -> told().contains("down " + node));
    cluster.controller().kill9();
    cluster.controller().start();
    shell.run("scontrol", "update", "nodename=" + node, "state=resume").ok();
    SOON.until("that it is up", () -> told().contains("up " + node));
    shell.run("scancel", job).ok();
    SOON.until("the job is told of", () -> told().contains("fini " + job));
    SOON.until(
        "the permanent one is left",
        () -> shell.run("strigger", "--get", "-N").ok().lines().count() == 1);
    shell.run("strigger", "--clear", "--id=2").ok();
    assertEquals("", shell.run("strigger", "--get", "-N").ok());
    assertEquals(List.of("down " + node, "up " + node, "fini " + job), told(), "each once");
  }

  @Test
  void whatIsWrongIsRefused() {
    shell
        .run("strigger")
        .fails(
            1,
            "strigger: error: You must use exactly one of the following options: --set, --get or"
                + " --clear");
    shell
        .run("strigger", "--set", "-j", "4000", "--fini", "-p", program.toString())
        .fails(1, "slurm_set_trigger: Invalid job id specified");
    shell
        .run("strigger", "--set", "--node=nowhere", "--down", "-p", program.toString())
        .fails(1, "slurm_set_trigger: Invalid node name specified");
    shell
        .run("strigger", "--set", "--down", "-p", "program")
        .fails(1, "strigger: error: The path to the program must be fully qualified");
    shell.run("strigger", "--clear", "--id=77", "-Q").fails(1);
  }
}
