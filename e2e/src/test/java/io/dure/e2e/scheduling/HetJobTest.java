package io.dure.e2e.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Heterogeneous jobs with real processes: one script, what it is told, and one end for all. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class HetJobTest {
  private static Cluster cluster;
  private static Session shell;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(3, 4));
    shell = cluster.admin();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void theScriptRunsOnceAndIsToldOfAllComponents() {
    shell.script(
        "het.sh",
        """
        #!/bin/bash
        #SBATCH -n1 -J one -o het-%j.out
        #SBATCH hetjob
        #SBATCH -n2 -J two
        env | grep '^SLURM_' | sort
        exit 3
        """);
    int job = shell.submit("het.sh");
    cluster.await(job, "FAILED", "3:0");
    Shown other = cluster.await(job + 1, "FAILED", "3:0");
    assertEquals(Integer.toString(job), other.get("HetJobId"));
    assertEquals("1", other.get("HetJobOffset"));
    assertEquals(job + "-" + (job + 1), other.get("HetJobIdSet"));
    assertEquals("two", other.get("JobName"));
    List<String> told = shell.read("het-" + job + ".out").lines().toList();
    String first = cluster.job(job).get("NodeList");
    for (String line :
        List.of(
            "SLURM_HET_SIZE=2",
            "SLURM_JOB_ID=" + job,
            "SLURM_JOB_ID_HET_GROUP_0=" + job,
            "SLURM_JOB_ID_HET_GROUP_1=" + (job + 1),
            "SLURM_JOB_NAME_HET_GROUP_1=two",
            "SLURM_NTASKS_HET_GROUP_0=1",
            "SLURM_NTASKS_HET_GROUP_1=2",
            "SLURM_JOB_NODELIST=" + first,
            "SLURM_JOB_NODELIST_HET_GROUP_0=" + first,
            "SLURM_JOB_NODELIST_HET_GROUP_1=" + other.get("NodeList"),
            "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1=2",
            "SLURM_TASKS_PER_NODE_PACK_GROUP_1=2")) {
      assertTrue(told.contains(line), line + " is not in " + told);
    }
    assertEquals("", shell.read("het-" + (job + 1) + ".out"), "only the leader has a script");
  }

  @Test
  void oneProcessRunsAndTheEndOfTheLeaderIsThatOfAll() {
    int job = shell.submit("-o", "/dev/null", "-n1", ":", "-n1", ":", "-n2", "--wrap", "sleep 600");
    for (int id = job; id < job + 3; id++) {
      cluster.await(id, "RUNNING");
    }
    Await.seconds(20).until("the script runs", () -> !cluster.processesOf(job).isEmpty());
    assertEquals(0, cluster.processesOf(job + 1).size());
    assertEquals(
        List.of(job + "+0 R", job + "+1 R", job + "+2 R"),
        shell
            .run("squeue", "-h", "-S", "i", "-j", job + "+1", "-o", "%i %t")
            .ok()
            .lines()
            .toList());
    shell.run("scancel", job + "+2").ok();
    cluster.await(job + 2, "CANCELLED");
    assertEquals("RUNNING", cluster.job(job).get("JobState"));
    shell.run("scancel", Integer.toString(job)).ok();
    cluster.await(job, "CANCELLED");
    cluster.await(job + 1, "CANCELLED");
    Await.seconds(20).until("nothing is left", () -> cluster.processesOf(job).isEmpty());
  }

  @Test
  void daemonsThatStartAgainKnowAllComponents() {
    int job = shell.submit("-o", "/dev/null", "-n1", ":", "-n2", "--wrap", "sleep 600");
    Shown first = cluster.await(job, "RUNNING");
    Shown second = cluster.await(job + 1, "RUNNING");
    Await.seconds(20).until("the script runs", () -> !cluster.processesOf(job).isEmpty());
    int pid = cluster.processesOf(job).getFirst().pid();
    cluster.controller().kill9();
    cluster.daemonOf(first.get("NodeList")).kill9();
    cluster.daemonOf(second.get("NodeList")).kill9();
    cluster.daemonOf(second.get("NodeList")).start();
    cluster.daemonOf(first.get("NodeList")).start();
    cluster.controller().start();
    cluster.awaitNodes();
    assertEquals("RUNNING", cluster.await(job + 1, "RUNNING").get("JobState"));
    assertTrue(cluster.processesOf(job).stream().anyMatch(seen -> seen.pid() == pid));
    shell.run("scontrol", "requeuehold", Integer.toString(job)).ok();
    cluster.await(job, "REQUEUE_HOLD");
    cluster.await(job + 1, "REQUEUE_HOLD");
    shell.run("scancel", job + "+1").whatever();
    assertEquals("1", cluster.job(job + 1).get("Restarts"));
    shell.run("scancel", Integer.toString(job)).ok();
    cluster.await(job + 1, "CANCELLED");
  }

  @Test
  void whatIsNoPartAloneIsRefused() {
    int job = shell.submit("-H", "-n1", ":", "-n2", "--wrap", "true");
    shell
        .run("scancel", job + "+1")
        .fails(
            60,
            "scancel: error: Kill job error on job id "
                + job
                + "+1: Operation not permitted on individual component of heterogeneous job");
    shell
        .run("scontrol", "requeue", Integer.toString(job + 1))
        .fails(1, "Job not heterogeneous job leader for job " + (job + 1));
    shell
        .run("sbatch", "-n1", ":", "-a", "0-3", "--wrap", "true")
        .fails(1, "sbatch: error: Batch job submission failed: Invalid job array specification");
    shell.run("scontrol", "show", "job", job + "+7").fails(1, "Job " + job + "+7 not found");
    shell.run("scancel", Integer.toString(job)).ok();
  }
}
