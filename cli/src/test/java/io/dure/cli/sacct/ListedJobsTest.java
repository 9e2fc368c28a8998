package io.dure.cli.sacct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.captured.JsonLeaves;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.gres.License;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.Workload;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which recorded jobs sacct lists, of which clusters, and what columns say of them. */
@Tag("pure")
class ListedJobsTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private static RecordedJob pending(JobFixture fixture) {
    Job job = fixture.info().job();
    return new RecordedJob(AttemptId.of(job), job, false, List.of());
  }

  private static RecordedJob asking(int id, @Nullable String features) {
    ResourceRequest asked = ResourceRequest.of(1, 1, 8).with().features(features).build();
    return RunFixture.of(id).asks(asked).recorded();
  }

  private static RecordedJob given(RecordedJob recorded, UnaryOperator<Allocation> how) {
    if (!(recorded.job().state() instanceof JobState.Ended over) || over.allocation() == null) {
      throw new AssertionError(recorded.job().state());
    }
    JobState next =
        new JobState.Ended(
            how.apply(over.allocation()),
            over.start(),
            over.end(),
            over.outcome(),
            over.reason(),
            over.pauses());
    return recorded.withJob(recorded.job().withState(next));
  }

  private void answered(String cluster, RecordedJob... jobs) {
    controller.answer(new Response.JobHistory(cluster, List.of(jobs), null, List.of(), null));
  }

  private void twoClusters() {
    AccountingTree tree = AccountingTree.initial();
    controller.answer(
        new Response.Accounts(
            "lab",
            "",
            0,
            tree.records(),
            "root",
            true,
            Stream.of("lab", "sea")
                .map(name -> new ClusterAccounts(name, "", 0, tree.records()))
                .toList()));
    answered("lab", RunFixture.of(1).recorded());
    answered("sea", RunFixture.of(1).recorded());
  }

  private String sacct(String... words) {
    world.controller = controller;
    List<String> all = new ArrayList<>(List.of("sacct"));
    all.addAll(List.of(words));
    assertEquals(0, new Sacct().run(world.call(all.toArray(String[]::new))), world::errors);
    assertTrue(controller.isDone());
    return world.printed();
  }

  private List<String> rows(String... words) {
    return sacct(words).lines().toList();
  }

  @Test
  void allMeansEveryColumn() {
    answered("lab", RunFixture.of(1).recorded());
    String[] words = new String[] {"-P", "-X", "-o", "jobid,ALL"};
    List<String> header = List.of(rows(words).getFirst().split("\\|", -1));
    assertEquals("JobID", header.getFirst());
    FakeContext help = new FakeContext();
    new Sacct().run(help.call("sacct", "-e"));
    List<String> known = Stream.of(help.printed().split("\\s+")).toList();
    assertEquals(known, header.subList(1, header.size()));
  }

  @Test
  void rowsOfTwoClustersThatAreAlikeBothStand() {
    twoClusters();
    assertEquals(
        List.of("COMPLETED", "COMPLETED"), rows("-n", "-P", "-M", "lab,sea", "-o", "state"));
  }

  @Test
  void theHeaderOfTwoClustersStandsOnce() {
    twoClusters();
    assertEquals(
        List.of("State", "COMPLETED", "COMPLETED"), rows("-P", "-M", "all", "-o", "state"));
  }

  @Test
  void aDocumentOfTwoClustersIsOne() {
    twoClusters();
    Map<String, String> found = JsonLeaves.of(sacct("--json", "-M", "all"));
    assertEquals("2", found.get("jobs.length"));
    assertEquals("lab", found.get("jobs[0].cluster"));
    assertEquals("sea", found.get("jobs[1].cluster"));
  }

  @Test
  void tasksThatWaitHaveRowsOfTheirOwnIfWanted() {
    RecordedJob array = pending(JobFixture.waiting(7, "1-3"));
    answered("lab", array);
    assertEquals(List.of("7_[1-3]"), rows("-n", "-P", "-o", "jobid"));
    world.out.reset();
    answered("lab", array);
    assertEquals(
        List.of("7_1|PENDING", "7_2|PENDING", "7_3|PENDING"),
        rows("-n", "-P", "--array", "-o", "jobid,state"));
    world.out.reset();
    answered("lab", array);
    assertEquals(List.of("7_2"), rows("-n", "-P", "--array", "-j", "7_2", "-o", "jobid"));
  }

  @Test
  void flagsSayHowAJobCameToStart() {
    RecordedJob main = given(RunFixture.of(1).recorded(), one -> one.withOvertook(false));
    RecordedJob ahead = given(RunFixture.of(2).recorded(), one -> one.withOvertook(true));
    RecordedJob waits = pending(JobFixture.pending(3));
    answered("lab", main, ahead, waits);
    assertEquals(
        List.of("1|SchedMain,StartReceived", "2|SchedBackfill,StartReceived", "3|StartReceived"),
        rows("-n", "-P", "-o", "jobid,flags"));
    world.out.reset();
    answered("lab", main, ahead, waits);
    assertEquals(List.of("2"), rows("-n", "-P", "-F", "schedbackfill", "-o", "jobid"));
    world.out.reset();
    answered("lab", ahead);
    assertEquals("STARTED_ON_BACKFILL", JsonLeaves.of(sacct("--json")).get("jobs[0].flags[0]"));
  }

  @Test
  void aFlagThatThereIsNotIsRefused() {
    assertEquals(1, new Sacct().run(world.call("sacct", "-F", "Sched")));
    assertEquals(
        "sacct: fatal: unrecognized job flag 'Sched'. Valid flags:"
            + " SchedSubmit,SchedMain,SchedBackfill,StartReceived\n",
        world.errors());
  }

  @Test
  void jobsAreChosenByWhatTheyWaitFor() {
    Job held = JobFixture.pending(2).info().job();
    JobState.Pending back = new JobState.Pending(Hold.USER, null, List.of(), false, false);
    Job job = held.withState(back);
    answered(
        "lab",
        pending(JobFixture.pending(1)),
        new RecordedJob(AttemptId.of(job), job, false, List.of()));
    assertEquals(List.of("2"), rows("-n", "-P", "-R", "jobHeldUser,Dependency", "-o", "jobid"));
  }

  @Test
  void jobsAreChosenByAllFeaturesThatTheyAskFor() {
    answered("lab", asking(1, null), asking(2, "ib"), asking(3, "(ib&avx512)|gpu"));
    assertEquals(List.of("3"), rows("-n", "-P", "-C", "avx512,ib", "-o", "jobid"));
  }

  @Test
  void patternsInNamesOfFilesAreFilledInIfWanted() {
    RecordedJob plain = RunFixture.of(5).name("sim").recorded();
    Workload workload =
        Workload.BatchSpec.nothing("/data").with().standardOutput("%x-%j.out").build();
    RecordedJob job = plain.withJob(plain.job().withWorkload(workload));
    answered("lab", job);
    assertEquals(List.of("/data/%x-%j.out"), rows("-n", "-P", "-X", "-o", "stdout"));
    world.out.reset();
    answered("lab", job);
    assertEquals(
        List.of("/data/sim-5.out"), rows("-n", "-P", "-X", "--expand-patterns", "-o", "stdout"));
  }

  @Test
  void aStepIsShorterByThePausesWithinItAlone() {
    RunFixture fixture = RunFixture.of(1).seconds(1000).paused(300);
    fixture.step(0, new long[] {0, 100}, 1, 1, null).step(1, new long[] {150, 1000}, 1, 1, null);
    RecordedJob recorded = fixture.recorded();
    Instant start = FakeContext.NOW.minusSeconds(4000);
    RecordedJob paused =
        recorded.withPauses(
            List.of(
                new RecordedJob.Pause(start.plusSeconds(50), start.plusSeconds(200)),
                new RecordedJob.Pause(start.plusSeconds(400), start.plusSeconds(550))));
    answered("lab", paused);
    assertEquals(
        List.of("1|700|300", "1.0|50|50", "1.1|650|200"),
        rows("-n", "-P", "-o", "jobid,elapsedraw,suspended").stream()
            .map(line -> line.replaceAll("00:0(\\d):(\\d\\d)$", "$1:$2"))
            .map(ListedJobsTest::inSeconds)
            .toList());
  }

  private static String inSeconds(String line) {
    int bar = line.lastIndexOf('|') + 1;
    int colon = line.indexOf(':', bar);
    Duration time =
        Duration.ofMinutes(Long.parseLong(line.substring(bar, colon)))
            .plusSeconds(Long.parseLong(line.substring(colon + 1)));
    return line.substring(0, bar) + time.toSeconds();
  }

  @Test
  void whatIsBilledAndTheNumberOfTheReservationAreThoseOfTheRun() {
    RecordedJob job =
        given(
            RunFixture.of(1).recorded(),
            one -> one.with().reservation("r").reservationId(4).billing(21L).build());
    answered("lab", job.withAskedBilling(19L));
    assertEquals(
        List.of("r|4|billing=21,cpu=8,mem=4G,node=1|billing=19,cpu=8,mem=4G,node=1"),
        rows("-n", "-P", "-X", "-o", "reservation,reservationid,alloctres,reqtres"));
    world.out.reset();
    answered("lab", job);
    assertEquals("4", JsonLeaves.of(sacct("--json")).get("jobs[0].reservation.id"));
  }

  @Test
  void licencesAreAmongWhatItHadIfTheClusterCountsThem() {
    List<License> held = List.of(new License("matlab", 2), new License("ansys", 1));
    RecordedJob job = given(RunFixture.of(1).recorded(), one -> one.with(held));
    controller.answer(
        new Response.JobHistory(
            "lab", List.of(job), null, List.of("gres/gpu", "license/matlab"), null));
    assertEquals(
        List.of("matlab:2,ansys:1|billing=8,cpu=8,license/matlab=2,mem=4G,node=1"),
        rows("-n", "-P", "-X", "-o", "licenses,alloctres"));
  }
}
