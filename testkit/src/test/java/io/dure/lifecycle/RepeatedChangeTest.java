package io.dure.lifecycle;

import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.dure.core.config.ClusterConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.SlurmConf;
import io.dure.core.controller.Answers;
import io.dure.core.controller.Apply;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.controller.RequestId;
import io.dure.core.controller.Requests;
import io.dure.core.controller.StateSnapshot;
import io.dure.core.controller.Texts;
import io.dure.core.invariant.Invariants;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Job;
import io.dure.protocol.Request;
import io.dure.protocol.Wire;
import io.dure.protocol.codec.RecordCodec;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A change that comes again, since its answer was lost, is done once and answered as before. */
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
        SlurmConf.partition(null, keys, cluster.state().config().nodes()).results().getFirst();
    Command.FromUser create = new Command.ChangePartition(fresh, true);
    assertEquals(DONE, cluster.ask(ROOT, id(1), create));
    assertEquals(DONE, cluster.ask(ROOT, id(1), create));
    assertInstanceOf(Reply.Refused.class, cluster.ask(ROOT, id(2), create));
    Command.FromUser delete = new Command.DeletePartition("new");
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
      state = Apply.apply(state, events.get(i));
      half = i == 151_000 ? StateSnapshot.of(state).restore() : half;
      if (i > 151_000) {
        half = Apply.apply(half, events.get(i));
      }
      if (i == 149_999) {
        assertEquals(100_000, state.answers().all().size());
        assertEquals(50_000, state.answers().all().getFirst().id().low());
      }
    }
    // Eight that are too old go for each that comes.
    assertEquals(100_000 - 3_000 * 7, state.answers().all().size());
    Invariants.same(Apply.applyAll(empty, events), state);
    Invariants.same(half, state);
    Invariants.check(state);
  }

  private static Event answered(int number, Instant at) {
    RequestId id = RequestId.parse(id(number));
    return new Event.ChangeAnswered(new Answers.Entry(id, 1001, "HoldJob", DONE, at));
  }

  /** As a program wrote it that knew no names of changes. */
  private sealed interface Earlier {
    record Change(Command.FromUser command, String runAs) implements Earlier {
      static final String TAG = "Change";
    }
  }

  @Test
  void requestsOfEarlierProgramsAreUnderstoodAndTheOtherWayRound() {
    Command.FromUser hold = Ask.hold(7);
    RecordCodec<Earlier> earlier = RecordCodec.of(Earlier.class);
    assertEquals(
        new Request.Change(hold, "bob", null),
        Wire.requests().strict().decode(earlier.encode(new Earlier.Change(hold, "bob"))));
    assertEquals(
        new Earlier.Change(hold, "bob"),
        earlier.decode(Wire.requests().encode(new Request.Change(hold, "bob", id(1)))));
  }

  /** A state as a program stored it that remembered no answers. */
  private record EarlierState(
      ClusterConfig config,
      List<PartitionConfig> partitions,
      List<StateSnapshot.Node> nodes,
      List<Job> jobs,
      int nextJobId,
      int firstRun,
      List<Texts.Text> texts,
      List<Requests.Entry> requests) {}

  @Test
  void anEarlierStateIsOneWithoutAnswers() {
    cluster.submit(ALICE, JobBuilder.job().held().asked("one"));
    StateSnapshot now = StateSnapshot.of(cluster.state());
    byte[] stored =
        RecordCodec.of(EarlierState.class)
            .encode(
                new EarlierState(
                    now.config(),
                    now.partitions(),
                    now.nodes(),
                    now.jobs(),
                    now.nextJobId(),
                    now.firstRun(),
                    now.texts(),
                    now.requests()));
    StateSnapshot read = RecordCodec.of(StateSnapshot.class).decode(stored);
    Invariants.same(read.restore(), cluster.state());
    int job = cluster.submit(ALICE, JobBuilder.job().held());
    assertEquals(DONE, cluster.ask(ALICE, id(1), Ask.cancel(job)));
    StateSnapshot later = StateSnapshot.of(cluster.state());
    RecordCodec<StateSnapshot> codec = RecordCodec.of(StateSnapshot.class).sharing();
    assertEquals(later, codec.decode(codec.encode(later)));
    assertEquals(1, later.answers().size());
  }
}
