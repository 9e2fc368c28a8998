package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What ran is in the books, once and for good, whatever becomes of the controller. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class SacctTest {
  private static final Await SOON = Await.seconds(60);
  private static final String COLUMNS = "JobID,JobName,State,ExitCode,AllocCPUS,NodeList";

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

  private static String sacct(String... words) {
    List<String> call = new ArrayList<>(List.of("sacct", "-n", "-P", "-o", COLUMNS));
    call.addAll(List.of(words));
    return shell.run(call.toArray(String[]::new)).ok();
  }

  private static void await(int job, String rows) {
    String[] seen = {""};
    try {
      SOON.until(
          "sacct lists the job",
          () -> {
            seen[0] = sacct("-j", Integer.toString(job));
            return seen[0].strip().equals(rows.strip());
          });
    } catch (AssertionError e) {
      assertEquals(rows, seen[0], e.getMessage());
    }
  }

  @Test
  void aJobIsListedWithItsStepsAndItsEnd() {
    int job =
        shell.submit("-J", "two", "-n2", "-N1", "--wrap", "srun -n2 true; srun sh -c 'exit 3'");
    await(
        job,
        """
        %1$d|two|FAILED|3:0|2|n1
        %1$d.batch|batch|FAILED|3:0|2|n1
        %1$d.0|true|COMPLETED|0:0|2|n1
        %1$d.1|sh|FAILED|3:0|2|n1
        """
            .formatted(job));
    assertEquals(
        "%1$d|two|FAILED|3:0|2|n1".formatted(job),
        sacct("-X", "-j", Integer.toString(job)).strip());
    assertEquals("%1$d.1|sh|FAILED|3:0|2|n1".formatted(job), sacct("-j", job + ".1").strip());
  }

  @Test
  void aJobThatWaitsRunsAndIsCancelledIsSo() {
    int job = shell.submit("-H", "-J", "held", "--wrap", "sleep 1000");
    await(job, job + "|held|PENDING|0:0|1|None assigned\n");
    shell.run("scontrol", "release", Integer.toString(job)).ok();
    SOON.until("it runs", () -> sacct("-X", "-j", Integer.toString(job)).contains("|RUNNING|"));
    shell.run("scancel", Integer.toString(job)).ok();
    SOON.until(
        "it is over", () -> sacct("-X", "-j", Integer.toString(job)).contains("|CANCELLED by 0|"));
  }

  @Test
  void everyAcknowledgedJobIsInTheBooksOnceThroughCrashes() {
    TreeSet<Integer> jobs = new TreeSet<>();
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 25; i++) {
        jobs.add(shell.submit("-J", "crash", "--wrap", "true"));
      }
      cluster.controller().kill9();
      cluster.controller().start();
    }
    String ended = "sacct -a -n -X -P -D --name crash -o jobid,state | sort -n";
    StringBuilder all = new StringBuilder();
    jobs.forEach(job -> all.append(job).append("|COMPLETED\n"));
    SOON.until(
        "all have ended", () -> shell.shell(ended).ok().strip().equals(all.toString().strip()));
  }

  @Test
  void wrongCallsSayWhatIsWrong() {
    shell.run("sacct", "-j", "nope").fails(1, "sacct: fatal: Bad job/step specified: nope");
    shell.run("sacct", "-s", "NOPE").fails(1, "sacct: fatal: unrecognized job state value 'NOPE'");
    shell.run("sacct", "-o", "nope").fails(1, "sacct: fatal: Invalid field requested: \"nope\"");
    shell.run("sacct", "-S", "nope").fails(1, "Invalid time specification (pos=0): nope");
    assertEquals("", sacct("-j", "999999"));
    assertTrue(shell.run("sacct", "-e").ok().startsWith("Account "));
  }

  @Test
  void aClusterWithoutAccountingSaysSo() {
    Conf conf = Conf.nodes(1, 2).with("AccountingStorageType", "accounting_storage/none");
    try (Cluster plain = Cluster.start(conf)) {
      Session there = plain.admin();
      there.run("srun", "true").ok();
      there.run("sacct").fails(1, "Slurm accounting storage is disabled");
    }
  }
}
