package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import io.dure.cli.scancel.Scancel;
import io.dure.cli.squeue.Squeue;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Numbered steps as commands show them and end them. */
@Tag("pure")
class StepListingsTest extends ScontrolSite {
  private static final Instant START = Instant.parse("2026-11-20T16:01:04Z");

  private static LaunchedStep step(int number, String name, int minutes) {
    StepSpec spec = StepSpec.of(name, 3).withHost("login").withProcessId(77);
    List<StepShare> shares =
        List.of(
            new StepShare("n1", List.of(0, 1), 2, 200, List.of(0, 1)),
            new StepShare("n2", List.of(0), 1, 100, List.of(2)));
    Instant end = minutes == 0 ? null : START.plusSeconds(60L * minutes);
    return LaunchedStep.begun(number, spec, shares, START, end);
  }

  private String shown(StepSpec.TaskLayout layout) {
    JobInfo info = JobFixture.running(12).info();
    LaunchedStep laid = step(0, "laid", 0);
    RunSteps steps = RunSteps.NONE.with(laid.withSpec(laid.spec().withLayout(layout)));
    controller.answer(
        new Response.Jobs(List.of(info.withJob(info.job().withLaunched(steps))), FakeContext.NOW));
    world.out.reset();
    assertEquals(0, scontrol("-o", "show", "step", "12.0"), world.errors());
    return world.printed().replaceFirst("(?s).* Dist=(\\S+) .*", "$1");
  }

  @Test
  void theRecordSaysHowTasksAreLaidOut() {
    List<StepSpec.Level> levels = List.of(StepSpec.Level.CYCLIC, StepSpec.Level.FCYCLIC);
    assertEquals("BCyclicFCyclic", shown(laid(StepSpec.Distribution.BLOCK, levels)));
    assertEquals("BCyclicFCyclic,Pack", shown(laid(StepSpec.Distribution.PACKED, levels)));
    assertEquals("CCyclic", shown(laid(StepSpec.Distribution.CYCLIC, levels.subList(0, 1))));
  }

  private static StepSpec.TaskLayout laid(StepSpec.Distribution how, List<StepSpec.Level> levels) {
    return new StepSpec.TaskLayout(how, 0, 0, List.of(), levels);
  }

  /** An allocation, or the job of a batch script, with two steps. */
  private static Response job(boolean batch) {
    JobInfo info = JobFixture.running(12).info();
    RunSteps steps = RunSteps.NONE.with(step(0, "first", 0)).with(step(1, "second", 3));
    var job = info.job().withLaunched(steps);
    if (!batch) {
      job = job.withWorkload(new Workload.InteractiveAllocation("/", "login", "", 77, null));
    }
    return new Response.Jobs(List.of(info.withJob(job)), FakeContext.NOW);
  }

  private int squeue(String... words) {
    world.controller = controller;
    String[] all = new String[words.length + 1];
    all[0] = "squeue";
    System.arraycopy(words, 0, all, 1, words.length);
    return new Squeue().run(world.call(all));
  }

  private int scancel(String word) {
    world.controller = controller;
    return new Scancel().run(world.call("scancel", word));
  }

  @Test
  void stepsAreListedByTheirNumbersAndTheBatchStepLast() {
    controller.answer(job(true));
    assertEquals(0, squeue("-h", "-s", "-o", "%i|%j|%N|%A|%M|%l"), world.errors());
    assertEquals(
        """
        12.0|first|n[1-2]|3|0:30|UNLIMITED
        12.1|second|n[1-2]|3|0:30|3:00
        12.batch|batch|n1|1|0:47|UNLIMITED
        """,
        world.printed());
  }

  @Test
  void anAllocationHasNoBatchStepAndOneStepMayBeAskedFor() {
    controller.answer(job(false));
    assertEquals(0, squeue("-h", "-s", "12.1", "-o", "%i"), world.errors());
    assertEquals("12.1\n", world.printed());
    world.out.reset();
    controller.answer(job(false));
    assertEquals(0, squeue("-h", "-s", "-j", "12", "-O", "StepID,NumCPUs:5"), world.errors());
    assertEquals("12.0                3    \n12.1                3    \n", world.printed());
  }

  @Test
  void theRecordSaysWhatAStepHas() {
    controller.answer(job(false));
    assertEquals(0, scontrol("show", "step", "12.1"), world.errors());
    assertEquals(
        """
        StepId=12.1 UserId=1001 StartTime=2026-11-20T16:01:04 TimeLimit=00:03:00
           State=RUNNING Partition=debug NodeList=n[1-2]
           Nodes=2 CPUs=3 Tasks=3 Name=second Network=(null)
           TRES=cpu=3,mem=300M,node=2
           ResvPorts=(null)
           CPUFreqReq=Default Dist=Block
           SrunHost:Pid=login:77

        """,
        world.printed());
    world.out.reset();
    controller.answer(new Response.Jobs(List.of(JobFixture.pending(12).info()), FakeContext.NOW));
    assertEquals(1, scontrol("show", "step", "12"));
    assertEquals("Job step 12. not found\n", world.printed());
  }

  @Test
  void stepsThatWaitForRoomAreListedWithoutANumber() {
    Response waiting =
        new Response.WaitingSteps(List.of(new Response.WaitingStep(12, 2, "login", 78)));
    controller.answer(job(false)).answer(waiting);
    assertEquals(0, scontrol("show", "step", "12.tbd"), world.errors());
    assertEquals(
        """
        StepId=12.TBD UserId=1001 StartTime=Unknown TimeLimit=UNLIMITED
           State=PENDING Partition=debug NodeList=n1
           Nodes=1 CPUs=2 Tasks=2 Name=(null) Network=(null)
           TRES=(null)
           ResvPorts=(null)
           CPUFreqReq=Default Dist=Unknown
           SrunHost:Pid=login:78

        """,
        world.printed());
    world.out.reset();
    controller.answer(job(false)).answer(waiting);
    assertEquals(0, scontrol("-o", "show", "step"), world.errors());
    assertEquals(
        List.of("12.0", "12.1", "12.TBD"),
        world.printed().lines().map(line -> line.replaceFirst("StepId=(\\S+) .*", "$1")).toList());
    assertEquals(new Request.ShowWaitingSteps(List.of()), controller.requests.getLast());
  }

  @Test
  void theLimitOfAStepIsChanged() {
    controller.answer(done()).answer(done()).answer(done()).answer(done());
    assertEquals(0, scontrol("update", "StepId=12.1", "TimeLimit=3"), world.errors());
    assertEquals(0, scontrol("update", "StepId=12", "TimeLimit=UNLIMITED"), world.errors());
    assertEquals(0, scontrol("update", "StepId=12.0", "TimeLimit=+2"), world.errors());
    assertEquals(0, scontrol("update", "StepId=12.0", "TimeLimit-=1:00:00"), world.errors());
    assertEquals(
        List.of(
            new Command.UpdateStep(12, 1, 3, false),
            new Command.UpdateStep(12, null, null, false),
            new Command.UpdateStep(12, 0, 2, true),
            new Command.UpdateStep(12, 0, -60, true)),
        changes());
  }

  @Test
  void wrongUpdatesOfStepsGetSlurmsTexts() {
    assertEquals(1, scontrol("update", "StepId=x", "TimeLimit=3"));
    assertEquals(1, scontrol("update", "StepId=12.0"));
    assertEquals(1, scontrol("update", "StepId=12.0", "Name=foo"));
    assertEquals(1, scontrol("update", "StepId=12.0", "TimeLimit=x"));
    controller.answer(refused(ErrorCode.INVALID_JOB_ID));
    assertEquals(1, scontrol("update", "StepId=12.9", "TimeLimit=3"));
    assertEquals(
        """
        Invalid StepID parameter: StepId=x
        Request aborted
        No changes specified
        Update of this parameter is not supported: Name=foo
        Request aborted
        scontrol: error: Invalid TimeLimit value
        slurm_update error: Invalid job id specified
        """,
        world.errors());
  }

  @Test
  void aStepThatIsNotThereIsNoSuccess() {
    controller.answer(job(false)).answer(refused(ErrorCode.ALREADY_DONE));
    assertEquals(225, scancel("12.7"));
    controller.answer(new Response.Jobs(List.of(), FakeContext.NOW));
    assertEquals(1, scancel("99.0"));
    assertEquals(1, scancel("12.batch"));
    assertEquals(
        """
        scancel: error: Kill job error on job step id 12: Invalid job id specified
        scancel: error: Kill job error on job step id 99.0: Invalid job id specified
        scancel: error: Invalid job id 12.batch
        """,
        world.errors());
  }
}
