package io.dure.cli.seff;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sacct.RunFixture;
import io.dure.model.ExitStatus;
import io.dure.model.job.JobOutcome;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.RecordedJob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The report of {@code seff}, from records made by hand. */
@Tag("pure")
class SeffTest {
  private static final long[] WHOLE = {0, 1000};

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int seff(String... words) {
    world.controller = controller;
    List<String> all = new ArrayList<>(List.of("seff"));
    all.addAll(List.of(words));
    return new Seff().run(world.call(all.toArray(String[]::new)));
  }

  private void history(RecordedJob... jobs) {
    controller.answer(new Response.JobHistory("lab", List.of(jobs), null, List.of(), null));
  }

  @Test
  void theReportHasTheLinesOfSlurms() {
    history(RunFixture.of(12).step(-5, WHOLE, 6000, 512, null).recorded());
    assertEquals(0, seff("12"), world.errors());
    assertEquals(
        """
        Job ID: 12
        Cluster: lab
        User/Group: alice/alice
        State: COMPLETED (exit code 0)
        Nodes: 1
        Cores per node: 8
        CPU Utilized: 01:40:00
        CPU Efficiency: 75.00% of 02:13:20 core-walltime
        Job Wall-clock time: 00:16:40
        Memory Utilized: 512.00 MB
        Memory Efficiency: 12.50% of 4.00 GB (4.00 GB/node)
        """,
        world.printed());
  }

  @Test
  void oneCoreAndMemoryByCore() {
    ResourceRequest asked =
        ResourceRequest.of(1, 1, 1).with().memory(new MemoryRequest.PerCpu(2048)).build();
    history(
        RunFixture.of(13)
            .asks(asked)
            .held(1, 2048)
            .seconds(100_000)
            .ended(new JobOutcome.Failed(new ExitStatus(3, 0)))
            .recorded());
    assertEquals(0, seff("13"), world.errors());
    assertEquals(
        """
        Job ID: 13
        Cluster: lab
        User/Group: alice/alice
        State: FAILED (exit code 3)
        Cores: 1
        CPU Utilized: 00:00:00
        CPU Efficiency: 0.00% of 1-03:46:40 core-walltime
        Job Wall-clock time: 1-03:46:40
        Memory Utilized: 0.00 MB
        Memory Efficiency: 0.00% of 2.00 GB (2.00 GB/core)
        """,
        world.printed());
  }

  @Test
  void aJobThatRunsHasAWarning() {
    history(RunFixture.of(14).ended(null).recorded());
    assertEquals(0, seff("14"), world.errors());
    List<String> lines = world.printed().lines().toList();
    assertEquals("State: RUNNING", lines.get(3));
    assertEquals(
        "WARNING: Efficiency statistics may be misleading for RUNNING jobs.", lines.getLast());
  }

  @Test
  void theLastAttemptCounts() {
    history(
        RunFixture.of(15).ended(new JobOutcome.Failed(new ExitStatus(1, 0))).requeued().recorded(),
        RunFixture.of(15).attempt(2).recorded());
    assertEquals(0, seff("15"), world.errors());
    assertEquals("State: COMPLETED (exit code 0)", world.printed().lines().toList().get(3));
  }

  @Test
  void programsGetTheFiguresAsTheyAre() {
    history(RunFixture.of(12).step(-5, WHOLE, 6000, 512, null).recorded());
    assertEquals(0, seff("-d", "12"), world.errors());
    assertEquals(
        List.of(
            "Slurm data: JobID ArrayJobID User Group State Clustername Ncpus Nnodes Ntasks Reqmem"
                + " PerNode Cput Walltime Mem ExitStatus",
            "Slurm data: 12  alice alice COMPLETED lab 8 1 1 4194304 1 6000 1000 524288 0",
            "Job ID: 12"),
        world.printed().lines().limit(3).toList());
  }

  @Test
  void whatIsNotThereIsSaid() {
    history();
    assertEquals(2, seff("99"));
    assertEquals("Job not found.\n", world.errors());
    assertEquals(1, seff());
    assertEquals("Usage: seff [OPTIONS] JOBID", world.printed().lines().findFirst().orElse(""));
    assertEquals(1, seff("12.batch"));
  }
}
