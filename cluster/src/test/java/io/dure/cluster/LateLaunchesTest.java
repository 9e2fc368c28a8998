package io.dure.cluster;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.model.command.Command;
import io.dure.model.command.LateLaunch;
import io.dure.model.command.Reply;
import io.dure.model.command.RunReport;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepSpec;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A launch is late by how long the node has not had it, whatever the time of day does. */
@Tag("pure")
class LateLaunchesTest {
  private static final Duration ABOUT_TO = LaunchedStep.LAUNCH_TIME.minusNanos(1);

  private final TestCluster cluster =
      ClusterBuilder.of(1).partition("debug", "Nodes=ALL Default=YES").start();
  private final LateLaunches launches = new LateLaunches();

  private int jobWithStep() {
    Workload allocation =
        new Workload.InteractiveAllocation("/", "srun true", "login", 1, StepSpec.of("true", 1));
    Reply reply =
        cluster.ask(ALICE, new Command.SubmitJob(job().spec(), allocation, JobTexts.NONE));
    return assertInstanceOf(Reply.Submitted.class, reply).jobId();
  }

  private List<LateLaunch> heard(Duration at, RunReport... runs) {
    return launches.heard(cluster.state(), "n1", List.of(runs), at.toNanos() - 1_000_000_000_000L);
  }

  @Test
  void isLateAfterItsTimeOnThisConnection() {
    int id = jobWithStep();
    LateLaunch step = new LateLaunch(id, cluster.job(id).run(), 0);
    cluster.minutes(60);
    assertEquals(List.of(), heard(Duration.ZERO), "that hour was not on this connection");
    assertEquals(List.of(), heard(ABOUT_TO));
    assertEquals(List.of(step), heard(LaunchedStep.LAUNCH_TIME));
    assertEquals(List.of(step), heard(LaunchedStep.LAUNCH_TIME.plusSeconds(5)), "until it is over");
  }

  @Test
  void countsAnewOnceTheNodeHasHadIt() {
    int id = jobWithStep();
    RunReport there = new RunReport(id, cluster.job(id).run(), null, false, false).with(List.of(0));
    assertEquals(List.of(), heard(Duration.ZERO));
    assertEquals(List.of(), heard(ABOUT_TO, there));
    assertEquals(List.of(), heard(LaunchedStep.LAUNCH_TIME));
  }

  @Test
  void aScriptHasTheTimeOfItsSetting() {
    int id = cluster.submit(ALICE, job().runs(1000));
    int run = cluster.job(id).run();
    Duration patience =
        cluster.state().settings().jobs().batchStartTimeout().plus(Duration.ofSeconds(10));
    assertEquals(List.of(), heard(Duration.ZERO));
    assertEquals(List.of(), heard(patience.minusNanos(1)));
    assertEquals(List.of(new LateLaunch(id, run, LateLaunch.SCRIPT)), heard(patience));
    assertEquals(List.of(), heard(patience, new RunReport(id, run, null, false, false)));
  }
}
