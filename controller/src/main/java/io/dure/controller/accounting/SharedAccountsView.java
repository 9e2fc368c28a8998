package io.dure.controller.accounting;

import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.ClusterChange;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;

/** The accounts of all clusters that share a slurmdbd, for users of this one. Any thread. */
public final class SharedAccountsView {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final SlurmdbdClient daemon;
  private final Logger log;

  /** Accounts at a daemon. */
  public SharedAccountsView(SlurmdbdClient daemon, Logger log) {
    this.daemon = daemon;
    this.log = log;
  }

  /** Those of all clusters, by name; none while the daemon does not answer. */
  public List<ClusterAccounts> all() {
    try {
      return daemon
          .ask(new SlurmdbdRequest.ShowAccounts(), SlurmdbdReply.AllAccounts.class, LIMIT)
          .clusters();
    } catch (IOException e) {
      log.error("{} did not tell the accounts of all clusters: {}", daemon.name(), e.getMessage());
      return List.of();
    }
  }

  /** Makes changes, all or none. */
  public Reply change(List<ClusterChange> changes, Caller.User caller) {
    return decided(
        new SlurmdbdRequest.ChangeAccounts(
            changes, caller.identity().userName(), caller.operator()));
  }

  /** Adds a cluster whose controller has not come yet. */
  public Reply add(String cluster, Caller.User caller) {
    return decided(
        new SlurmdbdRequest.AddCluster(cluster, caller.identity().userName(), caller.operator()));
  }

  /**
   * Removes clusters that have no jobs.
   *
   * @param from the cluster whose controller is asked, which has it in its log of changes
   */
  public Reply remove(String from, List<String> clusters, Caller.User caller) {
    return decided(
        new SlurmdbdRequest.RemoveClusters(
            from, clusters, caller.identity().userName(), caller.operator()));
  }

  private Reply decided(SlurmdbdRequest request) {
    try {
      SlurmdbdReply reply = daemon.ask(request, SlurmdbdReply.class, LIMIT);
      if (reply instanceof SlurmdbdReply.Denied(Reply.Refused refused)) {
        return refused;
      }
      return reply instanceof SlurmdbdReply.Done
          ? new Reply.Done()
          : new Reply.Refused(ErrorCode.CANNOT_STORE, "slurmdbd is of another release");
    } catch (IOException e) {
      log.error("{} did not take a change of accounts: {}", daemon.name(), e.getMessage());
      return new Reply.Refused(
          ErrorCode.CANNOT_STORE, "slurmdbd does not answer, see the log of slurmctld");
    }
  }
}
