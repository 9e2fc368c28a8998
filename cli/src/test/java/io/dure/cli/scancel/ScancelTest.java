package io.dure.cli.scancel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.model.ErrorCode;
import io.dure.model.TaskIndices;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.KillFilter;
import io.dure.model.command.Reply;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is cancelled, what is said, and how it ends. */
@Tag("pure")
class ScancelTest {

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int scancel(String... words) {
    world.controller = controller;
    String[] all = new String[words.length + 1];
    all[0] = "scancel";
    System.arraycopy(words, 0, all, 1, words.length);
    return new Scancel().run(world.call(all));
  }

  private static Response done() {
    return new Response.Decided(new Reply.Done());
  }

  private static Response refused(ErrorCode code) {
    return new Response.Decided(new Reply.Refused(code, ""));
  }

  private static Response jobs(JobInfo... jobs) {
    return new Response.Jobs(List.of(jobs), FakeContext.NOW);
  }

  private List<Command> changes() {
    return controller.requests.stream()
        .filter(Request.Change.class::isInstance)
        .map(request -> (Command) ((Request.Change) request).command())
        .toList();
  }

  private static Response killed(Reply.KillFailure... failures) {
    return new Response.Decided(new Reply.Killed(List.of(failures), 0));
  }

  private static JobSelector named(int id) {
    return new JobSelector(id, null);
  }

  private static JobSelector tasks(int id, Integer... tasks) {
    return new JobSelector(id, TaskIndices.of(List.of(tasks)));
  }

  private static Command kill(int id) {
    return new Command.KillJob(named(id), null, false, false);
  }

  private static Command killTasks(int id, Integer... tasks) {
    return new Command.KillJob(tasks(id, tasks), null, false, false);
  }

  private static Command killAll(JobSelector... jobs) {
    return Command.KillJobs.named(List.of(jobs), null, false, false);
  }

  @Test
  void namedJobsAreCancelledByOneRequest() {
    controller.answer(killed());
    assertEquals(0, scancel("12", "13_4", "14_[1-3]"));
    assertEquals(List.of(killAll(named(12), tasks(13, 4), tasks(14, 1, 2, 3))), changes());
    assertEquals("", world.printed() + world.errors());
  }

  @Test
  void jobsOfCrontabsAreMeantTooIfSaidSo() {
    controller.answer(done());
    assertEquals(0, scancel("--cron", "12"));
    controller.answer(killed());
    assertEquals(0, scancel("--cron", "-p", "debug"));
    assertEquals(
        new Command.KillJob(named(12), null, false, false, null, true), changes().getFirst());
    assertTrue(changes().getLast() instanceof Command.KillJobs all && all.cron());
  }

  @Test
  void thousandsOfJobsTakeFewRequests() {
    String[] words = new String[Command.KillJobs.MOST_NAMED + 1];
    for (int i = 0; i < words.length; i++) {
      words[i] = Integer.toString(i + 1);
    }
    controller.answer(killed(new Reply.KillFailure(2, "3", ErrorCode.ACCESS_DENIED)));
    controller.answer(refused(ErrorCode.ACCESS_DENIED));
    assertEquals(210, scancel(words));
    assertEquals(2, changes().size());
    assertEquals(kill(words.length), changes().getLast());
    assertEquals(
        """
        scancel: error: Kill job error on job id 3: Access/permission denied
        scancel: error: Kill job error on job id 5001: Access/permission denied
        """,
        world.errors());
  }

  @Test
  void whatIsTooMuchForOneDecisionIsAskedInHalves() {
    controller.answer(refused(ErrorCode.BAD_INPUT));
    controller.answer(killed());
    controller.answer(killed(new Reply.KillFailure(1, "15", ErrorCode.ACCESS_DENIED)));
    assertEquals(210, scancel("12", "13", "14", "15"));
    assertEquals(killAll(named(14), named(15)), changes().getLast());
    assertEquals(
        "scancel: error: Kill job error on job id 15: Access/permission denied\n", world.errors());
  }

  @Test
  void whatIsRefusedAsAWholeIsAnErrorOfEach() {
    controller.answer(refused(ErrorCode.CANNOT_STORE));
    assertEquals(ErrorCode.CANNOT_STORE.number() & 0xff, scancel("12", "13"));
    String text = ": " + ErrorCode.CANNOT_STORE.text() + "\n";
    assertEquals(
        "scancel: error: Kill job error on job id 12"
            + text
            + "scancel: error: Kill job error on job id 13"
            + text,
        world.errors());
  }

  @Test
  void aJobThatIsGoneIsNoErrorUnlessAsked() {
    controller.answer(
        killed(
            new Reply.KillFailure(0, "999999", ErrorCode.INVALID_JOB_ID),
            new Reply.KillFailure(1, "5", ErrorCode.ALREADY_DONE)));
    assertEquals(0, scancel("999999", "5"));
    assertEquals("", world.errors());
  }

  @Test
  void verboseSaysWhatIsDone() {
    controller.answer(done());
    assertEquals(0, scancel("-v", "169"));
    assertEquals("scancel: Terminating job 169\n", world.errors());
  }

  @Test
  void aSignalToAnUnknownJobIsAnError() {
    controller.answer(jobs());
    assertEquals(1, scancel("999999", "--signal=USR2"));
    assertEquals(
        "scancel: error: Kill job error on job id 999999: Invalid job id specified\n",
        world.errors());
  }

  @Test
  void aSignalMayStandAfterTheJob() {
    controller.answer(jobs(JobFixture.running(7).info())).answer(done());
    assertEquals(0, scancel("7", "--signal", "SIGTERM"));
    assertEquals(
        List.of(new Command.KillJob(new JobSelector(7, null), 15, false, false)), changes());
  }

  @Test
  void whatBelongsToOthersIsDenied() {
    controller.answer(refused(ErrorCode.ACCESS_DENIED));
    assertEquals(210, scancel("155"));
    assertEquals(
        "scancel: error: Kill job error on job id 155: Access/permission denied\n", world.errors());
  }

  @Test
  void nonsenseIsRefusedBeforeAnythingIsCancelled() {
    assertEquals(1, scancel("12", "abc"));
    assertEquals("scancel: error: Invalid job id abc\n", world.errors());
    assertTrue(controller.requests.isEmpty());
  }

  @Test
  void anUnknownSignalIsRefused() {
    assertEquals(1, scancel("-s", "NOPE", "155"));
    assertEquals("Unknown job signal: NOPE\n", world.errors());
  }

  @Test
  void withoutAnythingThereIsNothingToDo() {
    assertEquals(1, scancel());
    assertEquals("scancel: error: No job identification provided\n", world.errors());
  }

  @Test
  void theControllerFindsWhatAFilterMeans() {
    controller
        .answer(new Response.Decided(new Reply.Killed(List.of(), 70_000)))
        .answer(killed(new Reply.KillFailure(-1, "70001", ErrorCode.ACCESS_DENIED)));
    assertEquals(
        210, scancel("-u", "alice", "-n", "a", "--wckey=survey", "-t", "PD", "-R", "maint"));
    KillFilter filter =
        new KillFilter(
            null,
            "a",
            null,
            null,
            "alice",
            null,
            KillFilter.Phase.PENDING,
            List.of(),
            "survey",
            false,
            "maint");
    assertEquals(
        List.of(
            Command.KillJobs.passing(filter, 0, null, false, false),
            Command.KillJobs.passing(filter, 70_000, null, false, false)),
        changes());
    assertEquals(2, controller.requests.size(), "nothing else is asked");
    assertEquals(
        "scancel: error: Kill job error on job id 70001: Access/permission denied\n",
        world.errors());
  }

  @Test
  void anOperatorsNoteComesBeforeTheEnd() {
    controller.answer(done()).answer(done());
    assertEquals(0, scancel("--admin-comment=for maintenance", "7"), world.errors());
    JobChange note = JobChange.NONE.withAdminComment("for maintenance");
    assertEquals(
        List.of(new Command.UpdateJob(new JobSelector(7, null), note), kill(7)), changes());
    controller.answer(refused(ErrorCode.ACCESS_DENIED));
    assertEquals(ErrorCode.ACCESS_DENIED.number() & 0xff, scancel("--admin-comment=mine", "8"));
    assertEquals(3, changes().size());
    controller.answer(
        new Response.Advised(refused(ErrorCode.ACCESS_DENIED), List.of("notes are not taken")));
    assertEquals(ErrorCode.ACCESS_DENIED.number() & 0xff, scancel("--admin-comment=mine", "9"));
    assertEquals(4, changes().size());
    assertTrue(world.errors().contains("error: notes are not taken"), world.errors());
  }

  @Test
  void anOperatorsNoteIsMadeOfEachJobThatAFilterNames() {
    controller
        .answer(jobs(JobFixture.pending(3).info(), JobFixture.pending(4).info()))
        .answer(done())
        .answer(done())
        .answer(done())
        .answer(done());
    assertEquals(0, scancel("--admin-comment=moved", "-t", "PD"), world.errors());
    JobChange note = JobChange.NONE.withAdminComment("moved");
    assertEquals(
        List.of(
            new Command.UpdateJob(named(3), note),
            kill(3),
            new Command.UpdateJob(named(4), note),
            kill(4)),
        changes());
  }

  @Test
  void aStateNarrowsAnArrayToItsWaitingTasks() {
    controller
        .answer(
            jobs(JobFixture.waiting(20, "3-5").info(), JobFixture.running(21).task(20, 1).info()))
        .answer(done());
    assertEquals(0, scancel("-t", "PD", "20"));
    assertEquals(List.of(killTasks(20, 3, 4, 5)), changes());
  }

  @Test
  void theTasksOfAnArrayGoTogether() {
    controller
        .answer(
            jobs(
                JobFixture.running(21).task(20, 1).info(),
                JobFixture.waiting(20, "3-5").info(),
                JobFixture.running(30).info()))
        .answer(killed());
    assertEquals(0, scancel("-p", "debug", "20", "30"));
    assertEquals(List.of(killAll(tasks(20, 1, 3, 4, 5), named(30))), changes());
  }

  @Test
  void anUnknownUserIsAnError() {
    assertEquals(1, scancel("-u", "nobody_at_all"));
    assertEquals("scancel: error: Invalid user name: nobody_at_all\n", world.errors());
  }

  @Test
  void questionsAreAsked() {
    world.in = "y\nn\n".getBytes(StandardCharsets.UTF_8);
    controller
        .answer(jobs(JobFixture.running(7).name("one").info(), JobFixture.running(8).info()))
        .answer(done());
    assertEquals(0, scancel("-i", "7", "8"));
    assertEquals(List.of(kill(7)), changes());
    assertTrue(
        world.printed().startsWith("Cancel job_id=7 name=one partition=debug [y/n]? "),
        world.printed());
  }

  @Test
  void variablesStandForOptions() {
    world.environment.put("SCANCEL_NAME", "two");
    world.environment.put("SCANCEL_VERBOSE", "true");
    controller
        .answer(
            jobs(
                JobFixture.running(7).name("one").info(), JobFixture.running(8).name("two").info()))
        .answer(done());
    assertEquals(0, scancel());
    assertEquals(List.of(kill(8)), changes());
    assertEquals("scancel: Terminating job 8\n", world.errors());
  }

  @Test
  void withoutAControllerItSaysSo() {
    FakeContext alone = new FakeContext();
    assertEquals(1, new Scancel().run(alone.call("scancel", "5")));
    assertEquals(
        "scancel: error: Kill job error on job id 5: Unable to contact slurm controller (connect"
            + " failure)\n",
        alone.errors());
  }
}
