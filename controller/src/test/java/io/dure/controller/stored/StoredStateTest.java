package io.dure.controller.stored;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.core.accounting.Account;
import io.dure.core.accounting.AccountUser;
import io.dure.core.accounting.AccountingChange;
import io.dure.core.accounting.AdminLevel;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limit;
import io.dure.core.accounting.Limits;
import io.dure.core.accounting.Qos;
import io.dure.core.config.ClusterConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.Command;
import io.dure.core.controller.Event;
import io.dure.core.controller.JobSelector;
import io.dure.core.controller.Reply;
import io.dure.core.controller.RequestId;
import io.dure.core.controller.Requests;
import io.dure.core.controller.StateSnapshot;
import io.dure.core.controller.Texts;
import io.dure.core.history.forecast.Foretold;
import io.dure.core.history.forecast.Forecast;
import io.dure.core.history.forecast.Spread;
import io.dure.core.invariant.Invariants;
import io.dure.core.model.Job;
import io.dure.protocol.Request;
import io.dure.protocol.Wire;
import io.dure.protocol.codec.RecordCodec;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the controller stores and sends is read back as it was, also by and from earlier programs.
 */
@Tag("pure")
class StoredStateTest {
  private static final RecordCodec<StateSnapshot> STATES = RecordCodec.of(StateSnapshot.class);
  private static final Command.FromUser HOLD = new Command.HoldJob(new JobSelector(7, null), false);

  private final TestCluster cluster = ClusterBuilder.of(2).start();

  private static String id(int number) {
    return new RequestId(0x8000_0000_0000_0000L, number).toString();
  }

  @Test
  void accountsAndUsageAreReadAsTheyWereStored() {
    int id = cluster.state().accounts().nextAssociation();
    assertEquals(
        new Reply.Done(),
        cluster.ask(
            ROOT,
            new Command.ChangeAccounting(
                cluster.state().accounts().version(),
                List.of(
                    new AccountingChange.AccountSet(new Account("bio", "bio", "lab", List.of())),
                    new AccountingChange.AssociationSet(Association.ofAccount(id, "bio", "root")),
                    new AccountingChange.UserSet(new AccountUser("alice", AdminLevel.NONE, "bio")),
                    new AccountingChange.AssociationSet(
                        Association.ofUser(id + 1, "bio", "alice", null))))));
    cluster.submit(ALICE, job().cpus(2).time(60).runs(600));
    cluster.seconds(900);
    cluster.submit(ALICE, job().cpus(1).time(60).runs(6000));
    cluster.seconds(100);
    StateSnapshot stored = StateSnapshot.of(cluster.state());
    StateSnapshot read = STATES.decode(STATES.encode(stored));
    assertEquals(stored.accounts(), read.accounts());
    assertEquals(
        stored.usage().associations().require(id + 1), read.usage().associations().require(id + 1));
    assertEquals(
        StateSnapshot.of(read.restore()).accounts(), StateSnapshot.of(cluster.state()).accounts());
  }

  @Test
  void eachEventOfAccountingIsReadAsItWasWritten() {
    RecordCodec<Event> codec = RecordCodec.of(Event.class);
    Limits limits = Limits.NONE.with(Limit.GRP_TRES, "gres/gpu", 4L).with(Limit.MAX_JOBS, null, 7L);
    Association association =
        new Association(
            9, "bio", "alice", "debug", null, null, 5L, limits, List.of("high"), "high");
    Instant at = Instant.parse("2026-01-06T00:00:00Z");
    for (Event event :
        List.of(
            new Event.UsageReset(at),
            new Event.AccountingChanged(
                List.of(
                    new AccountingChange.AssociationSet(association),
                    new AccountingChange.QosSet(Qos.plain(3, "low", "low")),
                    new AccountingChange.QosRemoved("low"),
                    new AccountingChange.AccountRemoved("bio"),
                    new AccountingChange.AssociationRemoved(9),
                    new AccountingChange.UsageCleared(9),
                    new AccountingChange.QosUsageCleared("low")),
                at))) {
      assertEquals(event, codec.decode(codec.encode(event)));
    }
  }

  private void foretell(int job, long seconds) {
    Instant now = cluster.now();
    Forecast forecast =
        new Forecast(
            now,
            now.plusSeconds(seconds / 2),
            now.plusSeconds(seconds),
            now.plusSeconds(seconds * 2),
            now.plusSeconds(seconds * 3),
            new Spread(seconds / 2, seconds, seconds * 2));
    cluster.tell(new Command.NoteForecasts(List.of(new Foretold(job, forecast))));
  }

  private int waiting(Duration wait) {
    return cluster.submit(ALICE, job().begin(cluster.now().plus(wait)));
  }

  @Test
  void forecastsAreReadAsTheyWereStored() {
    foretell(waiting(Duration.ofMinutes(10)), 500);
    cluster.minutes(12);
    foretell(waiting(Duration.ofMinutes(10)), 500);
    byte[] stored = STATES.encode(StateSnapshot.of(cluster.state()));
    assertEquals(cluster.state().forecasts(), STATES.decode(stored).restore().forecasts());
  }

  /** As a program wrote it that knew no names of changes. */
  private sealed interface Earlier {
    record Change(Command.FromUser command, String runAs) implements Earlier {
      static final String TAG = "Change";
    }
  }

  @Test
  void requestsOfEarlierProgramsAreUnderstoodAndTheOtherWayRound() {
    RecordCodec<Earlier> earlier = RecordCodec.of(Earlier.class);
    assertEquals(
        new Request.Change(HOLD, "bob", null),
        Wire.requests().strict().decode(earlier.encode(new Earlier.Change(HOLD, "bob"))));
    assertEquals(
        new Earlier.Change(HOLD, "bob"),
        earlier.decode(Wire.requests().encode(new Request.Change(HOLD, "bob", id(1)))));
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
    cluster.submit(ALICE, job().held().asked("one"));
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
    Invariants.same(STATES.decode(stored).restore(), cluster.state());
    int job = cluster.submit(ALICE, job().held());
    JobSelector one = new JobSelector(job, null);
    assertEquals(
        new Reply.Done(), cluster.ask(ALICE, id(1), new Command.KillJob(one, null, false, false)));
    StateSnapshot later = StateSnapshot.of(cluster.state());
    RecordCodec<StateSnapshot> codec = STATES.sharing();
    assertEquals(later, codec.decode(codec.encode(later)));
    assertEquals(1, later.answers().size());
  }
}
