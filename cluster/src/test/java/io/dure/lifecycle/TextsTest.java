package io.dure.lifecycle;

import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.job.Job;
import io.dure.model.jobtext.JobTexts;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scripts and environments stand once, for as long as a job needs them. */
@Tag("pure")
final class TextsTest {
  private final TestCluster cluster = ClusterBuilder.of(1).set("MinJobAge", "300").start();

  private static JobBuilder job() {
    return JobBuilder.job().cpus(1);
  }

  private int texts() {
    return cluster.state().texts().all().size();
  }

  @Test
  void equalTextsAreStoredOnce() {
    int first = cluster.submit(ALICE, job().held());
    int second = cluster.submit(ALICE, job().held());
    cluster.submit(BOB, job().held().environment("B=1", "C=2"));
    assertEquals(3, texts());
    assertEquals(3, cluster.state().texts().uses(cluster.job(first).workload().script()));
    assertEquals(2, cluster.state().texts().uses(cluster.job(first).workload().environment()));
    assertEquals(
        3, cluster.steps().stream().filter(s -> s.event() instanceof Event.TextStored).count());
    assertSame(cluster.job(first).workload(), cluster.job(second).workload(), "one object");
    assertSame(cluster.job(first).spec(), cluster.job(second).spec(), "one object");
    cluster.checkReplay();
  }

  @Test
  void theLastJobTakesThemAlong() {
    int array = cluster.submit(ALICE, job().array("0-1").runs(10));
    int other = cluster.submit(BOB, job().held().environment("B=1"));
    cluster.seconds(400);
    assertNull(cluster.state().job(array), "forgotten");
    assertEquals(2, texts());
    cluster.ask(BOB, Ask.cancel(other));
    cluster.seconds(400);
    assertEquals(0, texts());
    assertEquals("", cluster.state().texts().content(io.dure.model.jobtext.TextId.EMPTY));
  }

  @Test
  void whatTheSenderCallsThemIsNotBelieved() {
    Job victim = cluster.job(cluster.submit(ALICE, job().held().environment("SECRET=1")));
    Command.SubmitJob honest = job().held().environment("MINE=1").submission();
    cluster.ask(
        BOB,
        new Command.SubmitJob(honest.spec(), victim.workload(), new JobTexts("#!/bin/sh\n", "")));
    Job stolen = cluster.job(victim.id() + 1);
    assertEquals(List.of(), cluster.state().texts().of(stolen).assignments());
    assertEquals("#!/bin/sh\n", cluster.state().texts().of(stolen).script());
  }

  @Test
  void aScriptMayBeTooLong() {
    TestCluster small =
        ClusterBuilder.of(1).set("SchedulerParameters", "max_script_size=25").start();
    assertNull(small.refusal(ALICE, job()));
    Command.SubmitJob plain = job().submission();
    Command.SubmitJob tooLong =
        new Command.SubmitJob(
            plain.spec(), plain.workload(), new JobTexts("#!/bin/sh\n# 26 bytes long\n", ""));
    assertEquals(ErrorCode.PATHNAME_TOO_LONG, small.refusal(ALICE, tooLong));
    assertTrue(small.state().texts().all().size() <= 2, "nothing of it is kept");
  }
}
