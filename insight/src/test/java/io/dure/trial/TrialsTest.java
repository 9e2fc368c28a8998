package io.dure.trial;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.insight.testonly.TestOnlyScheduling;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.PendingVerdict;
import io.dure.model.job.JobState;
import io.dure.scheduler.Planner;
import io.dure.scheduler.StartEstimate;
import io.dure.testkit.Cases;
import io.dure.testkit.SeededRandom;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A trial is told what becomes of the job if it is submitted. */
@Tag("pure")
class TrialsTest {
  private final TestOnlyScheduling trials = new TestOnlyScheduling();
  private int waited;

  private @Nullable StartEstimate ask(TestCluster cluster, Caller.User who, JobBuilder job) {
    TestOnlyScheduling.Answer answer =
        trials.ask(cluster.state(), job.submission(), who, cluster.now());
    return ((TestOnlyScheduling.Accepted) answer).estimate();
  }

  @Test
  void whoWouldWaitBehindOthersIsToldSo() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    cluster.submit(ALICE, job().nodes(2).exclusive().time(60).runs(9000));
    cluster.submit(ALICE, job().nodes(2).exclusive().time(60).runs(9000));
    StartEstimate estimate = ask(cluster, BOB, job().nodes(2).exclusive().time(30));
    assertEquals(
        Duration.ofHours(2),
        Duration.between(cluster.now(), Objects.requireNonNull(estimate).start()));
    assertEquals(8, estimate.cpus());
    assertEquals(2, estimate.nodes().size());
  }

  @Test
  void whoCanNeverStartIsToldNothingAndWhoIsNotAcceptedWhy() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    assertNull(ask(cluster, ALICE, job().nodes(9)));
    TestOnlyScheduling.Answer answer =
        trials.ask(cluster.state(), job().partition("none").submission(), ALICE, cluster.now());
    assertEquals(
        ErrorCode.INVALID_PARTITION_NAME, ((TestOnlyScheduling.Refused) answer).why().code());
  }

  /** Random queues: the job starts at once, or is expected then, as its trial was told. */
  @Test
  void theSubmissionThenSeesWhatItsTrialWasTold() {
    SeededRandom.check("trials", 20, this::play);
    assertTrue(waited > Cases.of(100), "few had to wait: " + waited);
  }

  private void play(SeededRandom random) {
    TestCluster cluster = ClusterBuilder.of(random.between(1, 5)).start();
    int nodes = cluster.state().nodes().size();
    for (int step = 0; step < 20; step++) {
      int wanted = random.between(1, nodes);
      JobBuilder job =
          job()
              .nodes(wanted)
              .tasks(wanted * random.between(1, 4))
              .time(random.between(1, 300))
              .runs(random.between(10, 9000));
      Caller.User who = random.between(0, 1) == 0 ? ALICE : BOB;
      StartEstimate estimate = Objects.requireNonNull(ask(cluster, who, job));
      int id = cluster.submit(who, job);
      PendingVerdict verdict = Planner.once(cluster.state(), cluster.now()).verdicts().get(id);
      if (cluster.job(id).state() instanceof JobState.Pending && verdict != null) {
        waited++;
        assertEquals(verdict.expectedStart(), estimate.start());
        assertEquals(verdict.plannedNodes(), estimate.nodes());
      } else {
        assertEquals(cluster.now(), estimate.start());
      }
      cluster.seconds(random.between(1, 600));
    }
  }
}
