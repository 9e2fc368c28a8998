package io.dure.controller.stored;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.JobTextStore;
import io.dure.cluster.RequestId;
import io.dure.cluster.StateSnapshot;
import io.dure.cluster.SubmissionIndex;
import io.dure.cluster.TextContent;
import io.dure.cluster.TextStorage;
import io.dure.cluster.invariants.StateInvariants;
import io.dure.journal.StoredState;
import io.dure.journal.segment.SnapshotItems;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.forecast.WaitQuantiles;
import io.dure.model.job.Job;
import io.dure.protocol.Request;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the controller stores and sends is read back as it was, also by and from earlier programs.
 */
@Tag("pure")
class StoredStateTest {
  private static final RecordCodec<StateSnapshot> STATES = RecordCodec.of(StateSnapshot.class);
  private static final Command.UserCommand HOLD =
      new Command.HoldJob(new JobSelector(7, null), false);

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

  private static byte[] joined(ClusterState state) throws IOException {
    return StoredState.joined(StoredState.of(state));
  }

  @Test
  void aStateInItemsIsReadAsItWasStored() throws Exception {
    for (int i = 0; i < 50; i++) {
      JobBuilder submitted = job().cpus(1).time(60).runs(60 + i);
      cluster.submit(ALICE, i % 2 == 0 ? submitted : submitted.begin(cluster.now().plusSeconds(9)));
    }
    cluster.seconds(100);
    byte[] whole = joined(cluster.state());
    for (int itemBytes : new int[] {1, 100, 2000, whole.length / 2}) {
      List<byte[]> items = new ArrayList<>();
      StoredState.of(cluster.state(), itemBytes).into(items::add);
      assertTrue(items.size() > 1, itemBytes + " bytes an item");
      SnapshotItems stored = SnapshotItems.of(items);
      assertArrayEquals(whole, joined(StoredState.restore(stored)));
      assertArrayEquals(whole, StoredState.joined(stored));
    }
  }

  @Test
  void textsAreReadAndPutAwayOneAfterTheOther() throws Exception {
    for (int i = 0; i < 30; i++) {
      cluster.submit(ALICE, job().held().environment("E" + i + "=" + "x".repeat(1000)));
    }
    List<String> order = new ArrayList<>();
    record Told(String text, List<String> order) implements TextContent {
      @Override
      public int length() {
        return text.length();
      }

      @Override
      public String read() {
        order.add("read");
        return text;
      }
    }
    List<byte[]> items = new ArrayList<>();
    StoredState.of(cluster.state(), 2500).into(items::add);
    SnapshotItems stored =
        () -> {
          Iterator<byte[]> rest = items.iterator();
          return () -> {
            order.add("item");
            return rest.hasNext() ? rest.next() : null;
          };
        };
    TextStorage storage =
        text -> {
          order.add("kept");
          return new Told(text, order);
        };
    ClusterState restored = StoredState.restore(stored, storage);
    assertEquals(31, order.stream().filter("kept"::equals).count());
    assertTrue(order.indexOf("kept") < order.lastIndexOf("item") - 30, order.toString());
    assertEquals(0, order.stream().filter("read"::equals).count(), "none is needed to restore");
    order.clear();
    List<byte[]> again = new ArrayList<>();
    StoredState.of(restored, 2500)
        .into(item -> {
          order.add("item");
          again.add(item);
        });
    assertEquals(31, order.stream().filter("read"::equals).count(), "each once");
    int most = 0;
    int together = 0;
    for (String one : order) {
      together = "read".equals(one) ? together + 1 : 0;
      most = Math.max(most, together);
    }
    assertTrue(most <= 4, most + " texts were read before an item was given away");
    assertArrayEquals(joined(cluster.state()), StoredState.joined(SnapshotItems.of(again)));
  }

  @Test
  void aSmallStateIsOneItemThatEarlierProgramsRead() throws Exception {
    List<byte[]> items = new ArrayList<>();
    StoredState.of(cluster.state()).into(items::add);
    assertEquals(1, items.size());
    assertArrayEquals(joined(cluster.state()), items.getFirst());
    assertArrayEquals(items.getFirst(), StoredState.joined(SnapshotItems.of(items.getFirst())));
  }

  @Test
  void anItemOfALargeStateIsHardlyLongerThanWished() throws Exception {
    for (int i = 0; i < 200; i++) {
      cluster.submit(ALICE, job().cpus(1).time(60).begin(cluster.now().plusSeconds(900 + i)));
    }
    List<byte[]> items = new ArrayList<>();
    StoredState.of(cluster.state(), 1000).into(items::add);
    assertTrue(items.size() > 5, items.size() + " items");
    for (byte[] item : items.subList(1, items.size())) {
      assertTrue(item.length < 3000, item.length + " bytes");
    }
  }

  @Test
  void eachEventOfAccountingIsReadAsItWasWritten() {
    RecordCodec<Event> codec = RecordCodec.of(Event.class);
    AccountingLimits limits =
        AccountingLimits.NONE
            .with(LimitKind.GRP_TRES, "gres/gpu", 4L)
            .with(LimitKind.MAX_JOBS, null, 7L);
    Association association =
        new Association(
            9, "bio", "alice", "debug", null, null, 5L, limits, List.of("high"), "high", "why");
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
                at,
                "root"))) {
      assertEquals(event, codec.decode(codec.encode(event)));
    }
  }

  private void foretell(int job, long seconds) {
    Instant now = cluster.now();
    JobStartForecast forecast =
        new JobStartForecast(
            now,
            now.plusSeconds(seconds / 2),
            now.plusSeconds(seconds),
            now.plusSeconds(seconds * 2),
            now.plusSeconds(seconds * 3),
            new WaitQuantiles(seconds / 2, seconds, seconds * 2));
    cluster.tell(new Command.NoteForecasts(List.of(new FirstForecast(job, forecast))));
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
    record Change(Command.UserCommand command, String runAs) implements Earlier {
      static final String TAG = "Change";
    }
  }

  @Test
  void requestsOfEarlierProgramsAreUnderstoodAndTheOtherWayRound() {
    RecordCodec<Earlier> earlier = RecordCodec.of(Earlier.class);
    assertEquals(
        new Request.Change(HOLD, "bob", null),
        WireCodecs.requests().strict().decode(earlier.encode(new Earlier.Change(HOLD, "bob"))));
    assertEquals(
        new Earlier.Change(HOLD, "bob"),
        earlier.decode(WireCodecs.requests().encode(new Request.Change(HOLD, "bob", id(1)))));
  }

  /** A state as a program stored it that remembered no answers. */
  private record EarlierState(
      ClusterConfig config,
      List<PartitionConfig> partitions,
      List<StateSnapshot.Node> nodes,
      List<Job> jobs,
      int nextJobId,
      int firstRun,
      List<JobTextStore.Text> texts,
      List<SubmissionIndex.Submission> requests) {}

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
    // It did not count events either.
    StateSnapshot counted =
        STATES.decode(stored).with().eventCount(now.eventCount()).created(now.created()).build();
    StateInvariants.same(counted.restore(), cluster.state());
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
