package io.dure.cli.lsf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.ClusterFixture;
import io.dure.cli.scontrol.JobFixture;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.request.JobSpec;
import io.dure.model.request.TimeLimit;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands of LSF, before a controller that gives prepared answers. */
@Tag("pure")
class LsfCommandsTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int run(CliCommand command, String... words) {
    world.controller = controller;
    return command.run(world.call(words));
  }

  private JobSpec submitted() {
    Request.Change change =
        assertInstanceOf(Request.Change.class, controller.requests.getFirst(), world.errors());
    return assertInstanceOf(Command.SubmitJob.class, change.command()).spec();
  }

  private void queue(JobInfo... jobs) {
    controller.answer(new Response.Jobs(List.of(jobs), FakeContext.NOW));
  }

  @Test
  void aCommandIsSubmitted() {
    controller.answer(new Response.Decided(new Reply.Submitted(12)));
    controller.answer(ClusterFixture.cluster());
    assertEquals(
        0, run(new Bsub(), "bsub", "-n", "4", "-J", "mine", "sleep", "10"), world.errors());
    assertEquals("Job <12> is submitted to default queue <debug>.\n", world.printed());
    assertEquals("mine", submitted().name());
    assertEquals(4, submitted().resources().tasks());
  }

  @Test
  void aScriptSetsOptionsUnderTheCommandLine() {
    world.in =
        "#!/bin/sh\n#BSUB -W 60\n#BSUB -J \"render[1-3]\"\n#BSUB -q short\ntrue\n"
            .getBytes(StandardCharsets.UTF_8);
    controller.answer(new Response.Decided(new Reply.Submitted(13)));
    assertEquals(0, run(new Bsub(), "bsub", "-W", "1:30", "-q", "debug"), world.errors());
    assertEquals("Job <13> is submitted to queue <debug>.\n", world.printed());
    assertEquals("render", submitted().name());
    assertEquals(TimeLimit.minutes(90), submitted().timeLimit());
    assertEquals(List.of("debug"), submitted().partitions());
  }

  @Test
  void whatIsWrongSubmitsNothing() {
    assertEquals(255, run(new Bsub(), "bsub", "-zz", "true"));
    assertEquals("-zz: Illegal option. Job not submitted.\n", world.errors());
  }

  @Test
  void jobsAreListed() {
    queue(
        JobFixture.running(12).name("a-name-that-is-long").info(),
        JobFixture.running(14).owner("bob", 1002).info(),
        JobFixture.waiting(13, "2-5").info());
    assertEquals(0, run(new Bjobs(), "bjobs"), world.errors());
    List<String> lines = world.printed().lines().toList();
    assertEquals(
        "JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME",
        lines.getFirst());
    assertEquals(3, lines.size());
    assertTrue(lines.get(1).startsWith("12      alice   RUN   debug "), lines.get(1));
    assertTrue(lines.get(1).endsWith(" n1          *t-is-long Nov 20 16:00"), lines.get(1));
    assertTrue(lines.get(2).startsWith("13      alice   PEND  debug "), lines.get(2));
    assertTrue(lines.get(2).endsWith(" -           job[2-5]   Nov 20 16:00"), lines.get(2));
  }

  @Test
  void columnsAreChosen() {
    queue(JobFixture.running(12).info());
    assertEquals(
        0,
        run(new Bjobs(), "bjobs", "-noheader", "-o", "jobid stat:5 exit_code delimiter=','", "12"),
        world.errors());
    assertEquals("12,RUN,-\n", world.printed());
  }

  @Test
  void whatIsNotThereIsSaid() {
    queue();
    assertEquals(255, run(new Bjobs(), "bjobs"));
    queue();
    assertEquals(255, run(new Bjobs(), "bjobs", "99"));
    queue();
    assertEquals(255, run(new Bkill(), "bkill", "99"));
    assertEquals(
        "No unfinished job found\nJob <99> is not found\nJob <99>: No matching job found\n",
        world.errors());
  }

  @Test
  void aJobIsCancelled() {
    queue(JobFixture.running(12).info());
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, run(new Bkill(), "bkill", "12"), world.errors());
    assertEquals("Job <12> is being terminated\n", world.printed());
  }
}
