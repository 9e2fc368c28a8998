package io.dure.insight.explain;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.decide.CommandDecider;
import io.dure.model.report.JobSituation;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An answer whose time is over says what it could not try. */
@Tag("pure")
class AnswerTimeTest {
  private final TestCluster cluster = ClusterBuilder.of(2).cpus(4).start();
  private int asked;

  private int behindOthers() {
    for (int i = 0; i < 8; i++) {
      cluster.submit(BOB, job().name("other" + i).cpus(3).time(60 + i));
    }
    int last = cluster.submit(ALICE, job().cpus(4).time(90));
    cluster.tick();
    return last;
  }

  private JobSituation.Waits explain(int job, ExplanationQuery.TimeUsed time) {
    ExplanationQuery question =
        new ExplanationQuery(
            cluster.state(),
            cluster.job(job),
            cluster.now(),
            "Priority",
            ALICE,
            ExplanationQuery.USUAL_EFFORT,
            CommandDecider::decide);
    return assertInstanceOf(
        JobSituation.Waits.class, JobExplainer.explain(question.within(time)).story());
  }

  @Test
  void withTimeEnoughAllIsTried() {
    JobSituation.Waits whole = explain(behindOthers(), ExplanationQuery.TimeUsed.NOT_BOUND);
    assertEquals(JobSituation.Depth.ALL, whole.depth());
    assertFalse(whole.findings().isEmpty());
  }

  @Test
  void withoutTimeEachPartSaysThatItIsCut() {
    JobSituation.Waits cut = explain(behindOthers(), () -> 1000);
    assertEquals(JobSituation.Depth.SOME, cut.depth());
    assertTrue(cut.holdersCut());
    assertTrue(cut.remediesCut());
    assertEquals(8 - 2, cut.place() == null ? -1 : cut.place().ahead());
  }

  /** Time that runs out while holders are looked for: what would help is tried all the same. */
  @Test
  void someTimeIsKeptForWhatWouldHelp() {
    int job = behindOthers();
    JobSituation.Waits whole = explain(job, ExplanationQuery.TimeUsed.NOT_BOUND);
    JobSituation.Waits some = explain(job, () -> asked++ < 40 ? 0 : 800);
    assertTrue(some.holdersCut());
    assertFalse(some.remediesCut());
    assertEquals(whole.expected(), some.expected());
    assertEquals(whole.remedies(), some.remedies());
  }
}
