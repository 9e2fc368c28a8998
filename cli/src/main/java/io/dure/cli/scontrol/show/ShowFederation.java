package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.federation.FederatedCluster;
import io.dure.model.federation.Federations;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.surface.message.CommandException;
import java.util.List;
import java.util.Objects;

/**
 * Prints the federation that the cluster is in. Controllers of a federation keep no connections to
 * each other, as jobs stay where they are submitted, and that is what it says.
 */
final class ShowFederation {
  private final ScontrolSession session;

  ShowFederation(ScontrolSession session) {
    this.session = session;
  }

  /** Nothing if the cluster is in none. */
  void show() throws CommandException {
    Response.Accounts known =
        session.ask(
            "slurm_load_federation error", new Request.ShowAccounts(), Response.Accounts.class);
    Federations all = known.accounts().federations();
    FederatedCluster self = all.cluster(known.clusterName());
    if (self.membership() == null) {
      return;
    }
    session.print("Federation: " + self.federation() + "\n");
    session.print("Self:       " + line(self, known.host() + ":" + known.port()) + "\n");
    List<ClusterAccounts> places = Objects.requireNonNullElse(known.clusters(), List.of());
    for (FederatedCluster one : all.of(self.federation())) {
      if (!one.equals(self)) {
        String place =
            places.stream()
                .filter(it -> it.cluster().equals(one.name()))
                .map(it -> it.host() + ":" + it.port())
                .findFirst()
                .orElse(":0");
        session.print(
            "Sibling:    " + line(one, place) + " PersistConnSend/Recv:No/No Synced:No\n");
      }
    }
  }

  private static String line(FederatedCluster one, String place) {
    return one.name()
        + ":"
        + place
        + " ID:"
        + one.id()
        + " FedState:"
        + one.state().word()
        + " Features:"
        + String.join(",", one.features());
  }
}
