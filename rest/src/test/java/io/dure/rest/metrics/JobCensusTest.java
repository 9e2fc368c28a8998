package io.dure.rest.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.ExitStatus;
import io.dure.model.TaskIndices;
import io.dure.model.UserIdentity;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.JobSpec;
import io.dure.model.request.OpenMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is counted of jobs in which state. */
@Tag("pure")
class JobCensusTest {
  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  private static final List<String> BOTH = List.of("a", "b");

  private final JobCensus census = new JobCensus();

  private static Workload.BatchSpec script() {
    return new Workload.BatchSpec(
        TextId.EMPTY,
        List.of(),
        TextId.EMPTY,
        false,
        "/tmp",
        null,
        "out",
        null,
        OpenMode.DEFAULT,
        022,
        List.of(),
        null,
        "sbatch",
        "localhost",
        1,
        false);
  }

  private static Job job(String user, JobState state, @Nullable Instant eligible) {
    JobSpec spec =
        JobSpec.of("j", BOTH, ResourceRequest.of(2, 4, 1), TimeLimit.minutes(10))
            .with()
            .account("of-" + user)
            .build();
    return new Job(
        7,
        null,
        new UserIdentity(7, 7, user, user),
        spec,
        script(),
        NOW.minusSeconds(500),
        eligible,
        1,
        0,
        1,
        state,
        null);
  }

  private static JobState.Pending pending(Hold hold) {
    return new JobState.Pending(hold, null, List.of(), false, false);
  }

  private static Allocation allocation() {
    return new Allocation(
        "b",
        List.of(
            new NodeShare("n1", List.of(), 3, 100, 1), new NodeShare("n2", List.of(), 1, 50, 1)));
  }

  private void add(Job job, String reason) {
    JobInfo info =
        new JobInfo(job, reason, null, List.of(), null, true, "", false, List.of(), null, null);
    census.add(new Response.Jobs(List.of(info), NOW));
  }

  private static void has(JobTally tally, Map<JobCount, Long> counts) {
    for (JobCount one : JobCount.values()) {
      assertEquals(counts.getOrDefault(one, 0L), tally.of(one), one.name());
    }
  }

  @Test
  void eachTaskOfAnArrayIsAJob() {
    ArrayPart tasks =
        new ArrayPart.Waiting(
            7, new ArrayPart.Shape(3, 1, 3, 1), TaskIndices.of(List.of(1, 2, 3)), 0);
    Job array = job("ann", pending(Hold.NONE), NOW.minusSeconds(60)).withArray(7, tasks);
    add(array, "Resources");
    has(census.all(), Map.of(JobCount.ALL, 3L, JobCount.PENDING, 3L));
    assertEquals(3, census.all().waiting());
    assertEquals(60.0, census.all().meanWaitSeconds());
    assertEquals(Map.of("Resources", 3L), census.reasons());
  }

  @Test
  void aJobThatWaitsIsOneOfEachPartitionThatItAsksFor() {
    add(job("ann", pending(Hold.NONE), NOW.minusSeconds(60)), "Priority");
    add(job("ann", pending(Hold.NONE), NOW.minusSeconds(20)), "ReqNodeNotAvail, Reserved:n[1-4]");
    add(job("bob", pending(Hold.USER), null), "JobHeldUser");
    Map<JobCount, Long> counts = Map.of(JobCount.ALL, 3L, JobCount.PENDING, 3L, JobCount.HOLD, 1L);
    for (String partition : BOTH) {
      has(census.ofPartition(partition), counts);
      assertEquals(40.0, census.ofPartition(partition).meanWaitSeconds());
      assertEquals(60, census.ofPartition(partition).longestWaitSeconds());
      assertEquals(2, census.ofPartition(partition).leastNodes());
    }
    has(census.ofPartition("c"), Map.of());
    assertEquals(Set.of("ann", "bob"), census.users().keySet());
    assertEquals(Set.of("of-ann", "of-bob"), census.accounts().keySet());
    assertEquals(
        Map.of("Priority", 1L, "ReqNodeNotAvail", 1L, "JobHeldUser", 1L), census.reasons());
  }

  @Test
  void aJobThatRunsIsOneOfItsPartitionAlone() {
    Instant start = NOW.minusSeconds(30);
    add(
        job(
            "ann",
            JobState.Running.begun(allocation(), start, null, Hold.NONE, true, false),
            start),
        "None");
    has(census.ofPartition("a"), Map.of());
    has(
        census.ofPartition("b"),
        Map.of(
            JobCount.ALL,
            1L,
            JobCount.RUNNING,
            1L,
            JobCount.STARTED,
            1L,
            JobCount.CONFIGURING,
            1L,
            JobCount.CPUS_ALLOC,
            4L,
            JobCount.MEMORY_ALLOC,
            150L << 20,
            JobCount.NODES_ALLOC,
            2L));
  }

  @Test
  void oneThatIsOverIsFinishedAndHoldsNothing() {
    JobOutcome failed = new JobOutcome.Failed(new ExitStatus(3, 0));
    add(
        job("ann", new JobState.Ended(allocation(), NOW, NOW, failed, null), NOW),
        "NonZeroExitCode");
    JobOutcome good = new JobOutcome.Completed(ExitStatus.OK);
    add(job("ann", new JobState.Ended(null, null, NOW, good, null), null), "None");
    has(
        census.all(),
        Map.of(
            JobCount.ALL,
            2L,
            JobCount.FAILED,
            1L,
            JobCount.COMPLETED,
            1L,
            JobCount.FINISHED,
            2L,
            JobCount.STARTED,
            1L));
    assertEquals(Map.of(), census.reasons());
  }

  @Test
  void sumsAreOfAllFigures() {
    add(job("ann", pending(Hold.NONE), NOW.minusSeconds(60)), "Priority");
    add(job("bob", pending(Hold.NONE), NOW.minusSeconds(20)), "Priority");
    JobTally ann = census.users().get("ann");
    JobTally sum = ann.plus(census.users().get("bob"));
    has(sum, Map.of(JobCount.ALL, 2L, JobCount.PENDING, 2L));
    assertEquals(2, sum.open());
    assertEquals(60, sum.longestWaitSeconds());
    assertEquals(40.0, sum.meanWaitSeconds());
    assertEquals(1, ann.waiting());
  }
}
