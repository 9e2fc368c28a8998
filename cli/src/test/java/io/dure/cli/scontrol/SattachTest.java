package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.StepFrontEnd;
import io.dure.cli.sattach.Sattach;
import io.dure.host.process.ProcFs;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Response;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What sattach asks for, and what it says where it cannot attach. */
@Tag("pure")
class SattachTest extends ScontrolSite {
  private int sattach(String... words) {
    world.controller = controller;
    String[] all = new String[words.length + 1];
    all[0] = "sattach";
    System.arraycopy(words, 0, all, 1, words.length);
    return new Sattach().run(world.call(all));
  }

  private static Response job() {
    List<StepShare> shares =
        List.of(
            new StepShare("n1", List.of(0, 1), 2, 0, List.of(0, 2)),
            new StepShare("n2", List.of(0), 1, 0, List.of(1)));
    LaunchedStep step = LaunchedStep.begun(0, StepSpec.of("sh", 3), shares, Instant.EPOCH, null);
    JobInfo info = JobFixture.running(12).info();
    JobInfo with = info.withJob(info.job().withLaunched(RunSteps.NONE.with(step)));
    return new Response.Jobs(List.of(with), FakeContext.NOW);
  }

  @Test
  void theFrontEndGetsTheStepsNodesAndTheFilters() throws IOException {
    String boot = ProcFs.ofThisMachine().bootId();
    Response places =
        new Response.NodePlaces(
            List.of(
                new Response.StepNode("n1", boot, "/spool/n1", "n1", 6818),
                new Response.StepNode("n2", boot, "/spool/n2", "n2", 6818)));
    controller.answer(job()).answer(places);
    assertEquals(
        0,
        sattach("-l", "-Q", "--pty", "--input-filter=1", "--output-filter=2", "12.0"),
        world.errors());
    StepFrontEnd frontEnd = Objects.requireNonNull(world.frontEnd());
    assertEquals(
        List.of(
            "step=12.0",
            "attach=1",
            "ntasks=3",
            "quiet=1",
            "label=1",
            "pty=1",
            "stdin=1",
            "stdout=2",
            "node=0:n1:/spool/n1",
            "node_ranks=0:0,2",
            "node=1:n2:/spool/n2",
            "node_ranks=1:1"),
        frontEnd.entries());
  }

  @Test
  void theLayoutIsShownWithoutAttaching() {
    controller.answer(job());
    assertEquals(0, sattach("--layout", "12.0"), world.errors());
    assertEquals(
        """
        Job step layout:
        \t3 tasks, 2 nodes (n[1-2])

        \tNode 0 (n1), 2 task(s): 0 2\s
        \tNode 1 (n2), 1 task(s): 1\s
        """,
        world.printed());
  }

  @Test
  void nobodyElseMayAttach() {
    world.uid = 1002;
    controller.answer(job());
    assertEquals(1, sattach("12.0"));
    assertEquals("sattach: error: Could not get job step info: Invalid user id\n", world.errors());
  }

  @Test
  void wrongWordsGetSlurmsTexts() {
    assertEquals(1, sattach());
    assertEquals(1, sattach("12"));
    assertEquals(1, sattach("x.y"));
    assertEquals(1, sattach("--input-filter=x", "12.0"));
    controller.answer(job());
    assertEquals(1, sattach("12.4"));
    controller.answer(new Response.Jobs(List.of(), FakeContext.NOW));
    assertEquals(1, sattach("99.0"));
    assertEquals(
        """
        sattach: error: too many parameters
        sattach: error: Failed to parse stepid from command line options
        sattach: fatal: Bad step specified: x
        sattach: error: Invalid numeric value "x" for input-filter.
        sattach: error: Could not get job step info: Invalid job id specified
        sattach: error: Could not get job step info: Invalid job id specified
        """,
        world.errors());
    assertEquals("Usage: sattach [options] <jobid.stepid>\n".repeat(2), world.printed());
  }
}
