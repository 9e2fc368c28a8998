package io.dure.cli.captured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.cli.squeue.Squeue;
import io.dure.model.ErrorCode;
import io.dure.model.job.Hold;
import io.dure.model.job.NodeShare;
import io.dure.protocol.JobCriteria;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is asked of the controller, and options of which no output was captured. */
@Tag("pure")
class QueueOptionsTest {

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();
  private List<JobInfo> jobs = LabJobs.all();

  private String list(String... words) {
    controller.answer(new Response.Jobs(jobs, FakeContext.NOW));
    return run(0, words);
  }

  private String run(int code, String... words) {
    world.controller = controller;
    List<String> all = new ArrayList<>(List.of("squeue"));
    all.addAll(List.of(words));
    assertEquals(code, new Squeue().run(world.call(all.toArray(String[]::new))));
    return world.printed();
  }

  private Request.ListJobs asked() {
    return (Request.ListJobs) controller.requests.getLast();
  }

  @Test
  void onlyWhatIsNeededIsAskedFor() {
    list();
    assertEquals(new Request.ListJobs(List.of(), null, false), asked());
    list("-u", "bob");
    assertEquals(new Request.ListJobs(List.of(), "bob", false), asked());
    list("-j", "157_4,160,157", "-u", "bob");
    assertEquals(new Request.ListJobs(List.of(157, 160), null, false), asked());
    list("-t", "all");
    assertTrue(asked().includeEnded());
    list("-t", "R,CD");
    assertTrue(asked().includeEnded());
  }

  @Test
  void endedTasksOfAnArrayAreInTheOrderOfTheirNumbers() {
    controller.answer(
        new Response.Jobs(
            List.of(
                JobFixture.pending(28).task(28, 3).info(),
                JobFixture.pending(29).task(28, 1).info(),
                JobFixture.pending(30).task(28, 2).info()),
            FakeContext.NOW));
    assertEquals("28_1\n28_2\n28_3\n", list("-h", "-t", "all", "-o", "%i"));
  }

  @Test
  void theControllerLeavesOutWhatIsNotAskedFor() {
    list("-t", "PD,CG", "-p", "debug", "-u", "alice");
    assertEquals(
        new Request.ListJobs(
            List.of(),
            "alice",
            false,
            0,
            new JobCriteria(
                List.of("PENDING", "COMPLETING"),
                null,
                List.of("debug"),
                null,
                null,
                null,
                null,
                null,
                null)),
        asked());
    // Whether somebody has jobs says that his name is no slip.
    list("-t", "PD", "-u", "alice,nobody");
    assertNull(asked().criteria());
    // A number without a job is an error, one whose job is not listed is none.
    list("-t", "PD", "-j", "157");
    assertNull(asked().criteria());
  }

  @Test
  void oneUnknownNumberIsAnError() {
    jobs = List.of();
    controller.answer(new Response.Jobs(jobs, FakeContext.NOW));
    assertEquals("", run(1, "-j", "999"));
    assertEquals("slurm_load_jobs error: Invalid job id specified\n", world.errors());
  }

  @Test
  void workloadKeyIsAColumn() {
    jobs = List.of(JobFixture.pending(5).wckey("survey").info(), JobFixture.pending(6).info());
    assertEquals("survey\n(null)\n", list("-ho", "%w", "-S", "i"));
    world.out.reset();
    assertEquals("survey(null)", list("-hO", "wckey", "-S", "i").replaceAll("\\s", ""));
  }

  @Test
  void jobsOfOthers() {
    assertEquals(
        List.of("bob", "root"), list("--notme", "-ho", "%u").lines().distinct().sorted().toList());
  }

  @Test
  void jobsByHowLongTheyHaveRun() {
    NodeShare share = new NodeShare("n1", List.of(0), 1, 100, 1);
    String end = "2026-11-20T20:00:00Z";
    jobs =
        List.of(
            JobFixture.pending(4).info(),
            JobFixture.running(5).ran("2026-11-20T16:00:34Z", end, share).info(),
            JobFixture.running(6).ran("2026-11-20T15:01:34Z", end, share).info());
    assertEquals("6\n", list("-ho", "%i", "--running-over=10"));
    world.out.reset();
    assertEquals("5\n", list("-ho", "%i", "--running-under", "10:00"));
    world.out.reset();
    assertEquals("", list("-ho", "%i", "--running-over=1", "--running-under=2"));
    assertEquals("", run(1, "--running-over=soon"));
    assertEquals("squeue: error: Invalid --running-over specification\n", world.errors());
  }

  @Test
  void severalUnknownNumbersAreNone() {
    jobs = List.of();
    assertEquals("", list("-h", "-j", "998,999"));
    assertEquals("", world.errors());
  }

  @Test
  void aNumberMayStandAlone() {
    assertEquals("157_4\n", list("-ho", "%i", "-j157_4"));
    assertEquals(List.of(157), asked().jobIds());
    world.out.reset();
    assertEquals("155\n", list("-o%i", "-h", "--jobs", "155"));
    world.out.reset();
    assertEquals("157_8\n", list("-ho", "%i", "-j", "157_8"));
  }

  @Test
  void noController() {
    world.controller = new FakeContext().controller;
    assertEquals(1, new Squeue().run(world.call("squeue")));
    assertEquals(
        "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
        world.errors());
  }

  @Test
  void refusals() {
    controller.answer(new Response.Failed(ErrorCode.ACCESS_DENIED, ""));
    run(1);
    assertEquals("slurm_load_jobs error: Access/permission denied\n", world.errors());
    world.err.reset();
    assertTrue(run(1, "157").startsWith("Usage: squeue [-A account]"));
    assertEquals("squeue: error: Unrecognized option: 157\n", world.errors());
    world.err.reset();
    run(1, "-i", "x");
    assertEquals("squeue: error: --iterate=x\n\n", world.errors());
    world.err.reset();
    controller.answer(LabNodes.cluster());
    run(1, "-w", "n1,nosuch");
    assertEquals("squeue: error: Invalid node name nosuch\n", world.errors());
    world.err.reset();
    run(1, "--json=v0.0.41");
    assertTrue(world.errors().startsWith("squeue: error: No data_parser plugin v0.0.41"));
    world.err.reset();
    run(1, "--yaml=v0.0.46");
    assertTrue(world.errors().startsWith("squeue: error: No data_parser plugin v0.0.46"));
  }

  @Test
  void versionsOfDocumentsAreListed() {
    String versions =
        """
        Possible data_parser plugins:
        data_parser/v0.0.45
        data_parser/v0.0.44
        data_parser/v0.0.43
        data_parser/v0.0.42
        """;
    run(0, "--json=list");
    assertEquals(versions, world.errors());
    world.err.reset();
    run(0, "--yaml=list");
    assertEquals(versions, world.errors());
  }

  @Test
  void environment() {
    world.environment.put("SQUEUE_FORMAT", "%i");
    world.environment.put("SQUEUE_PARTITION", "short");
    assertEquals("JOBID\n180\n179\n", list());
    world.out.reset();
    assertEquals("STATE\nPENDING\nPENDING\n", list("-o", "%T"));
    world.out.reset();
    world.environment.clear();
    world.environment.put("SQUEUE_FORMAT2", "jobid:5,name:");
    world.environment.put("SQUEUE_USERS", "root");
    world.environment.put("SQUEUE_STATES", "R");
    assertEquals("154  bigrun\n", list("-h"));
  }

  @Test
  void eachTaskHasItsOwnRow() {
    assertEquals(
        "157_0\n157_2\n157_4\n157_6\n157_8\n157_10\n157_12\n157_14\n157_16\n157_18\n",
        list("-r", "-h", "-o", "%i", "-j", "157,1", "-S", "i"));
  }

  @Test
  void eachPartitionHasItsOwnRow() {
    assertEquals("debug\nshort\n", list("-P", "-h", "-o", "%P", "-n", "multi"));
  }

  @Test
  void longListsOfTasksAreCut() {
    assertEquals("157_[6-...%3]\n", limited("6"));
    assertEquals("157_[6-18:2%3]\n", limited("7"));
    assertEquals("157_[6-18:2%3]\n", limited("0"));
  }

  private String limited(String length) {
    world.out.reset();
    world.environment.put("SLURM_BITSTR_LEN", length);
    return list("-h", "-o", "%i", "-n", "arr", "-t", "PD");
  }

  @Test
  void jobsOfHiddenPartitions() {
    JobInfo open = LabJobs.job(7, "x", 1).info();
    jobs =
        List.of(
            new JobInfo(
                open.job(), "None", null, List.of(), null, true, "", true, List.of(), null, null));
    assertEquals("", list("-h"));
    assertEquals("7\n", list("-ah", "-o", "%i"));
    world.out.reset();
    assertEquals("7\n", list("-h", "-o", "%i", "-j", "7"));
  }

  @Test
  void again() {
    controller.answer(new Response.Jobs(List.of(), FakeContext.NOW));
    world.controller = controller;
    CommandContext context = world.call("squeue", "-i", "5", "-o", "%i");
    // The second round finds no answer prepared.
    assertThrows(java.util.NoSuchElementException.class, () -> new Squeue().run(context));
    assertEquals("Fri Nov 20 16:01:34 2026\nJOBID\n\n", world.printed());
    assertEquals(List.of(Duration.ofSeconds(5)), world.pauses);
  }

  @Test
  void clusters() {
    controller.answer(LabNodes.cluster());
    assertEquals("CLUSTER: labreal\nJOBID\n154\n", list("-M", "labreal", "-o%i", "-uroot", "-tR"));
    world.out.reset();
    controller.answer(LabNodes.cluster()).answer(new Response.Jobs(jobs, FakeContext.NOW));
    assertEquals("", run(1, "-M", "nosuch"));
    assertEquals(
        """
        squeue: error: No cluster 'nosuch' known by database.
        squeue: error: 'nosuch' can't be reached now, or it is an invalid entry for --cluster.  \
        Use 'sacctmgr list clusters' to see available clusters.
        """,
        world.errors());
  }

  @Test
  void licencesAndReservationsThatNobodyHas() {
    assertEquals("", list("-h", "-L", "matlab"));
    assertEquals("", list("-h", "-R", "maint"));
  }

  @Test
  void unitsThatAreKept() {
    jobs = List.of(LabJobs.job(9, "x", 1).shape(1, 1, 2048).info());
    assertEquals("2G\n", list("-h", "-o", "%m"));
    world.out.reset();
    assertEquals("2048M\n", list("-h", "--noconvert", "-o", "%m"));
  }

  @Test
  void everyColumnHasAValue() {
    String all = list("-h", "-o", "%all", "-n", "bigrun,held,arr");
    assertEquals(6, all.lines().count());
    assertTrue(all.lines().allMatch(line -> line.chars().filter(c -> c == '|').count() == 51));
    world.out.reset();
    StringBuilder names = new StringBuilder();
    for (var column : io.dure.surface.squeue.JobColumn.all()) {
      names.append(names.isEmpty() ? "" : ",").append(column.names().longName()).append(":;");
    }
    controller.answer(LabNodes.cluster());
    assertEquals(6, list("-h", "-O", names.toString(), "-n", "bigrun,held,arr").lines().count());
    assertEquals("", world.errors());
  }

  @Test
  void heldJobsOfLaterReleases() {
    jobs = List.of(LabJobs.job(9, "x", 1).held(Hold.SPECIAL_EXIT).reason("JobHeldUser").info());
    assertEquals("SE SPECIAL_EXIT (JobHeldUser)\n", list("-h", "-o", "%t %T %R"));
  }

  @Test
  void patterns() {
    jobs = List.of(LabJobs.job(154, "big", 1).running("16:00:48", "n3:1").info());
    assertEquals(
        "/tmp/slurm-lab/jobs/cap/big-154.out\n", list("-h", "--expand-patterns", "-O", "stdout:"));
  }
}
