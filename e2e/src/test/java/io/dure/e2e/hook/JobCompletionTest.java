package io.dure.e2e.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of ended jobs, through kills of the controller, as {@code sacct -c} reads them. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class JobCompletionTest {
  private static final Await SOON = Await.seconds(60);
  private static final int JOBS = 6;

  @TempDir Path directory;
  private Cluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobcomp/filetxt", "jobcomp/jsonlines"})
  void eachJobIsRecordedOnceThroughKills(String type) throws IOException {
    Path file = directory.resolve("jobs");
    cluster =
        Cluster.start(
            Conf.nodes(1, 4).with("JobCompType", type).with("JobCompLoc", file.toString()));
    Session shell = cluster.admin();
    for (int i = 1; i <= JOBS; i++) {
      shell.run("sbatch", "-J", "job" + i, "-o", "/dev/null", "--wrap", "exit " + i % 2).ok();
      if (i % 2 == 0) {
        cluster.controller().kill9();
        cluster.controller().start();
      }
    }
    SOON.until("all lines", () -> lines(file).size() >= JOBS);
    shell.run("sbatch", "-J", "last", "-o", "/dev/null", "--wrap", "true").ok();
    SOON.until("the last line", () -> String.join("", lines(file)).contains("last"));
    String listed =
        shell.run("sacct", "-c", "-n", "-P", "-o", "jobname,state,exitcode,user%20").ok();
    List<String> names =
        listed.lines().map(line -> line.substring(0, line.indexOf('|'))).sorted().toList();
    assertEquals(List.of("job1", "job2", "job3", "job4", "job5", "job6", "last"), names, listed);
    assertTrue(listed.contains("job1|FAILED|1:0|"), listed);
    assertTrue(listed.contains("job2|COMPLETED|0:0|"), listed);
  }

  /** The agent, which is root's, runs the command for bob. */
  @Test
  void aFileThatIsClosedToAUserIsNotListedToIt() throws IOException {
    Path file = directory.resolve("jobs");
    cluster =
        Cluster.start(
            Conf.nodes(1, 4)
                .with("PrivateData", "jobs")
                .with("JobCompType", "jobcomp/filetxt")
                .with("JobCompLoc", file.toString()));
    cluster.admin().run("sbatch", "-J", "secret", "-o", "/dev/null", "--wrap", "true").ok();
    SOON.until("its line", () -> String.join("", lines(file)).contains("secret"));
    Session bob = cluster.as(User.named("dure-bob"));
    String denied = "sacct: error: open: Permission denied";
    bob.run("sacct", "-c", "-a").fails(1, denied);
    assertTrue(cluster.admin().run("sacct", "-c", "-a").ok().contains("secret"));
  }

  @Test
  void withoutATypeNothingIsListed() throws IOException {
    cluster = Cluster.start(Conf.nodes(1, 1));
    cluster.admin().run("sacct", "-c").fails(1, "Slurm job completion is disabled");
  }
}
