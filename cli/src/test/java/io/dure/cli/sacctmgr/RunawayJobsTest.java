package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runaway jobs, as a Slurm 22.05.8 lists and asks about them. */
@Tag("pure")
class RunawayJobsTest {
  private static final String NOTE =
      "NOTE: Runaway jobs are jobs that don't exist in the controller but have a start time and no"
          + " end time in the database\n";
  private static final String QUESTION =
      """

      Would you like to fix these runaway jobs?
      (This will set the end time for each job to the latest out of the start, eligible, or submit \
      times, and set the state to completed.
      Once corrected, this will trigger the rollup to reroll usage from before the earliest submit \
      time of all the runaway jobs.)

       (You have 30 seconds to decide)
      (N/y):\
      """
          + " ";

  private static final Job RUNS = JobFixture.running(902).info().job();
  private static final Job WAITS = JobFixture.pending(903).name("longnameoflongs").info().job();

  private final ScriptedController controller = new ScriptedController();
  private String errors = "";
  private int code;

  private String run(String input, String line) {
    FakeContext world = new FakeContext();
    world.controller = controller;
    world.in = input.getBytes(StandardCharsets.UTF_8);
    List<String> words = new ArrayList<>(List.of("sacctmgr"));
    words.addAll(List.of(line.split(" ", -1)));
    code = new Sacctmgr().run(world.call(words.toArray(String[]::new)));
    errors = world.errors();
    return world.printed();
  }

  private void accounts(String user) {
    controller.answer(
        new Response.Accounts(
            "lab", "vm", 6817, AccountingRecords.INITIAL, user, user.equals("root"), List.of()));
  }

  private void answered(Job... jobs) {
    accounts("root");
    controller.answer(history("lab", jobs));
  }

  private static Response history(String cluster, Job... jobs) {
    return new Response.JobHistory(
        cluster,
        List.of(jobs).stream()
            .map(job -> new RecordedJob(AttemptId.of(job), job, false, List.of()))
            .toList(),
        null,
        List.of(),
        List.of());
  }

  @Test
  void whereThereAreNoneNothingIsAsked() {
    answered();
    assertEquals("Runaway Jobs: No runaway jobs found on cluster lab\n", run("", "show runaway"));
    assertEquals(0, code);
    accounts("root");
    assertEquals(
        "Runaway Jobs: No runaway jobs found on cluster nosuch\n",
        run("", "show runawayjobs nosuch"));
    answered();
    assertEquals(
        "Runaway Jobs: No runaway jobs found on cluster lab\n", run("", "list runaway bad=1"));
    assertEquals(" Unknown condition: bad=1\n", errors);
    assertEquals(1, code);
  }

  @Test
  void theyAreListedAndLeftIfTheUserSaysNo() {
    answered(RUNS, WAITS);
    assertEquals(
        NOTE
            + """
            ID                 Name  Partition    Cluster      State          TimeSubmit           TimeStart             TimeEnd\s
            ------------ ---------- ---------- ---------- ---------- ------------------- ------------------- -------------------\s
            RUNNING
            WAITING
            """
                .replace("RUNNING", row(RUNS, "RUNNING", "2026-11-20T16:00:47"))
                .replace("WAITING", row(WAITS, "PENDING", "            Unknown"))
            + QUESTION
            + "\nChanges Discarded\n",
        run("n\n", "show runawayjobs"));
    assertEquals(0, code);
    assertEquals(2, controller.requests.size());
  }

  private static String row(Job job, String state, String start) {
    String name = job.spec().name();
    return "%-12d %10s %10s %10s %10s %19s %19s %19s "
        .formatted(
            job.id(),
            name.length() > 10 ? name.substring(0, 9) + "+" : name,
            job.spec().partitions().getFirst(),
            "lab",
            state,
            "2026-11-20T16:00:48",
            start,
            "Unknown");
  }

  @Test
  void theyAreEndedIfTheUserSaysYes() {
    answered(RUNS);
    controller.answer(new Response.Decided(new Reply.Done()));
    assertTrue(run("x\ny\n", "show runawayjobs").endsWith("(N/y): \nY or N please\n(N/y): \n"));
    assertEquals(0, code, errors);
    assertEquals(
        new Request.EndRunawayJobs(List.of(AttemptId.of(RUNS)), null),
        controller.requests.getLast());
  }

  private void clusters() {
    List<ClusterAccounts> all =
        List.of(
            new ClusterAccounts("lab", "vm", 6817, AccountingRecords.INITIAL),
            new ClusterAccounts("right", "far", 6817, AccountingRecords.INITIAL));
    controller.answer(
        new Response.Accounts("lab", "vm", 6817, AccountingRecords.INITIAL, "root", true, all));
  }

  @Test
  void thoseOfAnotherClusterAreEndedThere() {
    clusters();
    controller.answer(history("right", RUNS));
    controller.answer(new Response.Decided(new Reply.Done()));
    String printed = run("", "-i -P show runawayjobs cluster=right format=id,cluster");
    assertEquals(NOTE + "ID|Cluster\n" + RUNS.id() + "|right\n", printed);
    assertEquals(0, code, errors);
    assertEquals(new Request.ShowRunawayJobs("right"), controller.requests.get(1));
    assertEquals(
        new Request.EndRunawayJobs(List.of(AttemptId.of(RUNS)), "right"),
        controller.requests.getLast());
  }

  @Test
  void whyAnotherClusterDoesNotTellIsSaid() {
    clusters();
    controller.answer(new Response.Failed(ErrorCode.CANNOT_STORE, "right is not up"));
    assertEquals("", run("", "-i show runawayjobs right"));
    assertEquals("sacctmgr: error: right is not up\n", errors);
    assertEquals(1, code);
  }

  @Test
  void withoutAQuestionTheyAreEnded() {
    answered(RUNS);
    controller.answer(new Response.Failed(ErrorCode.CANNOT_STORE, "the books are away"));
    String printed = run("", "-i -P show runawayjobs format=id,user,state%20");
    assertEquals(NOTE + "ID|User|State\n" + RUNS.id() + "|alice|RUNNING\n", printed);
    assertEquals("sacctmgr: error: Failed to fix runaway job: the books are away\n", errors);
    assertEquals(1, code);
  }

  @Test
  void columnsThatAreNoneAreNamed() {
    answered(RUNS);
    assertEquals(NOTE, run("", "show runawayjobs format=foo"));
    assertEquals("Unknown field 'foo'\n", errors);
    assertEquals(1, code);
  }

  @Test
  void theyAreForOperatorsAlone() {
    accounts("alice");
    assertEquals("", run("", "show runawayjobs"));
    assertEquals(
        "sacctmgr: error: You must have an AdminLevel>=Operator to fix runaway jobs\n", errors);
    assertEquals(1, code);
  }

  @Test
  void aDocumentAsksNothing() {
    answered(RUNS);
    String text = run("", "--json show runawayjobs");
    assertTrue(text.contains("\"current\": [\n          \"RUNNING\""), text);
    assertEquals(2, controller.requests.size());
  }
}
