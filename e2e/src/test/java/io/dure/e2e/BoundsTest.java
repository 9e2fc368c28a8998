package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.connect.ClusterConnector;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What one user may have the controller keep for one job, with the commands and without them. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class BoundsTest {
  private static final String TOO_LONG =
      "Pathname of a file, directory or other parameter too long";

  private static Cluster cluster;
  private final Session shell = cluster.admin();

  @BeforeAll
  static void start() {
    cluster = Cluster.start(Conf.nodes(1, 8));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String letters(int count) {
    return "x".repeat(count);
  }

  private void refused(String prefix, String... words) {
    String said = shell.run(words).whatever();
    assertTrue(said.contains(prefix + TOO_LONG), said);
    assertTrue(said.startsWith("exit 1\n"), said);
  }

  @Test
  void wordsOfAJob() {
    for (String option : List.of("--comment=", "-J", "-A", "-p", "-C", "--mail-user=")) {
      refused(
          "sbatch: error: Batch job submission failed: ",
          "sbatch",
          option + letters(100_000),
          "--wrap",
          "true");
    }
    int job =
        shell.submit("-H", "--comment=" + letters(1024), "-J", letters(1024), "--wrap", "true");
    String id = Integer.toString(job);
    refused("", "scontrol", "update", "job", id, "comment=" + letters(1025));
    refused("", "scontrol", "update", "job", id, "name=" + letters(1025));
    refused("", "scontrol", "update", "job", id, "stdout=/" + letters(4096));
    assertEquals(letters(1024), cluster.job(job).get("Comment"));
    shell.run("scancel", id).okSilently();
  }

  @Test
  void wordsOfOperators() {
    refused("", "scontrol", "update", "nodename=n1", "reason=" + letters(1025), "state=drain");
    refused("", "scontrol", "update", "nodename=n1", "features=" + letters(1025));
    refused("", "scontrol", "create", "partitionname=" + letters(1025), "nodes=n1");
    refused(
        "",
        "scontrol",
        "create",
        "reservationname=" + letters(1025),
        "starttime=now",
        "duration=1",
        "users=root",
        "nodes=n1");
    refused("", "sacctmgr", "-i", "add", "account", letters(1025));
  }

  @Test
  void environments() throws IOException {
    Session full = shell;
    for (int i = 0; i < 10; i++) {
      full = full.with("BIG" + i, letters(105_000));
    }
    int job = full.submit("-o", "big", "--wrap", "echo ${#BIG9}");
    cluster.await(job, "COMPLETED", "0:0");
    assertEquals("105000\n", full.read("big"));
    Files.writeString(shell.directory().resolve("env"), "A=" + letters(2_100_000) + "\0");
    String said = shell.run("sbatch", "--export-file=env", "--wrap", "true").whatever();
    assertTrue(
        said.contains("at most 2097152 are taken (SchedulerParameters=max_environment_size)"),
        said);
    assertTrue(said.contains("sbatch: error: Batch job submission failed: " + TOO_LONG), said);
  }

  @Test
  void aCommandOfOnesOwn() throws IOException {
    try (ControllerConnection open = new ClusterConnector(shell.environment()).open()) {
      List<String> odd = List.of("a\0b", "a\0", letters(100 << 10));
      for (String name : odd) {
        Response response =
            open.ask(
                new Request.Change(
                    new Command.SubmitJob(
                        JobSpec.of(
                            name,
                            List.of(),
                            ResourceRequest.of(1, 1, 1),
                            new TimeLimit.PartitionDefault()),
                        Workload.BatchSpec.nothing("/"),
                        new JobTexts("#!/bin/sh\n", "")),
                    null));
        ErrorCode expected =
            name.indexOf('\0') < 0 ? ErrorCode.PATHNAME_TOO_LONG : ErrorCode.BAD_INPUT;
        assertTrue(
            response instanceof Response.Decided(Reply.Refused refused)
                && refused.code() == expected,
            String.valueOf(response));
      }
    }
  }

  @Test
  void aLongCommandLineIsCutInLists() {
    List<String> words = new ArrayList<>(List.of("sbatch", "--parsable", "-H", "-o", "/dev/null"));
    words.add(shell.script("long.sh", "#!/bin/sh\n").toString());
    for (int i = 0; i < 7; i++) {
      words.add(letters(100_000));
    }
    String id = shell.run(words.toArray(String[]::new)).ok().strip();
    String shown = shell.run("scontrol", "show", "job", id).ok();
    assertTrue(shown.length() < 16_000, "it has " + shown.length() + " characters");
    assertTrue(shell.run("squeue", "-h", "-o", "%o").ok().length() < 16_000);
    shell.run("scancel", id).okSilently();
  }
}
