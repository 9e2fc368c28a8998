package io.dure.cli.srun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.command.StepFrontEnd;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.step.SrunDefaults;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steps that {@code srun} gets late, or not at all. */
@Tag("pure")
class StepLauncherTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  StepLauncherTest() {
    world.controller = controller;
  }

  private void refused(ErrorCode code) {
    controller.answer(new Response.Decided(new Reply.Refused(code, "")));
  }

  private void waits(int times) {
    for (int i = 0; i < times; i++) {
      controller.answer(new Response.StillWaiting(null));
    }
  }

  private void created() {
    controller.answer(new Response.Decided(new Reply.Done()));
    controller.answer(new Response.Decided(new Reply.StepCreated(7, 0)));
    launched();
  }

  private void launched() {
    List<StepShare> shares = List.of(new StepShare("n1", List.of(0), 1, 0, List.of(0)));
    LaunchedStep step = LaunchedStep.begun(0, StepSpec.of("true", 1), shares, Instant.EPOCH, null);
    controller.answer(
        new Response.StepLaunch(
            new byte[0], new byte[0], step, List.of(), 30, 16, new SrunDefaults(false, 0, "", "")));
  }

  private int srun(String... options) {
    String[] words = new String[options.length + 3];
    words[0] = "srun";
    words[1] = "--jobid=7";
    System.arraycopy(options, 0, words, 2, options.length);
    words[words.length - 1] = "true";
    return new Srun().run(world.call(words));
  }

  @Test
  void aStepOfASuspendedJobWaitsUntilTheJobGoesOn() {
    refused(ErrorCode.JOB_SUSPENDED);
    waits(2);
    created();
    assertEquals(0, srun(), world.errors());
    assertEquals(
        """
        srun: Job 7 step creation temporarily disabled, retrying (Job is current suspended, requested operation disabled)
        srun: Step created for StepId=7.0
        """,
        world.errors());
    assertEquals(
        List.of(
            "Change", "AwaitStepRoom", "AwaitStepRoom", "AwaitStepRoom", "Change", "LaunchStep"),
        controller.requests.stream().map(one -> one.getClass().getSimpleName()).toList());
  }

  @Test
  void aStepOfAJobThatGoesOnSoonSaysNothing() {
    refused(ErrorCode.JOB_SUSPENDED);
    created();
    assertEquals(0, srun(), world.errors());
    assertEquals("", world.errors());
  }

  @Test
  void withImmediateItDoesNotWait() {
    refused(ErrorCode.JOB_SUSPENDED);
    waits(1);
    assertEquals(1, srun("--immediate"));
    assertEquals(
        "srun: error: Unable to create step for job 7: Job is current suspended, requested operation disabled\n",
        world.errors());
    Request.Change asked = (Request.Change) controller.requests.getFirst();
    assertTrue(asked.command() instanceof Command.CreateStep, asked.toString());
  }

  @Test
  void optionsOfNewerReleasesAreTaken() throws Exception {
    controller.answer(new Response.Decided(new Reply.StepCreated(7, 0)));
    launched();
    int code =
        srun(
            "--parsable",
            "--external-launcher",
            "--wait-for-children",
            "--ignore-signals=INT,SIGTERM",
            "--segment=2",
            "--container-type=oci");
    assertEquals(0, code, world.errors());
    StepFrontEnd order = world.frontEnd();
    assertNotNull(order);
    assertTrue(order.entries().containsAll(List.of("ignore_signal=2", "ignore_signal=15")));
    assertTrue(WireCodecs.launchOrders().decode(order.launches().getFirst()).awaitsChildren());
    assertEquals(StepSpec.Sharing.OVERLAP, asked(0).sharing());
    controller.answer(new Response.Decided(new Reply.StepCreated(7, 0)));
    launched();
    assertEquals(0, srun("--overlap=yes"), world.errors());
    assertEquals(StepSpec.Sharing.OVERLAP, asked(2).sharing());
  }

  @Test
  void whatHasNoPluginIsRefused() {
    assertEquals(255, srun("--async"));
    assertEquals(255, srun("--context=x"));
    assertEquals(255, srun("--ignore-signals=INT,NONE"));
    String refused =
        "srun: error: Unable to allocate resources: Requested operation not supported on this system";
    assertEquals(
        List.of(
            "srun: error: --async is not available on this cluster",
            refused,
            "srun: error: --context is not available on this cluster",
            refused,
            "srun: error: Invalid --ignore-signals specification"),
        world.errors().lines().toList());
  }

  private StepSpec asked(int request) {
    Request.Change change = (Request.Change) controller.requests.get(request);
    return ((Command.CreateStep) change.command()).spec();
  }

  @Test
  void aJobThatEndsWhileItIsSuspendedEndsTheWait() {
    refused(ErrorCode.JOB_SUSPENDED);
    waits(1);
    controller.answer(new Response.Decided(new Reply.Done()));
    refused(ErrorCode.ALREADY_DONE);
    assertEquals(1, srun());
    assertTrue(world.errors().contains("Slurm job 7 has expired"), world.errors());
  }
}
