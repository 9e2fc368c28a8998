package io.dure.controller.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.model.UserIdentity;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is shown as a job's priority. */
@Tag("pure")
final class DisplayedPrioritiesTest {
  private static final Instant NOW = Instant.parse("2026-01-05T00:00:00Z");
  private static final String FACTORS =
      "PriorityWeightAge=7000\nPriorityMaxAge=7-0\nPriorityWeightPartition=100\n";

  private static ClusterState cluster(String settings) {
    String text =
        "SlurmctldHost=vm\nClusterName=lab\nNodeName=n1 CPUs=4 RealMemory=1000\n"
            + "PartitionName=low Nodes=n1 Default=YES PriorityJobFactor=1\n"
            + "PartitionName=high Nodes=n1 PriorityJobFactor=4\n"
            + settings;
    var config = SlurmConfParser.parseAlone("/slurm.conf", text).config();
    return EventApplier.apply(ClusterState.initial(config), new Event.Configured(config, NOW));
  }

  private static ClusterState with(
      ClusterState state, int id, Hold hold, Duration waited, String... partitions) {
    ResourceRequest resources = ResourceRequest.of(1, 1, 1);
    JobSpec spec = JobSpec.of("it", List.of(partitions), resources, new TimeLimit.Unlimited());
    UserIdentity owner = new UserIdentity(1000 + id, 100, "user" + id, "users");
    long priority = hold == Hold.NONE ? 4_000_000_000L - id : 0;
    ClusterState submitted =
        EventApplier.apply(
            state,
            new Event.JobSubmitted(
                id,
                NOW.minus(waited),
                owner,
                spec,
                Workload.BatchSpec.nothing("/"),
                priority,
                hold,
                List.of(),
                null,
                null));
    return EventApplier.apply(submitted, new Event.JobEligible(id, NOW.minus(waited)));
  }

  private static long shown(ClusterState state, int id) {
    Job job = state.job(id);
    return DisplayedPriorities.of(state, NOW).of(state, job);
  }

  @Test
  void withoutWeightsItIsThePlaceInTheOrderOfSubmission() {
    ClusterState state = with(cluster(""), 1, Hold.NONE, Duration.ofDays(1), "low");
    assertEquals(4_000_000_000L - 1, shown(state, 1));
  }

  @Test
  void withWeightsItIsTheSumOfTheFactorsInTheFirstPartition() {
    ClusterState state = with(cluster(FACTORS), 1, Hold.NONE, Duration.ofDays(1), "low");
    assertEquals(1025, shown(state, 1));
    assertEquals(1025, shown(with(state, 2, Hold.NONE, Duration.ofDays(1), "low", "high"), 2));
    assertEquals(1100, shown(with(state, 3, Hold.NONE, Duration.ofDays(1), "high", "low"), 3));
  }

  @Test
  void whatIsHeldHasNone() {
    assertEquals(0, shown(with(cluster(FACTORS), 1, Hold.USER, Duration.ofDays(1), "low"), 1));
  }

  @Test
  void whatRunsShowsItsWaitUntilTheStart() {
    ClusterState state = with(cluster(FACTORS), 1, Hold.NONE, Duration.ofDays(3), "low");
    Instant start = NOW.minus(Duration.ofDays(2));
    Allocation none = new Allocation("low", List.of());
    Event started = new Event.JobStarted(1, 1, none, start, null, false, false);
    assertEquals(1025, shown(EventApplier.apply(state, started), 1));
  }

  @Test
  void prioritiesHoldForAPeriodAndForTheSameConfiguration() {
    ClusterState state = with(cluster(FACTORS), 1, Hold.NONE, Duration.ofDays(1), "low");
    DisplayedPriorities shown = DisplayedPriorities.of(state, NOW);
    assertTrue(shown.holdFor(state, NOW.plusSeconds(299)));
    assertFalse(shown.holdFor(state, NOW.plusSeconds(300)));
    assertFalse(shown.holdFor(cluster(FACTORS), NOW));
    ClusterState more = with(state, 2, Hold.NONE, Duration.ZERO, "high");
    assertTrue(shown.holdFor(more, NOW));
    assertSame(shown, shown.covering(state, state.jobs()));
    assertEquals(100, shown.covering(more, more.jobs()).of(more, more.job(2)));
  }
}
