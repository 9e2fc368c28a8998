package io.dure.e2e.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.e2e.cluster.SmallDisk;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node whose spool is full: no job can fill it, and it takes no jobs from others. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class FullSpoolTest {
  private static final Await SOON = Await.seconds(60);

  private Cluster cluster;
  private SmallDisk disk;
  private User alice;
  private User bob;

  @BeforeEach
  void start() throws IOException {
    alice = User.named("dure-alice");
    bob = User.named("dure-bob");
    String lack = SmallDisk.lacking();
    assumeTrue(lack == null, lack);
    disk = SmallDisk.mount(4);
    cluster = Cluster.prepare(Conf.nodes(2, 8));
    Files.createSymbolicLink(cluster.dir().resolve("spool/n1"), disk.directory());
    cluster.startAll();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  @Test
  void jobsOfAFullSpoolRunElsewhereAndTheNodeIsDrained() {
    disk.fill();
    Session his = cluster.as(bob);
    int job = his.submit("-a", "1-100", "-o", "out-%a", "--wrap", "echo $SLURMD_NODENAME");
    SOON.until("all have run on the other node", () -> ranOn(his, "n2") == 100);
    List<Shown> tasks = cluster.jobs();
    assertEquals(100, tasks.size());
    assertTrue(tasks.stream().allMatch(task -> task.get("ArrayJobId").equals("" + job)));
    SOON.until(
        "all are completed", () -> cluster.jobs().stream().allMatch(task -> task.is("COMPLETED")));
    assertTrue(cluster.jobs().stream().anyMatch(task -> task.get("Restarts").equals("1")));
    Shown drained = cluster.node("n1");
    assertTrue(drained.get("State").contains("DRAIN"), drained::toString);
    assertTrue(
        cluster
            .admin()
            .run("sinfo", "-h", "-n", "n1", "-o", "%E")
            .ok()
            .startsWith("batch job complete failure: "),
        drained::toString);
    int stays = his.submit("--no-requeue", "-w", "n2", "-o", "/no/such/dir/out", "--wrap", "true");
    cluster.await(stays, "FAILED");
    assertFalse(cluster.node("n2").get("State").contains("DRAIN"), "the job's own fault");
    disk.free();
    cluster.admin().run("scontrol", "update", "NodeName=n1", "State=RESUME").okSilently();
    cluster.await(his.submit("-w", "n1", "--wrap", "true"), "COMPLETED");
  }

  @Test
  void noJobFillsTheSpool() {
    Session hers = cluster.as(alice);
    hers.script(
        "fill.sh",
        """
        #!/bin/bash
        chmod 700 "$0"
        cat /dev/zero >>"$0"
        for fd in /proc/$$/fd/*; do
          [ "$(readlink "$fd")" = "$0" ] && cat /dev/zero >>"$fd"
        done
        cat /dev/zero >"${0%/*}/more"
        """);
    int job = hers.submit("-w", "n1", "fill.sh");
    SOON.until("it has ended", () -> cluster.job(job).is("FAILED"));
    Session his = cluster.as(bob);
    for (int i = 0; i < 3; i++) {
      cluster.await(his.submit("-w", "n1", "--wrap", "true"), "COMPLETED");
    }
    assertFalse(cluster.node("n1").get("State").contains("DRAIN"));
  }

  private static long ranOn(Session session, String node) {
    long count = 0;
    for (int i = 1; i <= 100; i++) {
      count += session.read("out-" + i).equals(node + "\n") ? 1 : 0;
    }
    return count;
  }
}
