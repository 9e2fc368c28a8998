package io.dure.controller.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.DecisionFunction;
import io.dure.cluster.Event;
import io.dure.cluster.decide.CommandDecider;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.jobtext.TextId;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Batches of decisions. */
@Tag("pure")
final class CommandBatchProcessorTest {
  private static final InstantSource NOON =
      InstantSource.fixed(Instant.parse("2026-01-05T12:00:00Z"));
  private static final String CONF =
      """
      ClusterName=test
      SlurmctldHost=c
      NodeName=n1 CPUs=2
      PartitionName=main Nodes=ALL Default=YES
      """;
  static final ClusterConfig CONFIG = SlurmConfParser.parseAlone("/slurm.conf", CONF).config();

  private final FakeStore store = new FakeStore();
  private final List<Throwable> stopped = new ArrayList<>();
  private final Logger log =
      DaemonLog.toStream(OutputStream.nullOutputStream(), LogLevel.INFO, NOON, ZoneOffset.UTC);

  private CommandBatchProcessor keeper(DecisionFunction rules) {
    return new CommandBatchProcessor(
        ClusterState.initial(CONFIG), store, NOON, rules, new Consequences(), log);
  }

  private static CommandBatchProcessor.Work work(Command command, ReplyListener asker) {
    return new CommandBatchProcessor.Work(command, new Caller.Self(), asker);
  }

  /** Whoever builds on a state that half of the program has not seen must end. */
  @Test
  void aBugAfterStoringStopsTheProgram() {
    IllegalStateException bug = new IllegalStateException("a bug");
    ReplyListener asker =
        new ReplyListener() {
          @Override
          public void decided(Reply reply) {
            throw bug;
          }

          @Override
          public void failed(Throwable failure) {
            throw bug;
          }
        };
    CommandBatchProcessor keeper = keeper(CommandDecider::decide);
    keeper.process(List.of(work(new Command.Tick(), asker)));
    assertThrows(
        IllegalStateException.class, () -> store.appends.removeFirst().done().accept(null));
    assertEquals(List.of(bug), stopped);
    keeper.process(List.of(work(new Command.Tick(), asker)));
    assertThrows(
        IllegalStateException.class,
        () -> store.appends.removeFirst().done().accept(new IOException("gone")));
    assertEquals(List.of(bug, bug), stopped);
  }

  /** A leader that is deposed between two parts of a batch would lack what the first one did. */
  @Test
  void aBatchIsOneWriteOfBoundedLengthAndEndsBetweenDecisions() {
    List<Reply> replies = new ArrayList<>();
    ReplyListener asker = asker(replies);
    CommandBatchProcessor keeper = keeper(new TextRules(1_500_000));
    keeper.process(
        List.of(
            work(new Command.Tick(), asker),
            work(new Command.Tick(), asker),
            work(new Command.Tick(), asker)));
    assertEquals(List.of(4, 2), store.appends.stream().map(a -> a.events().size()).toList());
    store.appends.removeFirst().done().accept(null);
    assertEquals(2, replies.size());
    store.appends.removeFirst().done().accept(null);
    assertEquals(3, replies.size());
  }

  @Test
  void aDecisionThatIsTooLongForOnePieceIsRefused() {
    List<Reply> replies = new ArrayList<>();
    CommandBatchProcessor keeper = keeper(new TextRules(17 << 20));
    keeper.process(List.of(work(new Command.Tick(), asker(replies))));
    FakeStore.Append append = store.appends.removeFirst();
    assertEquals(List.of(), append.events());
    append.done().accept(null);
    Reply.Refused refused = assertInstanceOf(Reply.Refused.class, replies.getFirst());
    assertEquals(ErrorCode.CANNOT_STORE, refused.code());
    assertTrue(refused.detail().contains("of at most 33554432: do it in parts"), refused.detail());
  }

  private static ReplyListener asker(List<Reply> replies) {
    return new ReplyListener() {
      @Override
      public void decided(Reply reply) {
        replies.add(reply);
      }

      @Override
      public void failed(Throwable failure) {
        throw new AssertionError(failure);
      }
    };
  }

  /** Each command stores two texts. */
  private record TextRules(int bytes) implements DecisionFunction {
    @Override
    public Decision decide(ClusterState state, Command command, Caller caller, Instant now) {
      List<Event> events =
          Stream.of("x", "y")
              .map(letter -> letter.repeat(bytes))
              .<Event>map(text -> new Event.TextStored(TextId.of(text), text))
              .toList();
      return new Decision(state, events, List.of(), new Reply.Done());
    }
  }

  private final class Consequences implements DecisionListener {
    @Override
    public void published(ClusterState state) {}

    @Override
    public void perform(Effect effect, ClusterState state) {}

    @Override
    public void stopped(Throwable cause) {
      stopped.add(cause);
    }
  }
}
