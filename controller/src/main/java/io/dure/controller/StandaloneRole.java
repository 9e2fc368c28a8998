package io.dure.controller;

import io.dure.controller.loop.JournalEventStore;
import io.dure.journal.JournalListener;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.config.ClusterConfig;
import io.dure.protocol.Response;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The only controller of its cluster leads from its start to its end. */
final class StandaloneRole implements ControllerRole {
  private final JournalEventStore store;
  private final LeaderServices leadership;

  /** Opens the journal, and lets nothing happen yet. */
  StandaloneRole(LeaderServices.Ground ground, ClusterConfig config, JournalListener disk)
      throws IOException {
    JournalEventStore.Opened opened =
        JournalEventStore.open(
            JournalEventStore.Place.of(ground.stateDirectory(), ground::texts, ground.follower()),
            config,
            disk,
            ground.log());
    store = opened.store();
    leadership = new LeaderServices(ground, opened.state(), store);
  }

  @Override
  public void start(ClusterConfig config, Command.Recovery recovery)
      throws InterruptedException, ExecutionException {
    var _ = leadership.start(new Command.Configure(config, recovery));
  }

  @Override
  public void configure(ClusterConfig config) throws InterruptedException, ExecutionException {
    var _ =
        leadership
            .loop()
            .submit(new Command.Configure(config, Command.Recovery.RECONFIGURE), new Caller.Self())
            .get();
  }

  @Override
  public LeaderServices leadership() {
    return leadership;
  }

  @Override
  public Response.Replicas replicas() {
    String host = leadership.loop().published().settings().controller().hosts().getFirst().name();
    return new Response.Replicas(
        List.of(new Response.Replica(host, "LEADER", 1, true, 0, 0)), null);
  }

  @Override
  public String handOver(String host) {
    return "there is one controller";
  }

  @Override
  public void close() throws IOException {
    leadership.close();
    store.close();
  }
}
