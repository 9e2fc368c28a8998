package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What cgroup.conf says is what a job meets, with control groups of version 1. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class CgroupConfTest {
  private static final Await SOON = Await.seconds(60);

  private static Cluster cluster;
  private static Session alice;

  @BeforeAll
  static void start() throws Exception {
    User.assumeRoot();
    assumeTrue(
        Files.exists(Path.of("/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes")),
        "needs control groups of version 1 that account swap");
    cluster = Cluster.prepare(Conf.nodes(1, 2).with("TaskPlugin", "task/cgroup"));
    Files.writeString(
        cluster.confFile().resolveSibling("cgroup.conf"),
        """
        CgroupPlugin=cgroup/v1
        CgroupMountpoint=/sys/fs/cgroup
        ConstrainCores=no
        AllowedRAMSpace=150
        ConstrainSwapSpace=yes
        AllowedSwapSpace=25
        MaxRAMPercent=5
        MinRAMSpace=30
        MemorySwappiness=10
        SignalChildrenProcesses=no
        """);
    cluster.startAll();
    alice = cluster.as(User.named("dure-alice"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String limits(String... options) {
    String look =
        "group=/sys/fs/cgroup/memory$(grep -E '^[0-9]+:memory:' /proc/self/cgroup | cut -d: -f3);"
            + " cd $group/..;"
            + " for file in soft_limit_in_bytes limit_in_bytes memsw.limit_in_bytes; do"
            + " echo $(($(cat memory.$file) >> 20)); done; cat memory.swappiness;"
            + " grep Cpus_allowed_list /proc/self/status | cut -f2";
    String[] words = new String[options.length + 5];
    words[0] = "srun";
    words[1] = "-Q";
    System.arraycopy(options, 0, words, 2, options.length);
    words[options.length + 2] = "bash";
    words[options.length + 3] = "-c";
    words[options.length + 4] = look;
    return alice.run(words).ok().replace('\n', ' ');
  }

  @Test
  void theLimitsAreThoseOfTheFile() throws Exception {
    String all = Files.readString(Path.of("/sys/fs/cgroup/cpuset/cpuset.cpus")).strip();
    assertEquals("100 150 175 10 " + all, limits("--mem=100"));
    // Five in a hundred of the node's 4,000 MiB are the most, and 30 MiB the least.
    assertEquals("8796093022207 200 300 10 " + all, limits("--mem=400"));
    assertEquals("10 30 33 10 " + all, limits("--mem=10"));
  }

  @Test
  void signalsReachTheTasksAlone() {
    Path up = alice.directory().resolve("up");
    String child = "trap 'echo child' TERM; touch " + up + "; sleep 3 & wait; sleep 1000";
    String task = "trap 'echo task; exit 7' TERM; bash -c \"" + child + "\" & wait; wait";
    int job = alice.submit("--mem=200", "-o", "said", "--wrap", task);
    SOON.until("its child is up", () -> Files.exists(up));
    String sent = alice.run("scancel", "--full", "-s", "TERM", "" + job).whatever();
    assertEquals("exit 0\n", sent, () -> alice.read("said") + cluster.job(job));
    SOON.until("the task has heard it", () -> alice.read("said").contains("task"));
    cluster.await(job, "FAILED");
    assertEquals("task\n", alice.read("said"));
  }
}
