package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Daemon;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.Shown;
import io.dure.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Kills node daemons, shepherds and everything at once: jobs go on, and their true ends arrive. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class NodeCrashTest {
  private static final Await SOON = Await.seconds(30);

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(2, 8).with("SlurmdTimeout", 300));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void jobsOutliveTheirNodesDaemon() {
    Session shell = cluster.admin();
    int early = shell.submit("-w", "n1", "--wrap", untilFile("early", 7));
    int late = shell.submit("-w", "n1", "--wrap", untilFile("late", 3));
    int killed = shell.submit("-w", "n1", "--wrap", "touch killed.began; kill -11 $$");
    cluster.await(killed, "FAILED", "0:11");
    began(shell, "early", "late");
    cluster.daemonOf("n1").kill9();
    shell.script("early.go", "");
    SOON.until("its end without a daemon", () -> scriptsOf(early).isEmpty());
    assertTrue(cluster.job(late).is("RUNNING"));
    cluster.daemonOf("n1").start();
    cluster.await(early, "FAILED", "7:0");
    assertTrue(cluster.job(late).is("RUNNING"));
    shell.script("late.go", "");
    Shown end = cluster.await(late, "FAILED", "3:0");
    assertEquals("0", end.get("Restarts"));
    assertEquals("began\n", shell.read("late.began"));
    assertEquals("began\n", shell.read("early.began"));
  }

  @Test
  void aJobWithoutItsShepherdDoesNotRunForEver() {
    Session shell = cluster.admin();
    int lost = shell.submit("-w", "n2", "--no-requeue", "--wrap", untilFile("lost", 0));
    int again = shell.submit("-w", "n2", "--requeue", "--wrap", untilFile("again", 0));
    began(shell, "lost", "again");
    for (int job : List.of(lost, again)) {
      Processes.kill(shepherdOf(job).pid(), "KILL");
    }
    Shown failed = cluster.await(lost, "NODE_FAIL");
    SOON.until("no process of it", () -> cluster.processesOf(lost).isEmpty());
    assertEquals("0", failed.get("Restarts"));
    SOON.until("it begins again", () -> shell.read("again.began").equals("began\nbegan\n"));
    shell.script("again.go", "");
    assertEquals("1", cluster.await(again, "COMPLETED", "0:0").get("Restarts"));
    assertEquals("IDLE", cluster.node("n2").get("State"));
  }

  @Test
  void everythingKilledAtOnceGoesOn() {
    Session shell = cluster.admin();
    int ended = shell.submit("--wrap", untilFile("ended", 9));
    int going = shell.submit("--wrap", untilFile("going", 4));
    int held = shell.submit("--hold", "--wrap", "exit 5");
    int after = shell.submit("-d", "afternotok:" + going, "--wrap", "exit 6");
    int array = shell.submit("--array=1-3", "--wrap", "exit $SLURM_ARRAY_TASK_ID");
    began(shell, "ended", "going");
    cluster.await(array, "FAILED");
    cluster.daemons().forEach(Daemon::kill9);
    shell.script("ended.go", "");
    SOON.until("its end without a cluster", () -> scriptsOf(ended).isEmpty());
    cluster.startAll();
    cluster.await(ended, "FAILED", "9:0");
    assertTrue(cluster.job(going).is("RUNNING"));
    assertTrue(cluster.job(held).is("PENDING"));
    assertEquals("JobHeldUser", cluster.job(held).get("Reason"));
    shell.script("going.go", "");
    cluster.await(going, "FAILED", "4:0");
    cluster.await(after, "FAILED", "6:0");
    shell.run("scontrol", "release", Integer.toString(held)).okSilently();
    cluster.await(held, "FAILED", "5:0");
    assertEquals("began\n", shell.read("going.began"));
  }

  private static String untilFile(String name, int code) {
    return "echo began >> %s.began; while [ ! -e %s.go ]; do sleep 0.05; done; exit %d"
        .formatted(name, name, code);
  }

  private static void began(Session shell, String... names) {
    for (String name : names) {
      SOON.until(name + " has begun", () -> !shell.read(name + ".began").isEmpty());
    }
  }

  private static List<Processes.Seen> scriptsOf(int job) {
    return cluster.processesOf(job).stream()
        .filter(seen -> seen.words().contains("slurm_script"))
        .toList();
  }

  /** The process that keeps the job's script: the parent of the script's shell. */
  private static Processes.Seen shepherdOf(int job) {
    int script = scriptsOf(job).getFirst().pid();
    int parent =
        ProcessHandle.of(script)
            .flatMap(ProcessHandle::parent)
            .map(handle -> (int) handle.pid())
            .orElseThrow();
    return Processes.mentioning(cluster.dir().toString()).stream()
        .filter(seen -> seen.pid() == parent)
        .findFirst()
        .orElseThrow();
  }
}
