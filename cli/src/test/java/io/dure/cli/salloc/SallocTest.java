package io.dure.cli.salloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.CallerProgram;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.cli.srun.Srun;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.request.JobSpec;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls of {@code salloc}, with a controller that answers what a test prepared. */
@Tag("pure")
class SallocTest {
  private static final Response IGNORED = new Response.Failed(ErrorCode.INVALID_JOB_ID, "");

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private void grant() {
    world.controller = controller;
    controller.answer(new Response.StartedJob(JobFixture.running(7).info().job(), "lab", null));
    controller.answer(IGNORED);
  }

  private void wait(int answers) {
    world.controller = controller;
    controller.answer(new Response.Decided(new Reply.Submitted(7)));
    for (int i = 0; i < answers; i++) {
      controller.answer(new Response.StillWaiting(null));
    }
    controller.answer(IGNORED);
  }

  private void startAfter(@Nullable String... reasons) {
    world.controller = controller;
    controller.answer(new Response.Decided(new Reply.Submitted(7)));
    for (String reason : reasons) {
      controller.answer(new Response.StillWaiting(reason));
    }
    controller.answer(new Response.StartedJob(JobFixture.running(7).info().job(), "lab", null));
    controller.answer(IGNORED);
  }

  private int onTerminal(String... words) {
    return new Salloc().run(world.call(words).withTerminal(true));
  }

  @Test
  void variablesStandForOptions() {
    world.environment.put("SALLOC_PARTITION", "long");
    world.environment.put("SALLOC_QOS", "high");
    grant();
    assertEquals(0, new Salloc().run(world.call("salloc", "-q", "low", "true")), world.errors());
    Request.Allocate asked = (Request.Allocate) controller.requests.getFirst();
    Command.SubmitJob submission = (Command.SubmitJob) asked.submission().command();
    assertEquals(List.of("long"), submission.spec().partitions());
    assertEquals("low", submission.spec().qos());
  }

  @Test
  void theCommandSeesItsJob() {
    world.environment.put("SLURM_JOB_RESERVATION", "outer");
    grant();
    assertEquals(0, new Salloc().run(world.call("salloc", "true")), world.errors());
    List<String> variables = assertRan(world).environment();
    long start = Instant.parse("2026-11-20T16:00:47Z").getEpochSecond();
    for (String variable :
        List.of(
            "SLURM_JOB_USER=alice",
            "SLURM_JOB_UID=1001",
            "SLURM_JOB_GROUP=alice",
            "SLURM_JOB_GID=1001",
            "SLURM_JOB_START_TIME=" + start,
            "SLURM_JOB_END_TIME=" + (start + 3600))) {
      assertTrue(variables.contains(variable), variable + " in " + variables);
    }
    assertFalse(variables.contains("SLURM_JOB_RESERVATION=outer"));
  }

  @Test
  void anAllocationTakesWhatABatchJobTakes() {
    world.environment.put("SALLOC_CONTAINER_ID", "box");
    world.environment.put("SALLOC_SEGMENT_SIZE", "2");
    grant();
    String[] call = {"salloc", "-N2", "--container-type=oci", "--spread-segments", "true"};
    assertEquals(0, new Salloc().run(world.call(call)), world.errors());
    Request.Allocate asked = (Request.Allocate) controller.requests.getFirst();
    JobSpec spec = ((Command.SubmitJob) asked.submission().command()).spec();
    assertEquals("oci", spec.resources().more().shown().containerType());
    assertEquals("box", spec.resources().more().shown().containerId());
    assertEquals(255, new Salloc().run(world.call("salloc", "--stepmgr", "true")));
    assertTrue(
        world.errors().contains("Job submit/allocate failed: Requested operation not supported"),
        world.errors());
  }

  private static CallerProgram assertRan(FakeContext world) {
    assertNotNull(world.ran);
    return world.ran;
  }

  @Test
  void theBellRingsOnATerminalWhereItIsAskedFor() {
    grant();
    onTerminal("salloc", "--bell", "true");
    assertEquals("\007", world.printed());
  }

  @Test
  void theBellIsSilentElsewhere() {
    grant();
    onTerminal("salloc", "true");
    grant();
    onTerminal("salloc", "--bell", "--no-bell", "true");
    grant();
    new Salloc().run(world.call("salloc", "--bell", "true"));
    assertEquals("", world.printed());
  }

  @Test
  void theCodeOfAnErrorIsChosenByAVariable() {
    world.environment.put("SLURM_EXIT_ERROR", "42");
    assertEquals(42, new Salloc().run(world.call("salloc", "true")));
    assertEquals(255, new Salloc().run(world.call("salloc", "--time=soon", "true")));
  }

  @Test
  void theCodeOfAWaitThatIsTooLongIsAnother() {
    world.environment.put("SLURM_EXIT_ERROR", "42");
    wait(1);
    assertEquals(1, new Salloc().run(world.call("salloc", "-I", "true")), world.errors());
    world.environment.put("SLURM_EXIT_IMMEDIATE", "43");
    wait(1);
    assertEquals(43, new Salloc().run(world.call("salloc", "-I", "true")), world.errors());
    assertTrue(world.errors().contains("Requested nodes are busy"), world.errors());
  }

  @Test
  void aJobThatNothingKeepsWaitingIsNotCalledQueued() {
    startAfter(null, null);
    assertEquals(0, new Salloc().run(world.call("salloc", "true")), world.errors());
    assertFalse(world.errors().contains("queued and waiting"), world.errors());
  }

  @Test
  void aJobThatWaitsIsCalledQueued() {
    startAfter(null, "Resources");
    assertEquals(0, new Salloc().run(world.call("salloc", "true")), world.errors());
    assertTrue(world.errors().contains("salloc: job 7 queued and waiting"), world.errors());
  }

  @Test
  void aWaitWithoutAReasonIsAnnouncedInTheEnd() {
    startAfter(Collections.nCopies(12, null).toArray(String[]::new));
    assertEquals(0, new Salloc().run(world.call("salloc", "true")), world.errors());
    assertTrue(world.errors().contains("salloc: job 7 queued and waiting"), world.errors());
  }

  @Test
  void whatRootAloneMayIsRefused() {
    assertEquals(255, new Salloc().run(world.call("salloc", "--uid=bob", "true")));
    assertEquals(255, new Srun().run(world.call("srun", "--gid=50", "true")));
    assertEquals(255, new Srun().run(world.call("srun", "-Z", "true")));
    assertEquals(
        """
        salloc: error: --uid only permitted by root user
        srun: error: --gid only permitted by root user
        srun: error: --no-allocate only permitted by root user
        """,
        world.errors());
    world.uid = 0;
    assertEquals(255, new Srun().run(world.call("srun", "--uid=bob", "true")));
    assertTrue(world.errors().contains("--uid is not supported by this version"), world.errors());
  }
}
