package io.dure.e2e.scheduling;

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
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Jobs that stand still, or end, so that others can run. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class MakingRoomTest {
  private static final Await SOON = Await.seconds(60);

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        Cluster.start(
            Conf.nodes(1, 4)
                .with("PreemptType", "preempt/partition_prio")
                .with("PreemptMode", "CANCEL")
                .line("PartitionName=urgent Nodes=ALL PriorityTier=5"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aSuspendedJobStandsStillAndGoesOn() {
    Session shell = cluster.admin();
    int job = shell.submit("-c4", "-o", "/dev/null", "--wrap", "sleep 1000 & sleep 1000 & wait");
    cluster.await(job, "RUNNING");
    SOON.until("its three processes", () -> cluster.processesOf(job).size() >= 3);
    String id = Integer.toString(job);
    shell.run("scontrol", "suspend", id).okSilently();
    cluster.await(job, "SUSPENDED");
    SOON.until("all stand still", () -> states(job).stream().allMatch("T"::equals));
    int other = shell.submit("-c4", "-o", "/dev/null", "--wrap", "sleep 1000");
    cluster.await(other, "RUNNING");
    cluster.controller().kill9();
    cluster.controller().start();
    cluster.await(job, "SUSPENDED");
    assertTrue(states(job).stream().allMatch("T"::equals), () -> states(job).toString());
    shell.run("scontrol", "resume", id).okSilently();
    cluster.await(job, "RUNNING");
    SOON.until("all move", () -> states(job).stream().noneMatch("T"::equals));
    shell.run("scontrol", "suspend", id).okSilently();
    shell.run("scancel", id, Integer.toString(other)).okSilently();
    cluster.await(job, "CANCELLED");
    SOON.until("no process of job " + job, () -> cluster.processesOf(job).isEmpty());
  }

  /** What each of the job's processes does, by the letter of the kernel. */
  private static List<String> states(int job) {
    return cluster.processesOf(job).stream().map(MakingRoomTest::state).toList();
  }

  private static String state(Processes.Seen process) {
    try {
      String stat = Files.readString(Path.of("/proc", Integer.toString(process.pid()), "stat"));
      return stat.substring(stat.lastIndexOf(") ") + 2).substring(0, 1);
    } catch (IOException e) {
      return "gone";
    }
  }

  @Test
  void aJobOfAHigherPartitionEndsALowerOne() {
    Session shell = cluster.admin();
    int low = shell.submit("-c4", "-o", "low.out", "--wrap", "touch low; sleep 1000");
    SOON.until("low has begun", () -> shell.directory().resolve("low").toFile().exists());
    int high = shell.submit("-p", "urgent", "-c4", "-o", "/dev/null", "--wrap", "true");
    cluster.await(high, "COMPLETED");
    cluster.await(low, "PREEMPTED");
    assertTrue(shell.read("low.out").contains("DUE TO PREEMPTION"), shell.read("low.out"));
    assertEquals("None", cluster.job(low).get("Reason"));
  }
}
