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
    cluster =
        Cluster.start(
            Conf.nodes(2, 8).with("AccountingStoreFlags", "job_script,job_env,job_comment"));
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
  void whatIsPutRightStaysSoThroughACrash() {
    int job = shell.submit("-J", "measured", "--wrap", "exit 3");
    String id = Integer.toString(job);
    SOON.until("it is over", () -> sacct("-X", "-j", id).contains("|FAILED|"));
    String said =
        shell
            .run(
                "sacctmgr",
                "-i",
                "update",
                "job",
                "where",
                "jobid=" + id,
                "set",
                "AdminComment=JS1:H4sI==",
                "DerivedExitCode=7")
            .ok();
    assertTrue(said.strip().startsWith("Modified jobs...\n  " + id + " submitted at 20"), said);
    cluster.controller().kill9();
    cluster.controller().start();
    assertEquals(
        "JS1:H4sI==|7:0|3:0",
        shell
            .run("sacct", "-nPX", "-j", id, "-o", "admincomment,derivedexitcode,exitcode")
            .ok()
            .strip());
  }

  @Test
  void aDocumentTellsOfAJobAndItsSteps() {
    int job = shell.submit("-J", "two", "-n2", "-N1", "--wrap", "srun -n2 sh -c 'exit 3'");
    String id = Integer.toString(job);
    SOON.until("it is over", () -> sacct("-j", id + ".0").contains("|FAILED|"));
    SOON.until("it is over", () -> sacct("-X", "-j", id).contains("|FAILED|"));
    String text = shell.shell("SLURM_JSON=compact sacct --json -j " + id).ok();
    for (String part :
        List.of(
            "{\"jobs\":[{\"account\":",
            "\"job_id\":%1$s,\"name\":\"two\"",
            "\"state\":{\"current\":[\"FAILED\"],\"reason\":\"None\"}",
            "\"step\":{\"id\":\"%1$s.batch\",\"name\":\"batch\"",
            "\"step\":{\"id\":\"%1$s.0\",\"name\":\"sh\"",
            "\"tasks\":{\"count\":2}",
            "\"return_code\":{\"set\":true,\"infinite\":false,\"number\":3}",
            "\"data_parser\":\"data_parser/v0.0.45\"",
            "\"errors\":[],\"warnings\":[]}")) {
      assertTrue(text.contains(part.formatted(id)), part + " in " + text);
    }
    String yaml = shell.run("sacct", "--yaml=v0.0.44", "-j", id + ".0").ok();
    assertTrue(yaml.contains("data_parser/v0.0.44"), yaml);
    assertTrue(yaml.contains(id + ".0") && !yaml.contains(id + ".batch"), yaml);
  }

  @Test
  void scriptsAndEnvironmentsAreKeptWhereTheSiteWantsThem() {
    int job = shell.submit("-H", "--export=ONLY=this", "--wrap", "echo 'a b'");
    String id = Integer.toString(job);
    int again = shell.submit("-H", "--export=ONLY=this", "--wrap", "echo 'a b'");
    String rule = "-".repeat(80);
    cluster.controller().kill9();
    cluster.controller().start();
    for (int each : List.of(job, again)) {
      assertEquals(
          """
          Batch Script for %s
          %s
          #!/bin/sh
          # This script was created by sbatch --wrap.

          echo 'a b'
          """
              .formatted(each, rule)
              .strip(),
          shell.run("sacct", "-B", "-j", Integer.toString(each)).ok().strip());
    }
    String environment = shell.run("sacct", "--env-vars", "-j", id).ok();
    assertTrue(environment.startsWith("Environment used for " + id + " (must be"), environment);
    assertTrue(environment.contains("\nONLY=this\n"), environment);
  }

  @Test
  void aJobThatIsHeldIsListedWhereItIsNamed() {
    int job = shell.submit("-H", "-J", "unlisted", "--wrap", "true");
    await(job, job + "|unlisted|PENDING|0:0|1|None assigned\n");
    assertEquals("", sacct("-X", "--name", "unlisted"));
    shell.run("scontrol", "release", Integer.toString(job)).ok();
    SOON.until("it is listed", () -> sacct("-X", "--name", "unlisted").contains("|COMPLETED|"));
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
  void whatRanIsReported() {
    shell.run("sacctmgr", "-i", "add", "account", "lab").ok();
    shell.run("sacctmgr", "-i", "add", "user", "root", "account=lab").ok();
    int first = shell.submit("-A", "lab", "-n3", "-N1", "--wrap", "sleep 3");
    int second = shell.submit("-A", "lab", "-n1", "--wrap", "sleep 2");
    shell.run("scontrol", "update", "nodename=n2", "state=drain", "reason=test").ok();
    String state = "sacct -nXP -o state -j " + first + "," + second;
    SOON.until("both have ended", () -> shell.shell(state).ok().equals("COMPLETED\nCOMPLETED"));
    long used =
        shell
            .shell("sacct -nXP -o cputimeraw -j " + first + "," + second)
            .ok()
            .lines()
            .mapToLong(Long::parseLong)
            .sum();
    assertTrue(used >= 3 * 3 + 2, "they used " + used);
    String report = "sreport -nP -t seconds cluster acc start=now-2hours end=now+2hours";
    assertEquals(
        "root||%1$d\nlab||%1$d\nlab|root|%1$d".formatted(used),
        shell.shell(report + " format=accounts,login,used").ok());
    assertEquals(
        "root|lab|" + used,
        shell
            .shell(
                report.replace("cluster acc", "user top")
                    + " accounts=lab format=login,accounts,used")
            .ok());
    cluster.controller().kill9();
    cluster.controller().start();
    assertEquals(
        "lab|root|" + used, shell.shell(report + " format=accounts,login,used users=root").ok());
    SOON.until(
        "the drained node is down in the report",
        () -> {
          String[] parts =
              shell.shell(report.replace("cluster acc", "cluster util")).ok().strip().split("\\|");
          long[] seconds = new long[parts.length];
          for (int i = 1; i < parts.length; i++) {
            seconds[i] = Long.parseLong(parts[i]);
          }
          long sum = seconds[1] + seconds[2] + seconds[3] + seconds[4] + seconds[5];
          assertEquals(seconds[6], sum, String.join("|", parts));
          assertTrue(seconds[1] >= used, String.join("|", parts));
          return seconds[2] > 0;
        });
    shell.run("scontrol", "update", "nodename=n2", "state=resume").ok();
    String events = "sacctmgr -nP show event format=nodename,state,reason,user";
    assertEquals("||Cluster Registered TRES|\nn2|DRAIN|test|root(0)", shell.shell(events).ok());
    assertEquals("", shell.shell(events + " condflags=open event=node").ok());
    String changes = "sacctmgr -nP show transaction action=add format=action,actor,where";
    assertEquals(
        """
        Add Accounts|root|lab
        Add Associations|root|id_assoc=3
        Add Associations|root|id_assoc=4\
        """,
        shell.shell(changes).ok());
  }

  @Test
  void wrongCallsSayWhatIsWrong() {
    shell.run("sreport", "nope").fails(1, "invalid keyword: nope");
    shell.run("sacct", "-j", "nope").fails(1, "sacct: fatal: Bad job/step specified: nope");
    shell.run("sacct", "-s", "NOPE").fails(1, "sacct: fatal: unrecognized job state value 'NOPE'");
    shell.run("sacct", "-o", "nope").fails(1, "sacct: error: Invalid field requested: \"nope\"");
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
