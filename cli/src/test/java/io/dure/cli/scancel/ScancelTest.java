package io.dure.cli.scancel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.model.ErrorCode;
import io.dure.model.TaskIndices;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
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

  private static Command kill(int id) {
    return new Command.KillJob(new JobSelector(id, null), null, false, false);
  }

  private static Command killTasks(int id, Integer... tasks) {
    return new Command.KillJob(
        new JobSelector(id, TaskIndices.of(List.of(tasks))), null, false, false);
  }

  @Test
  void namedJobsAreCancelledOneByOne() {
    controller.answer(done()).answer(done()).answer(done());
    assertEquals(0, scancel("12", "13_4", "14_[1-3]"));
    assertEquals(List.of(kill(12), killTasks(13, 4), killTasks(14, 1, 2, 3)), changes());
    assertEquals("", world.printed() + world.errors());
  }

  @Test
  void aJobThatIsGoneIsNoErrorUnlessAsked() {
    controller.answer(refused(ErrorCode.INVALID_JOB_ID)).answer(refused(ErrorCode.ALREADY_DONE));
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
  void filtersPickTheJobs() {
    controller
        .answer(
            jobs(
                JobFixture.running(7).owner("alice", 1001).name("a").info(),
                JobFixture.pending(8).owner("alice", 1001).name("b").info(),
                JobFixture.pending(9).owner("bob", 1002).name("a").info(),
                JobFixture.waiting(20, "3-5").owner("alice", 1001).name("a").info()))
        .answer(done())
        .answer(done());
    assertEquals(0, scancel("-u", "alice", "-n", "a"));
    assertEquals(List.of(kill(7), killTasks(20, 3, 4, 5)), changes());
  }

  @Test
  void aWorkloadKeyPicksItsJobs() {
    controller
        .answer(jobs(JobFixture.running(7).wckey("survey").info(), JobFixture.pending(8).info()))
        .answer(done());
    assertEquals(0, scancel("--wckey=survey"));
    assertEquals(List.of(kill(7)), changes());
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
        .answer(done())
        .answer(done());
    assertEquals(0, scancel("-p", "debug"));
    assertEquals(List.of(killTasks(20, 1, 3, 4, 5), kill(30)), changes());
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
