package io.dure.controller.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.command.Caller;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
final class ParentSharesTest {
  private static AccountingChange account(int id, String name, String parent, String shares) {
    Association place = Association.ofAccount(id, name, parent);
    return new AccountingChange.AssociationSet(
        place.withShares(shares.isEmpty() ? null : Long.valueOf(shares)));
  }

  /** As Slurm lists an account with {@code fairshare=parent}, and a user of it. */
  @Test
  void whatSharesAsItsParentHasTheSharesOfTheParent() {
    var config =
        SlurmConfParser.parseAlone(
                "/slurm.conf",
                "SlurmctldHost=vm\nClusterName=lab\nNodeName=n1\nPartitionName=p Nodes=n1\n")
            .config();
    ClusterState state =
        EventApplier.apply(
            ClusterState.initial(config), new Event.Configured(config, Instant.EPOCH));
    state =
        EventApplier.apply(
            state,
            new Event.AccountingChanged(
                List.of(
                    new AccountingChange.AccountSet(new Account("a", "a", "a", List.of())),
                    new AccountingChange.AccountSet(new Account("b", "b", "b", List.of())),
                    account(3, "a", "root", "3"),
                    account(4, "b", "a", ""),
                    new AccountingChange.UserSet(new AccountUser("ann", AdminLevel.NONE, "b")),
                    new AccountingChange.AssociationSet(
                        Association.ofUser(5, "b", "ann", null).withShares(null))),
                Instant.EPOCH,
                "root"));
    Caller.User root = new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of(), true);
    Response.Shares shares = (Response.Shares) AccountsView.shares(state, root, Instant.EPOCH);
    List<Double> norms =
        shares.rows().stream()
            .filter(row -> row.association().id() >= 3)
            .map(Response.Share::normShares)
            .toList();
    assertEquals(List.of(0.75, 0.75, 0.75), norms);
  }
}
