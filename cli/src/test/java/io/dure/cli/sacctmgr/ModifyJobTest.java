package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code sacctmgr modify job}: which jobs are asked for, and what is put right. */
@Tag("pure")
class ModifyJobTest {
  private static final Job JOB = JobFixture.running(902).info().job();
  private static final JobCorrection NOTHING = new JobCorrection(null, null, null, null);

  private final ScriptedController controller = new ScriptedController();
  private String errors = "";
  private int code;

  private String run(String input, String... words) {
    FakeContext world = new FakeContext();
    world.controller = controller;
    world.in = input.getBytes(StandardCharsets.UTF_8);
    List<String> all = new ArrayList<>(List.of("sacctmgr"));
    all.addAll(List.of(words));
    code = new Sacctmgr().run(world.call(all.toArray(String[]::new)));
    errors = world.errors();
    return world.printed();
  }

  private void found(Job... jobs) {
    controller.answer(
        new Response.JobHistory(
            "lab",
            List.of(jobs).stream()
                .map(job -> new RecordedJob(AttemptId.of(job), job, false, List.of()))
                .toList(),
            null,
            List.of(),
            List.of()));
  }

  private JobCorrection asked() {
    Request.CorrectJobs last = (Request.CorrectJobs) controller.requests.getLast();
    assertEquals(List.of(AttemptId.of(JOB)), last.attempts());
    return last.correction();
  }

  @Test
  void anEpilogStoresWhatItMeasured() {
    found(JOB);
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(
        " Modified jobs...\n  902 submitted at 2026-11-20T16:00:48\n",
        run("", "-i", "update", "job", "where", "jobid=902", "set", "AdminComment=JS1:H4sI=="));
    assertEquals(0, code, errors);
    assertEquals(NOTHING.withAdminComment("JS1:H4sI=="), asked());
    JobHistoryQuery query = ((Request.ListJobHistory) controller.requests.getFirst()).query();
    assertEquals(List.of(new JobSelector(902, null)), query.jobs());
    assertNull(query.from());
  }

  @Test
  void whatIsSetIsRead() {
    found(JOB);
    controller.answer(new Response.Decided(new Reply.Done()));
    String printed =
        run(
            "y\n",
            "modify",
            "job",
            "set",
            "DerivedExitCode=12:9",
            "Comment=out of memory",
            "NewWCKey=Proj",
            "where",
            "user=ann",
            "wckey=old",
            "start=2026-01-05");
    assertTrue(printed.contains(":48\nWould you like to commit changes?"), printed);
    assertEquals(new JobCorrection("out of memory", null, new ExitStatus(12, 9), "proj"), asked());
    JobHistoryQuery query = ((Request.ListJobHistory) controller.requests.getFirst()).query();
    assertEquals(List.of("ann"), query.users());
    assertEquals(List.of("old"), query.wckeys());
  }

  private static RecordedJob run(int number, JobState state, boolean requeued) {
    Job job = JOB.withRun(number).withState(state);
    return new RecordedJob(AttemptId.of(job), job, requeued, List.of());
  }

  private List<AttemptId> judged(RecordedJob... attempts) {
    controller.answer(
        new Response.JobHistory("lab", List.of(attempts), null, List.of(), List.of()));
    controller.answer(new Response.Decided(new Reply.Done()));
    run("", "-i", "modify", "job", "902", "set", "DerivedExitCode=3");
    assertEquals(0, code, errors);
    assertTrue(((Request.ListJobHistory) controller.requests.getFirst()).query().attempts());
    return ((Request.CorrectJobs) controller.requests.getLast()).attempts();
  }

  @Test
  void theLastRunThatIsOverIsJudged() {
    JobState.Running run = (JobState.Running) JOB.state();
    JobState completing =
        new JobState.Completing(
            run.allocation(),
            run.start(),
            run.start().plusSeconds(60),
            new JobOutcome.Failed(new ExitStatus(1, 0)),
            List.of(),
            PostRunAction.REQUEUE,
            Hold.NONE,
            true,
            null,
            false);
    JobState waiting = JobFixture.pending(902).info().job().state();
    RecordedJob first = run(1, completing, true);
    RecordedJob second = run(2, completing, true);
    assertEquals(List.of(second.attempt()), judged(first, second, run(2, waiting, false)));
    assertEquals(List.of(second.attempt()), judged(first, second, run(3, run, false)));
    RecordedJob third = run(3, completing, false);
    assertEquals(List.of(third.attempt()), judged(first, second, third));
  }

  @Test
  void whoSaysNoChangesNothing() {
    found(JOB);
    assertTrue(run("n\n", "modify", "job", "902", "set", "comment=x").endsWith("Discarded\n"));
    assertEquals(1, controller.requests.size());
    found();
    assertEquals(" Nothing modified\n", run("", "modify", "job", "902", "set", "comment=x"));
    assertEquals(1, code);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    refused(" You didn't give me anything to set\n", "902");
    refused(
        "sacctmgr: error: name the jobs that are meant: where jobid=, user=, wckey=, ...\n",
        "set",
        "comment=x");
    refused("sacctmgr: error: Invalid job id 9x\n", "jobid=9x", "set", "comment=x");
    refused(
        "sacctmgr: error: Invalid value for DerivedExitCode (300): write CODE or CODE:SIGNAL\n",
        "902",
        "set",
        "derivedexitcode=300");
    refused(
        " Unknown option: color=x\n Use keyword 'where' to modify condition\n",
        "902",
        "set",
        "color=x");
    refused(
        "sacctmgr: error: extra=x: jobs have no such text here; there are AdminComment and"
            + " Comment\n",
        "902",
        "set",
        "extra=x");
    controller.answer(
        new Response.Accounts(
            "lab", "vm", 6817, AccountingRecords.INITIAL, "root", true, List.of()));
    refused(
        "sacctmgr: error: the controller of cluster far alone changes records of its jobs: ask"
            + " it\n",
        "902",
        "cluster=far",
        "set",
        "comment=x");
  }

  private void refused(String text, String... words) {
    List<String> all = new ArrayList<>(List.of("modify", "job"));
    all.addAll(List.of(words));
    assertEquals("", run("", all.toArray(String[]::new)));
    assertEquals(text, errors);
    assertEquals(1, code);
  }

  @Test
  void whatTheControllerRefusesIsTold() {
    found(JOB);
    controller.answer(new Response.Decided(new Reply.Refused(ErrorCode.ACCESS_DENIED, "")));
    assertEquals("", run("", "-i", "modify", "job", "902", "set", "comment=x"));
    assertEquals(" Error with request: Access/permission denied\n", errors);
    assertEquals(1, code);
  }
}
