package io.dure.cli.exitmod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sacct.RunFixture;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.JobCorrection;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.RecordedJob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class SjobexitmodTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int call(String... words) {
    world.controller = controller;
    List<String> all = new ArrayList<>(List.of("sjobexitmod"));
    all.addAll(List.of(words));
    return new Sjobexitmod().run(world.call(all.toArray(String[]::new)));
  }

  private void history(RecordedJob... jobs) {
    controller.answer(new Response.JobHistory("lab", List.of(jobs), null, List.of(), null));
  }

  @Test
  void theCodeAndTheReasonAreRecorded() {
    history(RunFixture.of(123).recorded());
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, call("-e", "49", "-r", "out of memory", "123"), world.errors());
    assertEquals(" Modification of job 123 was successful.\n", world.printed());
    JobCorrection correction =
        assertInstanceOf(Request.CorrectJobs.class, controller.requests.getLast()).correction();
    assertEquals(new ExitStatus(49, 0), correction.derivedExit());
    assertEquals("out of memory", correction.comment());
  }

  @Test
  void aRefusalIsTold() {
    history(RunFixture.of(123).recorded());
    controller.answer(new Response.Failed(ErrorCode.ACCESS_DENIED, ""));
    assertEquals(1, call("-e", "49", "123"));
    assertEquals("", world.printed());
    assertTrue(world.errors().contains(ErrorCode.ACCESS_DENIED.text()), world.errors());
  }

  @Test
  void aJobIsListedWithBothCodes() {
    history(RunFixture.of(123).recorded());
    assertEquals(0, call("-l", "123"), world.errors());
    assertEquals(
        List.of(
            "               JobID    Account   NNodes        NodeList      State ExitCode"
                + " DerivedExitCode        Comment ",
            "-------------------- ---------- -------- --------------- ---------- --------"
                + " --------------- -------------- "),
        world.printed().lines().limit(2).toList());
    assertEquals(
        "123 physics 1 n1 COMPLETED 0:0 0:0",
        world.printed().lines().skip(2).findFirst().orElse("").strip().replaceAll(" +", " "));
  }

  @Test
  void withoutAChangeTheUsageIsShown() {
    assertEquals(1, call("123"));
    assertEquals(
        "Usage: sjobexitmod -e CODE [-r REASON] [-c CLUSTER] JOBID",
        world.printed().lines().findFirst().orElse(""));
    assertEquals(1, call("-e", "1", "x"));
    assertEquals("sjobexitmod: error: Invalid job id x\n", world.errors());
  }
}
