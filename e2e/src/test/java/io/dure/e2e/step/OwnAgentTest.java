package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Steps and allocations on a machine that no agent serves: each call starts one for itself. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class OwnAgentTest {
  private static Cluster cluster;
  private static Session alone;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(2, 4));
    alone = cluster.admin().with("DURE_AGENT", "");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void stepsHaveTheirStreamsAndCodes() {
    assertEquals("0: a\n1: a", alone.shell("srun -N2 -n2 -l echo a | sort").ok());
    assertEquals("data", alone.shell("echo data | srun cat").ok());
    String failed = alone.run("srun", "-Q", "sh", "-c", "exit 3").whatever();
    assertTrue(failed.startsWith("exit 3\n"), failed);
    String wrong = alone.run("srun", "--nosuch", "true").whatever();
    assertTrue(wrong.startsWith("exit 255\nsrun: unrecognized option '--nosuch'\n"), wrong);
  }

  @Test
  void tasksSeeNothingOfIt() {
    String seen = alone.shell("srun env | grep ^DURE_ | sort").ok();
    assertEquals("DURE_AGENT=", seen);
  }

  @Test
  void allocationsHaveStepsAndFilesAreSent() {
    String inside = "srun -Q echo inner; sbcast -f /etc/passwd " + cluster.dir() + "/sent; exit 4";
    String said = alone.run("salloc", "-Q", "-n1", "sh", "-c", inside).whatever();
    assertTrue(said.startsWith("exit 4\ninner\n"), said);
    assertTrue(Path.of(cluster.dir() + "/sent").toFile().length() > 0);
  }

  @Test
  void nothingIsLeftOfACallThatWasKilled() {
    String script =
        """
        srun sleep 1000 >/dev/null 2>&1 & caller=$!
        until [ -n "$(squeue -h -s)" ]; do sleep 0.1; done
        pgrep -P $caller
        kill -9 $caller
        """;
    List<Long> own = alone.shell(script).ok().lines().map(Long::valueOf).toList();
    assertEquals(1, own.size(), own::toString);
    Await.seconds(60).until("its agent ends", () -> ProcessHandle.of(own.getFirst()).isEmpty());
    Await.seconds(60).until("its job ends", () -> alone.run("squeue", "-h").ok().isEmpty());
  }
}
