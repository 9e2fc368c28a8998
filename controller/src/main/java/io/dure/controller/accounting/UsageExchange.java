package io.dure.controller.accounting;

import io.dure.cluster.ClusterState;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.command.Command;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Tells slurmdbd what is used on this cluster, and counts what it says of others. A thread of its
 * own, so that slurmdbd may be away; what was counted goes on then as it last was.
 */
public final class UsageExchange implements AutoCloseable {
  /** How often; what runs grows by itself in between. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final SlurmdbdClient client;
  private final Supplier<ClusterState> state;
  private final AccountsFollower.Decider decider;
  private final InstantSource clock;
  private final Logger log;
  private final Thread thread = new Thread(this::run, "usage-exchange");
  private final PublishedUsage published = new PublishedUsage();

  private final String teller = UUID.randomUUID().toString();

  /** What slurmdbd last said of itself; of the thread. */
  private String board = "";

  /** Up to where it has told; of the thread. */
  private long version;

  /** An exchange that begins with {@link #start}. */
  public UsageExchange(
      SlurmdbdClient client,
      Supplier<ClusterState> state,
      AccountsFollower.Decider decider,
      InstantSource clock,
      Logger log) {
    this.client = client;
    this.state = state;
    this.decider = decider;
    this.clock = clock;
    this.log = log;
    thread.setDaemon(true);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  private void run() {
    String told = "";
    try {
      while (true) {
        try {
          boolean again = exchange();
          if (!told.isEmpty()) {
            log.info("usage of other clusters is known again");
          }
          told = "";
          if (again) {
            continue;
          }
        } catch (IOException | ExecutionException e) {
          published.forget(); // it may have been taken or not
          String failure = String.valueOf(e.getMessage());
          if (!failure.equals(told)) {
            log.warn(
                "{}: {}; usage of other clusters grows on as last known", client.name(), failure);
          }
          told = failure;
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      // closing
    }
  }

  /** Whether to do it once more at once, as slurmdbd wants to have all. */
  private boolean exchange() throws IOException, InterruptedException, ExecutionException {
    ClusterState now = state.get();
    PublishedUsage.News news = published.news(now, clock.instant());
    SlurmdbdReply.SharedUsage said =
        client.ask(
            new SlurmdbdRequest.ShareUsage(
                now.settings().controller().clusterName(),
                board,
                version,
                news.whole(),
                news.users(),
                teller,
                now.origin().events(),
                now.origin().name()),
            SlurmdbdReply.SharedUsage.class,
            LIMIT);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (now.settings().priority().has(PrioritySettings.Flag.OWN_CLUSTER_USAGE)) {
      decider.decide(new Command.CountUsageElsewhere(List.of(), List.of(), List.of()));
      version = 0; // all of it is wanted once the flag is gone
    } else {
      decider.decide(
          new Command.CountUsageElsewhere(said.changed(), said.clusters(), said.whole()));
      version = said.version();
    }
    board = said.board();
    if (said.wantsAll()) {
      published.forget();
    } else {
      published.told(news);
    }
    return said.wantsAll() && !news.whole();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
