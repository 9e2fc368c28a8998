package io.dure.lifecycle;

import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.StateSnapshot;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.jobtext.JobTexts;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.ArrayList;
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

  @Test
  void aUserKeepsNoMoreThanTheBound() {
    TestCluster small =
        ClusterBuilder.of(1)
            .set("SchedulerParameters", "max_user_text_size=10000")
            .set("MinJobAge", "300")
            .start();
    List<Integer> jobs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      jobs.add(small.submit(ALICE, job().held().environment("E" + i + "=" + "x".repeat(3000))));
    }
    JobBuilder next = job().held().environment("NEXT=" + "x".repeat(3000));
    Reply reply = small.ask(ALICE, next.submission());
    assertTrue(
        reply instanceof Reply.Refused refused
            && refused.code() == ErrorCode.ACCOUNTING_POLICY
            && refused.detail().contains("of user alice would take ")
            && refused.detail().contains("max_user_text_size"),
        String.valueOf(reply));
    assertNull(small.refusal(BOB, next), "another user's jobs do not count");
    assertNull(
        small.refusal(ALICE, job().held().environment("E0=" + "x".repeat(3000))),
        "it is there already");
    Command.UpdateJob comment =
        new Command.UpdateJob(
            new JobSelector(jobs.getFirst(), null), JobChange.NONE.withComment("x".repeat(1000)));
    assertTrue(small.ask(ALICE, comment) instanceof Reply.Refused, "nor by an update");
    small.ask(ALICE, Ask.cancel(jobs.get(1)));
    small.seconds(400);
    assertNull(small.refusal(ALICE, next));
    small.checkReplay();
  }

  @Test
  void whatAUserKeepsIsCountedAlikeWhateverTheWayThere() {
    cluster.submit(ALICE, job().array("0-3").runs(1000));
    int held = cluster.submit(ALICE, job().held().environment("A=1"));
    cluster.submit(BOB, job().held().environment("A=1"));
    cluster.ask(
        ALICE,
        new Command.UpdateJob(
            new JobSelector(held, null), JobChange.NONE.withComment("longer").withName("n")));
    cluster.seconds(10);
    ClusterState restored = StateSnapshot.of(cluster.state()).restore();
    for (Caller.User user : List.of(ALICE, BOB)) {
      int uid = user.identity().uid();
      assertTrue(cluster.state().texts().keptFor(uid) > 0);
      assertEquals(cluster.state().texts().keptFor(uid), restored.texts().keptFor(uid));
    }
    for (Job job : cluster.state().jobs()) {
      cluster.ask(job.owner().uid() == ALICE.identity().uid() ? ALICE : BOB, Ask.cancel(job.id()));
    }
    cluster.seconds(1000);
    assertEquals(0, cluster.state().jobs().size());
    assertEquals(0, cluster.state().texts().keptFor(ALICE.identity().uid()));
    assertEquals(0, cluster.state().texts().keptFor(BOB.identity().uid()));
  }
}
