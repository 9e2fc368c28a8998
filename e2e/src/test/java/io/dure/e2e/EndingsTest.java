package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.testkit.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** All the ways in which a job is made to end, and that nothing of it outlives it. */
@ExtendWith(Diagnosis.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("cluster")
class EndingsTest {
  private static final Await SOON = Await.seconds(30);

  private static Cluster cluster;
  private static int overItsLimit;
  private static int warned;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(1, 16).with("KillWait", 10));
    Session shell = cluster.admin();
    // A minute is the shortest limit: these run while the other tests do.
    overItsLimit = shell.submit("-t", "1", "-o", "over.out", "--wrap", "sleep 300 & wait");
    warned =
        shell.submit(
            "-t",
            "1",
            "--signal=B:USR1@50",
            "-o",
            "warned.out",
            "--wrap",
            "trap 'echo warned; exit 3' USR1; while :; do sleep 0.1; done");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void cancelKillsWhoeverIgnoresTerm() {
    Session shell = cluster.admin();
    int deaf =
        shell.submit(
            "-o",
            "deaf.out",
            "--wrap",
            "trap 'echo no' TERM; touch deaf; while :; do sleep 0.1; done");
    began(shell, "deaf");
    shell.run("scancel", Integer.toString(deaf)).okSilently();
    cluster.await(deaf, "CANCELLED", "0:9");
    gone(deaf);
    assertTrue(shell.read("deaf.out").contains("no\n"), shell.read("deaf.out"));
    assertTrue(shell.read("deaf.out").contains("JOB " + deaf + " ON n1 CANCELLED AT"));
  }

  @Test
  @Order(2)
  void cancelLetsAScriptTidyUp() {
    Session shell = cluster.admin();
    int tidy =
        shell.submit(
            "-o",
            "tidy.out",
            "--wrap",
            "trap 'echo tidy; exit 0' TERM; touch tidy; while :; do sleep 0.1; done");
    began(shell, "tidy");
    shell.run("scancel", Integer.toString(tidy)).okSilently();
    cluster.await(tidy, "CANCELLED");
    gone(tidy);
    assertTrue(shell.read("tidy.out").contains("tidy\n"), shell.read("tidy.out"));
  }

  @Test
  @Order(3)
  void cancelOfAWaitingJob() {
    Session shell = cluster.admin();
    int held = shell.submit("--hold", "--wrap", "true");
    shell.run("scancel", Integer.toString(held)).okSilently();
    cluster.await(held, "CANCELLED", "0:0");
    assertEquals("", cluster.job(held).get("NodeList"));
  }

  @Test
  @Order(4)
  void aSignalReachesTheScriptOnlyWhenAsked() {
    Session shell = cluster.admin();
    int job =
        shell.submit(
            "-o",
            "signal.out",
            "--wrap",
            "trap 'echo usr2; exit 4' USR2; touch signal; while :; do sleep 0.1; done");
    began(shell, "signal");
    shell.run("scancel", "--batch", "--signal=USR2", Integer.toString(job)).okSilently();
    cluster.await(job, "FAILED", "4:0");
    assertEquals("usr2\n", shell.read("signal.out"));
  }

  @Test
  @Order(5)
  void whatAScriptLeavesBehindDiesWithTheJob() {
    Session shell = cluster.admin();
    String orphans =
        """
        #!/bin/sh
        setsid sh -c 'trap "" HUP TERM INT; sleep 1000 & sleep 1000 & wait' >/dev/null 2>&1 &
        (setsid setsid sleep 1001 >/dev/null 2>&1 &)
        nohup sleep 1002 >/dev/null 2>&1 &
        while [ $(pgrep -c -x sleep) -lt 4 ]; do :; done
        exit 0
        """;
    shell.script("orphans.sh", orphans);
    int job = shell.submit("-o", "/dev/null", "orphans.sh");
    cluster.await(job, "COMPLETED", "0:0");
    gone(job);
  }

  @Test
  @Order(6)
  void requeueEndsTheRunAndBeginsAnother() {
    Session shell = cluster.admin();
    int job =
        shell.submit(
            "-o",
            "requeue.out",
            "--open-mode=append",
            "--wrap",
            "echo run $SLURM_RESTART_COUNT; [ -n \"$SLURM_RESTART_COUNT\" ] && exit 0; touch requeue; sleep 1000");
    began(shell, "requeue");
    shell.run("scontrol", "requeue", Integer.toString(job)).okSilently();
    Shown end = cluster.await(job, "COMPLETED", "0:0");
    assertEquals("1", end.get("Restarts"));
    assertTrue(shell.read("requeue.out").contains("run 1\n"), shell.read("requeue.out"));
    gone(job);
  }

  @Test
  @Order(7)
  void arrayTasksEndOneByOne() {
    Session shell = cluster.admin();
    int array =
        shell.submit(
            "--array=1-4%2",
            "-o", "array-%A_%a.out", "--wrap", "exit $((SLURM_ARRAY_TASK_ID % 2))");
    SOON.until(
        "all four have ended",
        () ->
            cluster.jobs().stream()
                    .filter(job -> job.fields().getOrDefault("ArrayJobId", "").equals("" + array))
                    .filter(job -> job.is("FAILED") || job.is("COMPLETED"))
                    .count()
                == 4);
    assertEquals("", shell.read("array-" + array + "_4.out"));
  }

  @Test
  @Order(8)
  void waitGivesTheJobsExitCode() {
    Session shell = cluster.admin();
    Ran ran = shell.run("sbatch", "--wait", "-o", "/dev/null", "--wrap", "exit 4");
    assertTrue(ran.whatever().matches("exit 4\nSubmitted batch job [0-9]+\n"));
    Ran dead = shell.run("sbatch", "--wait", "-o", "/dev/null", "--wrap", "kill -9 $$");
    assertTrue(dead.whatever().matches("exit 1\nSubmitted batch job [0-9]+\n"));
  }

  @Test
  @Order(90)
  void aScriptIsWarnedOfItsEnd() {
    cluster.await(warned, "FAILED", "3:0");
    assertEquals("warned\n", cluster.admin().read("warned.out"));
  }

  @Test
  @Order(91)
  void aJobOverItsLimitIsEnded() {
    Shown end =
        Await.seconds(90)
            .value(
                "the end at the limit", () -> cluster.job(overItsLimit), job -> job.is("TIMEOUT"));
    assertEquals("TimeLimit", end.get("Reason"));
    assertEquals("0:15", end.get("ExitCode"));
    assertTrue(
        cluster.admin().read("over.out").contains("DUE TO TIME LIMIT"),
        cluster.admin().read("over.out"));
    gone(overItsLimit);
  }

  private static void began(Session shell, String file) {
    SOON.until(file + " has begun", () -> shell.directory().resolve(file).toFile().exists());
  }

  private static void gone(int job) {
    SOON.until("no process of job " + job, () -> cluster.processesOf(job).isEmpty());
  }
}
