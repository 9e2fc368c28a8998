package io.dure.controller.accounting;

import io.dure.cluster.ClusterState;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Has the accounts of a cluster that leads follow those that slurmdbd keeps: one thread, which
 * waits for changes there. While slurmdbd does not answer, the accounts stay as they are.
 */
public final class AccountsFollower implements AutoCloseable {
  private static final Duration MARGIN = Duration.ofSeconds(20);
  private static final Duration SHORTEST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final SlurmdbdClient client;
  private final Supplier<ClusterState> state;
  private final Decider decider;
  private final Logger log;
  private final Thread thread = new Thread(this::run, "accounts-follower");

  /** The version that the cluster has, -1 if that is not known; of the thread. */
  private long version = -1;

  /** Decides commands of the controller itself. */
  public interface Decider {
    /**
     * The reply to a command, once it is durable.
     *
     * @throws ExecutionException if it could not be stored
     */
    Reply decide(Command.InternalCommand command) throws InterruptedException, ExecutionException;
  }

  /** A follower that begins with {@link #start}. */
  public AccountsFollower(
      SlurmdbdClient client, Supplier<ClusterState> state, Decider decider, Logger log) {
    this.client = client;
    this.state = state;
    this.decider = decider;
    this.log = log;
    thread.setDaemon(true);
  }

  /** Begins to follow. */
  public void start() {
    thread.start();
  }

  private void run() {
    Duration pause = SHORTEST;
    String told = "";
    try {
      while (true) {
        try {
          follow();
          if (!told.isEmpty()) {
            log.info("the accounts follow slurmdbd again");
          }
          told = "";
          pause = SHORTEST;
          continue;
        } catch (IOException | ExecutionException e) {
          String failure = String.valueOf(e.getMessage());
          if (!failure.equals(told)) {
            log.error("{}: {}; the accounts stay as they are", client.name(), failure);
          }
          told = failure;
        }
        Thread.sleep(pause);
        pause = pause.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : pause.multipliedBy(2);
      }
    } catch (InterruptedException e) {
      // closing
    }
  }

  private void follow() throws IOException, InterruptedException, ExecutionException {
    ClusterState now = state.get();
    SlurmdbdReply reply =
        client.ask(
            new SlurmdbdRequest.AwaitAccounts(
                now.settings().controller().clusterName(), version, now.origin().name()),
            SlurmdbdReply.class,
            WireCodecs.LONGEST_WAIT.plus(MARGIN));
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    switch (reply) {
      case SlurmdbdReply.WholeAccounts(var accounts) -> {
        done(decider.decide(new Command.ReplaceAccounting(accounts)));
        version = accounts.version();
      }
      case SlurmdbdReply.AccountsChanged(var steps) -> {
        for (SlurmdbdReply.AccountsStep step : steps) {
          Reply followed =
              decider.decide(
                  new Command.FollowAccounting(step.basis(), step.changes(), step.actor()));
          if (!(followed instanceof Reply.Done)) {
            version = -1; // the whole comes next
            return;
          }
          version = step.basis() + 1;
        }
      }
      case SlurmdbdReply.Position _,
          SlurmdbdReply.Done _,
          SlurmdbdReply.Stale _,
          SlurmdbdReply.Failed _,
          SlurmdbdReply.Denied _,
          SlurmdbdReply.Jobs _,
          SlurmdbdReply.Usage _,
          SlurmdbdReply.History _,
          SlurmdbdReply.SharedUsage _,
          SlurmdbdReply.AllAccounts _,
          SlurmdbdReply.Lines _,
          SlurmdbdReply.RunawaysWanted _,
          SlurmdbdReply.Runaways _,
          SlurmdbdReply.Partly _ ->
          throw new IOException("slurmdbd is of another release");
    }
  }

  private static void done(Reply reply) throws IOException {
    if (reply instanceof Reply.Refused refused) {
      throw new IOException("the accounts were not taken over: " + refused.detail());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
