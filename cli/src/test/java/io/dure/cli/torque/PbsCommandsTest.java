package io.dure.cli.torque;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.ClusterFixture;
import io.dure.cli.scontrol.JobFixture;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.request.JobSpec;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands of PBS, before a controller that gives prepared answers. */
@Tag("pure")
class PbsCommandsTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  @TempDir private Path directory;

  private int run(CliCommand command, String... words) {
    world.controller = controller;
    return command.run(world.call(words));
  }

  private Command.SubmitJob submitted() {
    Request.Change change =
        assertInstanceOf(Request.Change.class, controller.requests.getFirst(), world.errors());
    return assertInstanceOf(Command.SubmitJob.class, change.command());
  }

  private void queue(JobInfo... jobs) {
    controller.answer(ClusterFixture.cluster());
    controller.answer(new Response.Jobs(List.of(jobs), FakeContext.NOW));
  }

  @Test
  void aScriptIsSubmittedWithItsDirectivesUnderTheCommandLine() throws IOException {
    world.directory = directory;
    Files.writeString(
        directory.resolve("job.pbs"),
        "#!/bin/bash\n#PBS -l nodes=2:ppn=4,walltime=1:00:00\n#PBS -N mine -j oe\ntrue\n#PBS -q no\n");
    controller.answer(new Response.Decided(new Reply.Submitted(12)));
    assertEquals(0, run(new Qsub(), "qsub", "-l", "walltime=120", "-v", "A=1", "job.pbs"));
    assertEquals("12\n", world.printed(), world.errors());
    JobSpec spec = submitted().spec();
    assertEquals("mine", spec.name());
    assertEquals(TimeLimit.minutes(2), spec.timeLimit());
    assertEquals(2, spec.resources().minNodes());
    assertEquals(8, spec.resources().tasks());
    assertEquals(List.of(), spec.partitions());
    Workload.BatchSpec batch = assertInstanceOf(Workload.BatchSpec.class, submitted().workload());
    assertEquals("%x.o%j", batch.standardOutput());
    assertEquals(null, batch.standardError());
    assertEquals(directory.resolve("job.pbs").toString(), batch.command());
  }

  @Test
  void standardInputNeedsNoShell() {
    world.in = "#PBS -h\necho hello\n".getBytes(StandardCharsets.UTF_8);
    controller.answer(new Response.Decided(new Reply.Submitted(13)));
    assertEquals(0, run(new Qsub(), "qsub", "-z", "-S", "/bin/csh@vm"), world.errors());
    assertEquals("", world.printed());
    assertEquals("STDIN", submitted().spec().name());
  }

  @Test
  void whatHasNoEqualIsTold() {
    world.in = "#!/bin/sh\ntrue\n".getBytes(StandardCharsets.UTF_8);
    controller.answer(new Response.Decided(new Reply.Submitted(14)));
    assertEquals(0, run(new Qsub(), "qsub", "-l", "colour=red"));
    assertEquals("qsub: -l colour=red has no equal here and is passed over\n", world.errors());
    assertEquals(1, run(new Qsub(), "qsub", "nowhere"));
    assertTrue(
        world.errors().endsWith("qsub: script file:: No such file or directory\n"), world.errors());
  }

  @Test
  void jobsAreListed() {
    queue(
        JobFixture.running(12).name("a-name-that-is-too-long").info(),
        JobFixture.waiting(13, "2-5").info());
    assertEquals(0, run(new Qstat(), "qstat"), world.errors());
    assertEquals(
        """
        Job id              Name             Username        Time Use S Queue
        ------------------- ---------------- --------------- -------- - ---------------
        12                  a-name-that-is-t alice           00:00:47 R debug
        13[]                job              alice           00:00:00 Q debug
        """,
        world.printed());
  }

  @Test
  void theWideFormHasNodesBehindEachJob() {
    queue(JobFixture.running(12).info(), JobFixture.pending(13).info());
    assertEquals(0, run(new Qstat(), "qstat", "-n", "-u", "alice", "12"), world.errors());
    assertEquals(
        """

        labreal:
                                                                     Req'd Req'd    Elap
        Job ID          Username Queue    Jobname    SessID NDS TSK Memory  Time S  Time
        --------------- -------- -------- ---------- ------ --- --- ------ ----- - -----
        12              alice    debug    job         26122   1   1  100mb 01:00 R 00:00
           n1/0
        """,
        world.printed());
  }

  @Test
  void everythingIsToldOfAJob() {
    queue(JobFixture.running(12).info());
    assertEquals(0, run(new Qstat(), "qstat", "-f", "12.server"), world.errors());
    String text = world.printed();
    assertTrue(text.startsWith("Job Id: 12\n    Job_Name = job\n    Job_Owner = alice@"), text);
    for (String line :
        List.of(
            "job_state = R",
            "queue = debug",
            "exec_host = n1/0",
            "Resource_List.nodes = 1:ppn=1",
            "Resource_List.walltime = 01:00:00",
            "start_time = Fri Nov 20 16:00:47 2026")) {
      assertTrue(text.contains("\n    " + line + "\n"), line + " in " + text);
    }
  }

  @Test
  void programsReadXml() {
    queue(JobFixture.running(12).name("a<b").info());
    assertEquals(0, run(new Qstat(), "qstat", "-x", "12"), world.errors());
    String text = world.printed();
    assertTrue(text.startsWith("<Data><Job><Job_Id>12</Job_Id><Job_Name>a&lt;b</Job_Name>"), text);
    assertTrue(text.contains("<Resource_List><mem>100mb</mem><ncpus>1</ncpus>"), text);
    assertTrue(text.endsWith("</Job></Data>\n"), text);
  }

  @Test
  void queuesAreCounted() {
    queue(JobFixture.running(12).info(), JobFixture.pending(13).info());
    assertEquals(0, run(new Qstat(), "qstat", "-Q"), world.errors());
    assertEquals(
        "debug 0 2 yes yes 1 1 0 0 0 0 Exec",
        world.printed().lines().toList().getLast().replaceAll(" +", " "));
    queue(JobFixture.running(12).info(), JobFixture.pending(13).info());
    assertEquals(0, run(new Qstat(), "qstat", "-q"), world.errors());
    assertEquals("1 1", world.printed().lines().toList().getLast().strip().replaceAll(" +", " "));
  }

  @Test
  void anUnknownJobHasThePbsCode() {
    queue();
    assertEquals(153, run(new Qstat(), "qstat", "99"));
    assertEquals("qstat: Unknown Job Id 99\n", world.errors());
  }

  @Test
  void jobsAreHeldAndReleased() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, run(JobVerb.QHOLD, "qhold", "12.server"), world.errors());
    controller.answer(new Response.Failed(ErrorCode.INVALID_JOB_ID, ""));
    assertEquals(153, run(JobVerb.QRLS, "qrls", "99"));
    assertEquals("qrls: Unknown Job Id 99\n", world.errors());
    assertEquals(2, run(JobVerb.QRERUN, "qrerun"));
  }

  @Test
  void nodesAreListed() {
    queue(JobFixture.running(12).info());
    assertEquals(0, run(new Pbsnodes(), "pbsnodes", "n1"), world.errors());
    String text = world.printed();
    assertTrue(text.startsWith("n1\n     state = free\n     np = 16\n"), text);
    assertTrue(text.contains("     ntype = cluster\n     jobs = 0/12\n"), text);
    assertTrue(text.contains(",loadave=1.39\n"), text);
  }

  @Test
  void nodesOutOfUseAreListed() {
    controller.answer(ClusterFixture.cluster());
    assertEquals(0, run(new Pbsnodes(), "pbsnodes", "-l", "-n"), world.errors());
    assertEquals("n3                   offline            disk swap\n", world.printed());
  }
}
