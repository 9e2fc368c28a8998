package io.dure.lifecycle;

import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.RecentReplies;
import io.dure.cluster.RequestId;
import io.dure.cluster.StateSnapshot;
import io.dure.cluster.invariants.StateInvariants;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A change that comes again, since its answer was lost, is done once and answered as before. */
@Tag("pure")
class RepeatedChangeTest {
  private static final Reply DONE = new Reply.Done();

  private final TestCluster cluster = ClusterBuilder.of(1).start();

  private static String id(int number) {
    return new RequestId(0x8000_0000_0000_0000L, number).toString();
  }

  private int running() {
    int job = cluster.submit(ALICE, JobBuilder.job().cpus(1).time(60).runs(3000));
    cluster.seconds(10);
    assertEquals("RUNNING", cluster.state(job));
    return job;
  }

  @Test
  void aRequeueIsCountedOnce() {
    int job = running();
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.requeue(job)));
    cluster.minutes(5);
    assertEquals("RUNNING", cluster.state(job));
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.requeue(job)));
    cluster.restartController();
    cluster.connectAll();
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.requeue(job)));
    cluster.minutes(1);
    assertEquals("RUNNING", cluster.state(job));
    assertEquals(1, cluster.job(job).restarts());
    assertEquals(DONE, cluster.ask(ALICE, id(2), Ask.requeue(job)));
    cluster.minutes(5);
    assertEquals(2, cluster.job(job).restarts());
  }

  @Test
  void whatExistsSinceThisVeryRequestIsNoRefusal() {
    TreeMap<String, String> keys = new TreeMap<>(Map.of("PartitionName", "new", "Nodes", "n1"));
    PartitionConfig fresh =
        SlurmConfParser.partition(null, keys, cluster.state().config().nodes())
            .results()
            .getFirst();
    Command.UserCommand create = new Command.ChangePartition(fresh, true);
    assertEquals(DONE, cluster.ask(ROOT, id(1), create));
    assertEquals(DONE, cluster.ask(ROOT, id(1), create));
    assertInstanceOf(Reply.Refused.class, cluster.ask(ROOT, id(2), create));
    Command.UserCommand delete = new Command.DeletePartition("new");
    assertEquals(DONE, cluster.ask(ROOT, id(3), delete));
    assertEquals(DONE, cluster.ask(ROOT, id(3), delete));
    assertInstanceOf(Reply.Refused.class, cluster.ask(ROOT, id(4), delete));
  }

  @Test
  void anotherUsersAnswerIsNotTaken() {
    int hers = cluster.submit(ALICE, JobBuilder.job().held());
    int his = cluster.submit(BOB, JobBuilder.job().held());
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.cancel(hers)));
    assertEquals(DONE, cluster.ask(BOB, id(1), Ask.cancel(his)));
    assertEquals("CANCELLED", cluster.state(his));
  }

  @Test
  void anotherKindOfChangeIsDone() {
    int job = cluster.submit(ALICE, JobBuilder.job().begin(cluster.now().plusSeconds(3600)));
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.hold(job)));
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.cancel(job)));
    assertEquals("CANCELLED", cluster.state(job));
  }

  @Test
  void aRefusalIsDecidedAnew() {
    int job = cluster.submit(ALICE, JobBuilder.job().held());
    int before = cluster.steps().size();
    assertEquals(
        new Reply.Refused(ErrorCode.JOB_PENDING, ""), cluster.ask(ALICE, id(1), Ask.requeue(job)));
    assertEquals(before, cluster.steps().size(), "a refusal leaves nothing behind");
    cluster.ask(ALICE, Ask.release(job));
    cluster.seconds(10);
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.requeue(job)));
  }

  @Test
  void aSignalIsSentAgain() {
    int job = running();
    int before = cluster.steps().size();
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.signal(job, 10)));
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.signal(job, 10)));
    assertEquals(2, cluster.effects().stream().filter(Effect.Signal.class::isInstance).count());
    assertEquals(before, cluster.steps().size(), "a signal leaves nothing behind");
  }

  @Test
  void aNameIsThirtyTwoDigits() {
    int job = cluster.submit(ALICE, JobBuilder.job().held());
    for (String name : List.of("", "1", "x".repeat(32), "+" + id(1).substring(1), id(1) + "0")) {
      assertEquals(
          ErrorCode.BAD_INPUT,
          ((Reply.Refused) cluster.ask(ALICE, name, Ask.cancel(job))).code(),
          name);
    }
    assertEquals(id(7), String.valueOf(RequestId.parse(id(7))));
  }

  @Test
  void anAnswerIsRememberedForTenMinutes() {
    int job = cluster.submit(ALICE, JobBuilder.job().held());
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.cancel(job)));
    cluster.minutes(9);
    int other = cluster.submit(ALICE, JobBuilder.job().held());
    assertEquals(DONE, cluster.ask(ALICE, id(2), Ask.cancel(other)));
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.cancel(job)));
    cluster.minutes(2);
    for (int i = 3; i <= 1001; i++) {
      int next = cluster.submit(ALICE, JobBuilder.job().held());
      assertEquals(DONE, cluster.ask(ALICE, id(i), Ask.cancel(next)));
    }
    // A clock may jump: the last thousand stay.
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.cancel(job)));
    int last = cluster.submit(ALICE, JobBuilder.job().held());
    assertEquals(DONE, cluster.ask(ALICE, id(1002), Ask.cancel(last)));
    assertEquals(id(2), String.valueOf(cluster.state().answers().all().getFirst().id()));
    assertNotEquals(DONE, cluster.ask(ALICE, id(1), Ask.cancel(job)));
  }

  @Test
  void theOldestGoFirstAndAReplayForgetsTheSame() {
    ClusterState empty = cluster.state();
    List<Event> events = new ArrayList<>();
    Instant at = cluster.now();
    for (int i = 0; i < 150_000; i++) {
      events.add(answered(i, at));
    }
    for (int i = 0; i < 3_000; i++) {
      events.add(answered(150_000 + i, at.plusSeconds(700)));
    }
    ClusterState state = empty;
    ClusterState half = empty;
    for (int i = 0; i < events.size(); i++) {
      state = EventApplier.apply(state, events.get(i));
      half = i == 151_000 ? StateSnapshot.of(state).restore() : half;
      if (i > 151_000) {
        half = EventApplier.apply(half, events.get(i));
      }
      if (i == 149_999) {
        assertEquals(100_000, state.answers().all().size());
        assertEquals(50_000, state.answers().all().getFirst().id().low());
      }
    }
    // Eight that are too old go for each that comes.
    assertEquals(100_000 - 3_000 * 7, state.answers().all().size());
    StateInvariants.same(EventApplier.applyAll(empty, events), state);
    StateInvariants.same(half, state);
    StateInvariants.check(state);
  }

  /** Some of them long: the oldest go before they take much memory. */
  @Test
  void longAnswersGoEarly() {
    List<Reply.KillFailure> failures =
        Collections.nCopies(50_000, new Reply.KillFailure(-1, "7", ErrorCode.ACCESS_DENIED));
    ClusterState state = cluster.state();
    for (int i = 0; i < 12_000; i++) {
      RequestId id = RequestId.parse(id(i));
      Reply killed = new Reply.Killed(failures.subList(0, i == 0 ? 50_000 : 100), 0);
      state =
          EventApplier.apply(
              state,
              new Event.ChangeAnswered(
                  new RecentReplies.Entry(id, 1001, "KillJobs", killed, cluster.now())));
    }
    // Eight go as soon as there are a million failures.
    int left = state.answers().all().size();
    assertTrue(left > 9_900 && left <= 10_000, left + " are left");
    StateInvariants.same(StateSnapshot.of(state).restore(), state);
  }

  private static Event answered(int number, Instant at) {
    RequestId id = RequestId.parse(id(number));
    return new Event.ChangeAnswered(new RecentReplies.Entry(id, 1001, "HoldJob", DONE, at));
  }
}
