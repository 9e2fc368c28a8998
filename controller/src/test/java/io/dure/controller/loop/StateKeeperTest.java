package io.dure.controller.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.core.config.ClusterConfig;
import io.dure.core.config.SlurmConf;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Reply;
import io.dure.host.log.Log;
import io.dure.host.log.LogLevel;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Batches of decisions. */
final class StateKeeperTest {
  private static final InstantSource NOON =
      InstantSource.fixed(Instant.parse("2026-01-05T12:00:00Z"));
  private static final String CONF =
      """
      ClusterName=test
      SlurmctldHost=c
      NodeName=n1 CPUs=2
      PartitionName=main Nodes=ALL Default=YES
      """;
  private static final ClusterConfig CONFIG = SlurmConf.parse("/slurm.conf", _ -> CONF).config();

  private final FakeStore store = new FakeStore();
  private final List<Throwable> stopped = new ArrayList<>();
  private final Log log =
      Log.toStream(OutputStream.nullOutputStream(), LogLevel.INFO, NOON, ZoneOffset.UTC);

  private StateKeeper keeper(StateKeeper.Rules rules) {
    return new StateKeeper(
        ClusterState.initial(CONFIG), store, NOON, rules, new Consequences(), log);
  }

  private static StateKeeper.Work work(Command command, StateLoop.Asker asker) {
    return new StateKeeper.Work(command, new Caller.Self(), asker);
  }

  /** Whoever builds on a state that half of the program has not seen must end. */
  @Test
  void aBugAfterStoringStopsTheProgram() {
    IllegalStateException bug = new IllegalStateException("a bug");
    StateLoop.Asker asker =
        new StateLoop.Asker() {
          @Override
          public void decided(Reply reply) {
            throw bug;
          }

          @Override
          public void failed(Throwable failure) {
            throw bug;
          }
        };
    StateKeeper keeper = keeper(StateKeeper.Rules.CORE);
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

  private final class Consequences implements StateLoop.Consequences {
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
