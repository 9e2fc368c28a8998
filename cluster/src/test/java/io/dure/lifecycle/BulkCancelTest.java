package io.dure.lifecycle;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.decide.CommandDecider;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.KillFilter;
import io.dure.model.command.Reply;
import io.dure.model.job.JobState;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many jobs cancelled by one command. */
@Tag("pure")
class BulkCancelTest {
  private static KillFilter filter(String name, String user) {
    return new KillFilter(null, name, null, null, user, null, null, List.of(), null, false, null);
  }

  private static KillFilter in(KillFilter.Phase phase) {
    return new KillFilter(null, null, null, null, null, null, phase, List.of(), null, false, null);
  }

  private static Command.KillJobs passing(KillFilter filter) {
    return Command.KillJobs.passing(filter, 0, null, false, false);
  }

  private static List<Reply.KillFailure> failures(Reply reply) {
    return assertInstanceOf(Reply.Killed.class, reply).failures();
  }

  @Test
  void aFilterPicksTheJobs() {
    TestCluster cluster = ClusterBuilder.of(1).cpus(1).start();
    int running = cluster.submit(ALICE, job().name("a").runs(1000).time(60));
    cluster.tick();
    int waits = cluster.submit(ALICE, job().name("a").time(60));
    int other = cluster.submit(ALICE, job().name("b").time(60));
    int array = cluster.submit(ALICE, job().name("a").array("3-5").time(60));
    int bobs = cluster.submit(BOB, job().name("a").time(60));
    assertEquals(List.of(), failures(cluster.ask(ALICE, passing(filter("a", "alice")))));
    cluster.seconds(60);
    assertEquals("CANCELLED", cluster.state(running));
    assertEquals("CANCELLED", cluster.state(waits));
    assertEquals("CANCELLED", cluster.state(array));
    assertEquals("RUNNING", cluster.state(other));
    assertEquals("PENDING", cluster.state(bobs));
    cluster.checkReplay();
  }

  @Test
  void aReservationPicksThoseThatAskForIt() {
    TestCluster cluster = ClusterBuilder.of(2).start();
    assertNull(cluster.refusal(ROOT, Ask.reservation("r", "n1")));
    int waits = cluster.submit(ALICE, job().held().within("r"));
    int other = cluster.submit(ALICE, job().held());
    KillFilter filter =
        new KillFilter(null, null, null, null, null, null, null, List.of(), null, false, "r");
    cluster.ask(ROOT, passing(filter));
    assertEquals("CANCELLED", cluster.state(waits));
    assertEquals("PENDING", cluster.state(other));
  }

  @Test
  void aStatePicksWhatWaits() {
    TestCluster cluster = ClusterBuilder.of(1).cpus(1).start();
    int running = cluster.submit(ALICE, job().runs(1000).time(60));
    cluster.tick();
    int waits = cluster.submit(ALICE, job().time(60));
    cluster.ask(ALICE, passing(in(KillFilter.Phase.PENDING)));
    assertEquals("RUNNING", cluster.state(running));
    assertEquals("CANCELLED", cluster.state(waits));
  }

  @Test
  void jobsOfOthersFailAndTheRestIsCancelled() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int bobs = cluster.submit(BOB, job().held());
    int hers = cluster.submit(ALICE, job().held());
    assertEquals(
        List.of(new Reply.KillFailure(-1, Integer.toString(bobs), ErrorCode.ACCESS_DENIED)),
        failures(cluster.ask(ALICE, passing(in(KillFilter.Phase.PENDING)))));
    assertEquals("PENDING", cluster.state(bobs));
    assertEquals("CANCELLED", cluster.state(hers));
  }

  @Test
  void jobsThatAreNotSeenAreNotNamed() {
    TestCluster cluster = TestCluster.with("PrivateData", "jobs").start();
    cluster.submit(BOB, job().held());
    assertEquals(List.of(), failures(cluster.ask(ALICE, passing(in(KillFilter.Phase.PENDING)))));
  }

  @Test
  void whatIsNamedIsToldByItsPlace() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int hers = cluster.submit(ALICE, job().held());
    int bobs = cluster.submit(BOB, job().held());
    int array = cluster.submit(ALICE, job().held().array("1-4"));
    Command.KillJobs command =
        Command.KillJobs.named(
            List.of(Ask.all(999), Ask.all(hers), Ask.all(bobs), Ask.tasks(array, "2-3")),
            null,
            false,
            false);
    assertEquals(
        List.of(
            new Reply.KillFailure(0, "999", ErrorCode.INVALID_JOB_ID),
            new Reply.KillFailure(2, Integer.toString(bobs), ErrorCode.ACCESS_DENIED)),
        failures(cluster.ask(ALICE, command)));
    assertEquals("CANCELLED", cluster.state(hers));
    assertEquals(
        "CANCELLED", cluster.task(array, 2).state() instanceof JobState.Ended ? "CANCELLED" : "");
    assertEquals("PENDING", cluster.state(array));
    cluster.checkReplay();
  }

  @Test
  void aSignalToWhatWaitsFails() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int held = cluster.submit(ALICE, job().held());
    Command.KillJobs command =
        Command.KillJobs.passing(in(KillFilter.Phase.PENDING), 0, 10, false, false);
    assertEquals(
        List.of(new Reply.KillFailure(-1, Integer.toString(held), ErrorCode.JOB_PENDING)),
        failures(cluster.ask(ALICE, command)));
  }

  private static Command.KillJobs signal(List<JobSelector> jobs) {
    return Command.KillJobs.named(jobs, 10, false, false);
  }

  @Test
  void whatIsNamedOftenIsSignalledOnce() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int running = cluster.submit(ALICE, job().runs(1000).time(60));
    cluster.seconds(10);
    Decision decision =
        decide(cluster.state(), signal(Collections.nCopies(5000, Ask.all(running))), ALICE);
    assertEquals(new Reply.Killed(List.of(), 0), decision.reply());
    assertEquals(1, decision.effects().size());
  }

  @Test
  void noMoreAreNamedThanOneCommandTakes() {
    ClusterState state = ClusterBuilder.of(1).start().state();
    Decision decision = decide(state, signal(Collections.nCopies(5001, Ask.all(9))), ALICE);
    assertEquals(
        new Reply.Refused(ErrorCode.BAD_INPUT, "at most 5000 jobs are named at once"),
        decision.reply());
  }

  /** Selectors that differ may name the same records again and again. */
  @Test
  void recordsAreCounted() {
    TestCluster cluster = ClusterBuilder.of(1).cpus(64).start();
    int array = cluster.submit(ALICE, job().array("1-20").runs(1000).time(60));
    cluster.seconds(10);
    List<JobSelector> jobs = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      jobs.add(Ask.tasks(array, "1-20," + (i + 100)));
    }
    Decision decision = decide(cluster.state(), signal(jobs), ALICE);
    assertEquals(
        new Reply.Refused(ErrorCode.BAD_INPUT, "at most 50000 job records at once"),
        decision.reply());
    assertEquals(List.of(), decision.effects());
  }

  /** An answer that is remembered takes little, however many jobs it names. */
  @Test
  void ofManyFailuresAHundredAreRemembered() {
    TestCluster cluster = ClusterBuilder.of(1).start();
    int hers = cluster.submit(ALICE, job().held());
    int bobs = cluster.submit(BOB, job().held());
    List<JobSelector> jobs = new ArrayList<>();
    for (int i = 0; i < 4998; i++) {
      jobs.add(Ask.all(100_000 + i));
    }
    jobs.add(Ask.all(hers));
    jobs.add(Ask.all(bobs));
    Command.KillJobs command = Command.KillJobs.named(jobs, null, false, false);
    String id = "0".repeat(31) + "1";
    assertEquals(4999, failures(cluster.ask(ALICE, id, command)).size());
    List<Reply.KillFailure> again = failures(cluster.ask(ALICE, id, command));
    assertEquals(100, again.size());
    assertEquals(new Reply.KillFailure(0, "", ErrorCode.INVALID_JOB_ID), again.getFirst());
    assertEquals(new Reply.KillFailure(4999, "", ErrorCode.ACCESS_DENIED), again.getLast());
    cluster.checkReplay();
  }

  /** One decision, and its events go to the disk in one piece. */
  @Test
  void thirtyThousandJobsAreOneDecision() {
    TestCluster cluster = ClusterBuilder.of(1).set("MaxJobCount", "40000").start();
    ClusterState state = cluster.state();
    for (int i = 0; i < 30_000; i++) {
      state = decide(state, job().held().submission(), ALICE).after();
    }
    Decision decision = decide(state, passing(in(KillFilter.Phase.PENDING)), ALICE);
    assertEquals(new Reply.Killed(List.of(), 0), decision.reply());
    assertEquals(0, decision.after().pending().size());
    assertEquals(30_000, decision.after().ended().size());
  }

  private static Decision decide(ClusterState state, Command command, Caller caller) {
    return CommandDecider.decide(state, command, caller, TestCluster.START);
  }

  /** More than one decision takes: the reply says where to go on, and all are reached. */
  @Test
  void moreThanOneDecisionTakesGoesOnBehindTheLast() {
    TestCluster cluster = ClusterBuilder.of(1).set("MaxJobCount", "70000").start();
    ClusterState state = cluster.state();
    for (int i = 0; i < 60_000; i++) {
      state = decide(state, job().held().submission(), ALICE).after();
    }
    List<Integer> ends = new ArrayList<>();
    int next = 0;
    do {
      Decision decision =
          decide(
              state,
              Command.KillJobs.passing(in(KillFilter.Phase.PENDING), next, null, false, false),
              ROOT);
      state = decision.after();
      next = assertInstanceOf(Reply.Killed.class, decision.reply()).next();
      ends.add(state.ended().size());
    } while (next > 0);
    assertEquals(List.of(50_000, 60_000), ends);
  }
}
