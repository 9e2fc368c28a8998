package io.dure.twin.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams in which it matters whose jobs they are, and for whom they wait. */
@Tag("pure")
class AccountsInTwinTest {
  private static final String CONF =
      """
      ClusterName=site
      SlurmctldHost=head
      SelectType=select/cons_tres
      SelectTypeParameters=CR_Core
      PriorityWeightFairshare=100000
      PriorityCalcPeriod=1
      AccountingStorageEnforce=associations,limits,qos
      NodeName=n1 CPUs=4 Sockets=1 CoresPerSocket=4
      PartitionName=day Nodes=ALL Default=YES MaxTime=10:00:00
      """;
  private static final String ACCOUNTS =
      """
      # two accounts
      add cluster Name=site Fairshare=1 QOS=normal
      add account bio,physics
      add user ann account=bio
      add user bob account=physics
      list associations
      """;

  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private String run(String stream, String options) throws IOException {
    out.reset();
    err.reset();
    Files.writeString(folder.resolve("slurm.conf"), CONF);
    Files.writeString(folder.resolve("jobs.events"), stream);
    List<String> words = new ArrayList<>(List.of("--trace", "jobs.events", "--conf", "slurm.conf"));
    words.addAll(List.of(options.split(" ")));
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    int code = new SimulateCommand(to, errors, folder, () -> 1L, false).run(words);
    assertEquals(0, code, err.toString(StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  private void accounts(String text) throws IOException {
    Files.writeString(folder.resolve("accounts"), text);
  }

  private static String job(int second, String user, int runs, String more) {
    return "-dt "
        + second
        + " -e submit_batch_job | -sim-walltime "
        + runs
        + " --uid="
        + user
        + " -n 4 -t 60 "
        + more
        + " x.job\n";
  }

  /** The mean wait of all jobs, seconds. */
  private static double wait(String printed, int line) {
    return Double.parseDouble(printed.lines().toList().get(line).trim().split("\\s+", -1)[6]);
  }

  @Test
  void whoHasUsedLessGoesFirst() throws IOException {
    accounts(ACCOUNTS);
    // bob's one short job comes last; by fair share it passes the two long ones of ann.
    String stream =
        job(0, "ann", 1000, "")
            + job(1, "ann", 1000, "")
            + job(2, "ann", 1000, "")
            + job(3, "bob", 10, "");
    String printed = run(stream, "--accounts accounts --order multifactor,fcfs");
    assertEquals((0 + 1009 + 2008 + 997) / 4.0, wait(printed, 1), 0.6, printed);
    assertEquals((0 + 999 + 1998 + 2997) / 4.0, wait(printed, 2), 0.6, printed);
  }

  @Test
  void withoutAFileTheAccountsAreThoseThatTheLogNames() throws IOException {
    String stream =
        job(0, "ann", 1000, "-A bio")
            + job(1, "ann", 1000, "-A bio")
            + job(2, "bob", 10, "-A chem");
    String printed = run(stream, "--order multifactor");
    assertEquals((0 + 1009 + 998) / 3.0, wait(printed, 1), 0.6, printed);
  }

  @Test
  void whoHasNoAccountIsRefusedAndLimitsHold() throws IOException {
    accounts(ACCOUNTS + "modify account bio set maxsubmitjobs=1\n");
    String printed =
        run(
            job(0, "ann", 100, "") + job(1, "ann", 100, "") + job(2, "eve", 10, ""),
            "--accounts accounts");
    assertTrue(printed.contains("AssocMaxSubmitJobLimit"), printed);
    assertTrue(printed.contains("Invalid account"), printed);
  }

  @Test
  void aScriptMayBeginWithoutTheQosThatIsThereAtFirst() throws IOException {
    String own = ACCOUNTS.replace("QOS=normal", "QOS=long");
    accounts("remove QOS where Name=normal\nadd qos long\n" + own);
    String stream = job(0, "ann", 100, "") + job(1, "bob", 100, "-q normal");
    String printed = run(stream, "--accounts accounts");
    assertFalse(printed.contains("accounts:"), printed);
    assertTrue(printed.contains("1 refused (Invalid qos specification)"), printed);
    accounts("remove QOS where Name=normal\n" + ACCOUNTS);
    printed = run(stream, "--accounts accounts");
    assertTrue(printed.contains("one QOS stays") && printed.contains("line 1"), printed);
  }

  @Test
  void aLineThatSacctmgrRefusesIsCounted() throws IOException {
    accounts(ACCOUNTS + "add user zoe account=nowhere\n");
    String printed = run(job(0, "ann", 100, ""), "--accounts accounts");
    assertTrue(printed.contains("accounts:") && printed.contains("line 7"), printed);
  }

  @Test
  void aJobWaitsForTheSubmissionItNames() throws IOException {
    // The second waits for the first, the third may only start once the first has failed.
    String stream =
        job(0, "ann", 100, "-n 1")
            + job(1, "ann", 50, "-n 1 --dependency=afterok:1")
            + job(2, "ann", 50, "-n 1 --dependency=afternotok:1");
    String printed = run(stream, "--order fcfs");
    assertTrue(printed.contains("2 finished"), printed);
    assertTrue(printed.contains("DependencyNeverSatisfied"), printed);
    assertEquals(99 / 2.0, wait(printed, 1), 0.6, printed);
  }

  @Test
  void singletonsRunOneAfterTheOther() throws IOException {
    String stream =
        job(0, "ann", 100, "-J a -n 1 --dependency=singleton")
            + job(0, "ann", 100, "-J a -n 1 --dependency=singleton")
            + job(0, "bob", 100, "-J a -n 1 --dependency=singleton");
    assertEquals(100 / 3.0, wait(run(stream, "--order fcfs"), 1), 0.6);
  }

  @Test
  void ofAnArrayNoMoreTasksRunThanItAllows() throws IOException {
    String free = run(job(0, "ann", 100, "-n 1 --array=1-4"), "--order fcfs");
    assertEquals(0, wait(free, 1), 0.1, free);
    String two = run(job(0, "ann", 100, "-n 1 --array=1-4%2"), "--order fcfs");
    assertEquals(50, wait(two, 1), 0.1, two);
  }
}
