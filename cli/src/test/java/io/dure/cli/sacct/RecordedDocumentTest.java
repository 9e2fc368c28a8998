package io.dure.cli.sacct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.captured.JsonLeaves;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.job.Job;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepName;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.protocol.accounting.RecordedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The documents and texts of sacct, from records made by hand. */
@Tag("pure")
class RecordedDocumentTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int sacct(String... words) {
    world.controller = controller;
    List<String> all = new ArrayList<>(List.of("sacct"));
    all.addAll(List.of(words));
    return new Sacct().run(world.call(all.toArray(String[]::new)));
  }

  private static StepConsumption used() {
    StepConsumption.Spread of = StepConsumption.Spread.of(3_500_000, "n1", 0);
    StepConsumption.Spread more = StepConsumption.Spread.of(2 * 3_500_000, "n2", 1);
    StepConsumption.Spread both = of.and(more);
    return new StepConsumption(
        7_000_000,
        3_500_001,
        new StepConsumption.TaskSums(2, both, both, both, both, both, both, null, null),
        42);
  }

  private static RecordedJob recorded(int id) {
    Job job = JobFixture.running(id).info().job();
    List<StepShare> shares =
        List.of(
            new StepShare("n1", List.of(0), 1, 100, List.of(0)),
            new StepShare("n2", List.of(0), 1, 100, List.of(1)));
    StepSpec spec = StepSpec.of("sh", 2).with().submitLine("srun -n2 sh").build();
    LaunchedStep launched = LaunchedStep.begun(0, spec, shares, FakeContext.NOW, null);
    ExitStatus killed = new ExitStatus(0, 9);
    return new RecordedJob(
        AttemptId.of(job),
        job,
        false,
        List.of(
            new RecordedStep(
                StepName.BatchStep.NUMBER,
                ExitStatus.OK,
                FakeContext.NOW.minusSeconds(60),
                null,
                "n1",
                1,
                null,
                null),
            new RecordedStep(
                0,
                killed,
                FakeContext.NOW.minusSeconds(50),
                FakeContext.NOW.minusSeconds(20),
                "n[1-2]",
                2,
                launched,
                used())));
  }

  private void answered() {
    controller.answer(new Response.JobHistory("lab", List.of(recorded(12)), null, List.of(), null));
  }

  private Map<String, String> document(String... words) {
    answered();
    assertEquals(0, sacct(words), world.errors());
    return JsonLeaves.of(world.printed());
  }

  @Test
  void membersAreThoseOfTheOldestVersion() {
    Map<String, String> oldest = document("--json=v0.0.42");
    assertEquals("", oldest.get("jobs[0].steps[0].pid"));
    assertFalse(oldest.containsKey("jobs[0].sluid"));
  }

  @Test
  void membersAreThoseOfTheNewestVersion() {
    Map<String, String> newest = document("--json=v0.0.45");
    assertFalse(newest.containsKey("jobs[0].steps[0].pid"));
    assertTrue(newest.containsKey("jobs[0].sluid"));
  }

  @Test
  void valuesOfAStepAreThoseOfItsRecord() {
    Map<String, String> found = document("--json");
    String step = "jobs[0].steps[1].";
    assertEquals("12.0", found.get(step + "step.id"));
    assertEquals("12.batch", found.get("jobs[0].steps[0].step.id"));
    assertEquals("RUNNING", found.get("jobs[0].steps[0].state[0]"));
    assertEquals("CANCELLED", found.get(step + "state[0]"));
    assertEquals("SIGNALED", found.get(step + "exit_code.status[0]"));
    assertEquals("9", found.get(step + "exit_code.signal.id.number"));
    assertEquals("false", found.get(step + "exit_code.return_code.set"));
    assertEquals("30", found.get(step + "time.elapsed"));
    assertEquals("10", found.get(step + "time.total.seconds"));
    assertEquals("500001", found.get(step + "time.total.microseconds"));
    assertEquals("n2", found.get(step + "nodes.list[1]"));
    assertEquals("srun -n2 sh", found.get(step + "submit_line"));
    assertEquals("cpu", found.get(step + "tres.requested.max[0].type"));
    assertEquals("7000", found.get(step + "tres.requested.max[0].count"));
    assertEquals("n2", found.get(step + "tres.requested.max[0].node"));
    assertEquals("10500", found.get(step + "tres.requested.total[0].count"));
    assertEquals("42", found.get(step + "statistics.energy.consumed.number"));
    assertEquals("200", found.get(step + "tres.allocated[1].count"));
    assertEquals("lab", found.get("meta.slurm.cluster"));
  }

  @Test
  void aStepThatIsNamedStandsInItsJobAlone() {
    Map<String, String> found = document("--json", "-j", "12.0");
    assertEquals("1", found.get("jobs.length"));
    assertEquals("1", found.get("jobs[0].steps.length"));
  }

  @Test
  void yamlHasTheSameValues() {
    answered();
    assertEquals(0, sacct("--yaml"));
    assertTrue(world.printed().contains("!!str id: !!str 12.0\n"), world.printed());
  }

  @Test
  void aVersionThatThereIsNotIsRefused() {
    assertEquals(1, sacct("--json=v0.0.38"));
    assertTrue(world.errors().contains("v0.0.45"), world.errors());
  }

  @Test
  void unitsAreOneForAllSizes() {
    answered();
    assertEquals(0, sacct("-n", "-P", "--units=K", "-o", "reqmem,alloctres,maxrss"));
    List<String> rows = world.printed().lines().toList();
    assertTrue(rows.get(2).endsWith("cpu=2,mem=204800K,node=2|6835.94K"), rows.get(2));
    assertEquals(1, sacct("--units=Q"));
    assertEquals(
        """
        sacct: error: Invalid unit type 'Q'. Possible options are 'KMGTP'
        sacct: fatal: Invalid unit type
        """,
        world.errors());
  }

  @Test
  void callsThatContradictThemselvesAreRefused() {
    Map<List<String>, String> refusals =
        Map.of(
            List.of("-B"),
            "fatal: When requesting job scripts you must also request specific jobs with the '-j'"
                + " option.",
            List.of("--env-vars"),
            "fatal: When requesting job environment you must also request specific jobs with the"
                + " '-j' option.",
            List.of("-B", "--env-vars", "-j", "1"),
            "fatal: Options --batch-script and --env-vars are mutually exclusive",
            List.of("-l", "-o", "jobid"),
            "fatal: Options -o(--format) and -l(--long) are mutually exclusive. Please remove one"
                + " and retry.",
            List.of("-o", "AllocGRES"),
            "fatal: AllocGRES has been removed, please use AllocTRES",
            List.of("--whole-hetjob=x"),
            "error: Invalid --whole-hetjob value \"x\". Valid values: [yes|no].",
            List.of("-i", "1-x"),
            "error: Invalid numeric value \"x\" for requested node range.");
    refusals.forEach((words, text) -> {
      FakeContext other = new FakeContext();
      List<String> all = new ArrayList<>(List.of("sacct"));
      all.addAll(words);
      assertEquals(1, new Sacct().run(other.call(all.toArray(String[]::new))));
      assertEquals("sacct: " + text + "\n", other.errors());
    });
  }

  @Test
  void scriptsAreThoseOfTheJobsThatHaveOne() {
    String script = "#!/bin/sh\ntrue\n";
    RecordedJob with = recorded(12);
    RecordedJob one =
        new RecordedJob(
            with.attempt(),
            with.job()
                .withWorkload(
                    Workload.BatchSpec.nothing("/").with().script(TextId.of(script)).build()),
            false,
            List.of());
    RecordedText text = new RecordedText(TextId.of(script), script);
    RecordedJob without = recorded(13);
    controller.answer(
        new Response.JobHistory("lab", List.of(one, without), null, List.of(), List.of(text)));
    assertEquals(0, sacct("-B", "-j", "12,13"));
    String rule = "-".repeat(80);
    assertEquals(
        "Batch Script for 12\n%1$s\n%2$s\nBatch Script for 13\n%1$s\nNONE\n\n"
            .formatted(rule, script),
        world.printed());
  }

  @Test
  void formerNamesOfColumnsAreKnown() {
    answered();
    assertEquals(0, sacct("-X", "-P", "-o", "reserved,resvcpu,resvcpuraw,planned%20"));
    assertEquals(
        "Planned|PlannedCPU|PlannedCPURAW|Planned", world.printed().lines().findFirst().get());
  }

  @Test
  void columnsOfSeveralOptionsStandBesideEachOther() {
    answered();
    assertEquals(0, sacct("-P", "-b", "-o", "user"));
    assertEquals(
        List.of("User", "JobID", "State", "ExitCode"),
        List.of(world.printed().lines().findFirst().get().split("\\|", -1)));
  }
}
