package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.sbatch.SbatchOption;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class JobSubmitterTest {

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  @BeforeEach
  void start() {
    world.controller = controller;
  }

  @AfterEach
  void allAnswersWereFetched() {
    assertTrue(controller.isDone());
  }

  private int run(String... words) {
    String[] all = new String[words.length + 3];
    all[0] = "sbatch";
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--wrap";
    all[words.length + 2] = "true";
    return new Sbatch().run(world.call(all));
  }

  private static Response submitted(int jobId) {
    return new Response.Decided(new Reply.Submitted(jobId));
  }

  private static Response refused(ErrorCode code, String detail) {
    return new Response.Decided(new Reply.Refused(code, detail));
  }

  private static Response.Cluster cluster() {
    return new Response.Cluster("lab", List.of(), List.of(), FakeContext.NOW, List.of());
  }

  @ParameterizedTest
  @CsvSource({"-t5,Submitted batch job 114", "--parsable,114", "-Q,''"})
  void tellsTheNumber(String option, String text) {
    controller.answer(submitted(114));
    assertEquals(0, run(option));
    assertEquals(text.isEmpty() ? "" : text + "\n", world.printed());
    assertEquals("", world.errors());
    Request.Change change = assertInstanceOf(Request.Change.class, controller.requests.get(0));
    assertInstanceOf(Command.SubmitJob.class, change.command());
  }

  @ParameterizedTest
  @CsvSource({"-t5,Submitted batch job 7 on cluster lab", "--parsable,7;lab"})
  void tellsTheClusterThatWasNamed(String option, String text) {
    controller.answer(cluster()).answer(submitted(7));
    assertEquals(0, run("-M", "lab", option));
    assertEquals(text + "\n", world.printed());
  }

  @Test
  void anotherClusterIsUnknown() {
    controller.answer(cluster());
    assertEquals(1, run("-M", "nosuch"));
    assertEquals(
        """
        sbatch: error: No cluster 'nosuch' known by database.
        sbatch: error: 'nosuch' can't be reached now, or it is an invalid entry for --cluster. \
         Use 'sacctmgr list clusters' to see available clusters.
        """,
        world.errors());
  }

  @Test
  void unknownGenericResourcesComeBeforeAnyWordAboutOtherOptions() {
    controller.answer(refused(ErrorCode.INVALID_GRES, ""));
    assertEquals(1, run("-S", "5", "--gres=nope:1"));
    assertEquals("sbatch: error: Invalid generic resource (gres) specification\n", world.errors());
    world.err.reset();
    controller.answer(submitted(7));
    assertEquals(0, run("-S", "5"));
    assertEquals(
        "sbatch: error: Ignoring -S since it's not allowed by configuration"
            + " (AllowSpecResourcesUsage = No)\n",
        world.errors());
    world.err.reset();
    controller.broken("Zero Bytes were transmitted or received");
    assertEquals(1, run("-S", "5"));
    assertEquals(2, world.errors().lines().count(), world.errors());
  }

  @Test
  void refusalsCarryTheirDetail() {
    controller.answer(
        refused(ErrorCode.INVALID_PARTITION_NAME, "invalid partition specified: nope"));
    assertEquals(1, run("-p", "nope"));
    assertEquals(
        """
        sbatch: error: invalid partition specified: nope
        sbatch: error: Batch job submission failed: Invalid partition name specified
        """,
        world.errors());
    assertEquals("", world.printed());
  }

  @Test
  void aSilentControllerIsNamed() {
    world.controller = new FakeContext().controller;
    assertEquals(1, run());
    assertEquals(
        "sbatch: error: Batch job submission failed:"
            + " Unable to contact slurm controller (connect failure)\n",
        world.errors());
  }

  @Test
  void aBrokenConnectionIsNotTriedAgainForTheJobMayExist() {
    controller.broken("Zero Bytes were transmitted or received");
    assertEquals(1, run());
    assertEquals(
        "sbatch: error: Batch job submission failed: Zero Bytes were transmitted or received\n",
        world.errors());
  }

  @Test
  void aFullQueueIsTriedAgain() {
    controller
        .answer(refused(ErrorCode.MAX_JOB_COUNT, ""))
        .answer(refused(ErrorCode.MAX_JOB_COUNT, ""))
        .answer(submitted(3));
    assertEquals(0, run());
    assertEquals("sbatch: error: Slurm job queue full, sleeping and retrying\n", world.errors());
    assertEquals(List.of(Duration.ofSeconds(1), Duration.ofSeconds(2)), world.pauses);
  }

  @Test
  void aFullQueueIsNotTriedForEver() {
    for (int i = 0; i < 16; i++) {
      controller.answer(refused(ErrorCode.MAX_JOB_COUNT, ""));
    }
    assertEquals(1, run());
    assertEquals(15, world.pauses.size());
    assertTrue(world.errors().endsWith("failed: MaxJobCount limit reached\n"));
  }

  @ParameterizedTest
  @CsvSource({"0,0,0", "4,0,4", "0,9,1", "3,15,1"})
  void waitingEndsWithTheJobsCode(int code, int signal, int expected) {
    controller.answer(submitted(5)).answer(new Response.Ended(new ExitStatus(code, signal)));
    assertEquals(expected, run("-W"));
    assertEquals("Submitted batch job 5\n", world.printed());
    assertEquals(new Request.WaitJob(5), controller.requests.get(1));
  }

  @Test
  void waitingOutlivesTheController() {
    controller
        .answer(submitted(5))
        .broken("gone")
        .broken("gone")
        .broken("gone")
        .answer(new Response.Ended(ExitStatus.OK));
    assertEquals(0, run("-W"));
    assertEquals(
        List.of(Duration.ofSeconds(2), Duration.ofSeconds(8), Duration.ofSeconds(32)),
        world.pauses);
  }

  @Test
  void waitingForALostJobEnds() {
    controller.answer(submitted(5)).answer(new Response.Failed(ErrorCode.INVALID_JOB_ID, ""));
    assertEquals(1, run("-W"));
    assertEquals(
        "sbatch: error: Unable to wait for job 5: Invalid job id specified\n", world.errors());
  }

  @Test
  void aTestSaysWhenAndWhere() {
    controller.answer(
        new Response.WouldStart(
            Instant.parse("2026-11-20T15:59:00Z"), 2, List.of("n1", "n2"), "debug", 117));
    assertEquals(0, run("--test-only", "-N2"));
    assertEquals("", world.printed());
    assertEquals(
        "sbatch: Job 117 to start at 2026-11-20T15:59:00 using 2 processors on nodes n[1-2] in"
            + " partition debug\n",
        world.errors());
  }

  @Test
  void aTestSaysWhyNot() {
    controller.answer(new Response.Failed(ErrorCode.NODE_CONFIG_UNAVAILABLE, ""));
    assertEquals(1, run("--test-only", "-N9"));
    assertEquals(
        "allocation failure: Requested node configuration is not available\n", world.errors());
  }

  @Test
  void helpAndVersion() {
    assertEquals(0, new Sbatch().run(world.call("sbatch", "--version")));
    assertEquals("slurm 26.05.3\n", world.printed());
    world.out.reset();
    assertEquals(0, new Sbatch().run(world.call("sbatch", "--usage", "--nonsense")));
    assertTrue(world.printed().startsWith("Usage: sbatch [-N nodes]"));
    world.out.reset();
    assertEquals(0, new Sbatch().run(world.call("sbatch", "-h")));
    for (SbatchOption option : SbatchOption.values()) {
      assertTrue(world.printed().contains("--" + option.longName()), option.longName());
    }
  }

  @Test
  void genericResourcesAreListed() {
    controller.answer(cluster().withGresTypes(List.of("gpu", "licence_server")));
    assertEquals(0, run("--gres=help"), world.errors());
    assertEquals(
        "Valid gres options are:\ngpu[[:type]:count]\nlicence_server[[:type]:count]\n",
        world.printed());
  }

  @ParameterizedTest
  @CsvSource({
    "--hint=compute_bound%Help,Application hint options:",
    "--mem-bind=help,Memory bind options:"
  })
  void optionsExplainThemselves(String option, String title) {
    assertEquals(1, run(option.replace('%', ',')));
    assertEquals(title, world.printed().lines().findFirst().orElseThrow());
    assertTrue(world.printed().endsWith("        help            show this help message\n"));
    assertEquals("", world.errors());
  }

  @Test
  void optionsOfScriptsAndVariablesExplainThemselves() {
    world.environment.put("SBATCH_MEM_BIND", "help");
    assertEquals(1, run());
    assertTrue(world.printed().startsWith("Memory bind options:"), world.printed());
    world.environment.remove("SBATCH_MEM_BIND");
    world.out.reset();
    world.in = "#!/bin/sh\n#SBATCH --hint=help\n".getBytes(StandardCharsets.UTF_8);
    assertEquals(1, new Sbatch().run(world.call("sbatch")));
    assertTrue(world.printed().startsWith("Application hint options:"), world.printed());
  }

  @ParameterizedTest
  @CsvSource({"--hint=bogus%help", "--time=abc --gres=help"})
  void whatIsWrongBeforeAnOptionThatAsksForHelpIsToldFirst(String options) {
    assertEquals(1, run(options.replace('%', ',').split(" ")));
    assertEquals("", world.printed());
    assertTrue(world.errors().startsWith("sbatch: error: "), world.errors());
  }
}
