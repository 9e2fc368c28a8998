package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.ClusterJson;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;

/** Says whether the controller answers. */
public final class ScontrolPing {

  private final ScontrolSession session;

  /** Prints by what the session says. */
  public ScontrolPing(ScontrolSession session) {
    this.session = session;
  }

  /**
   * Prints the line of the controller.
   *
   * @throws CommandException without a message if it does not answer
   */
  public void run() throws CommandException {
    long began = System.nanoTime();
    String host = session.context().caller().hostName();
    try {
      Response response = session.ask("slurm_ping error", new Request.Ping());
      if (response instanceof Response.Pong pong) {
        JsonTarget document = session.document();
        if (document != null) {
          long micros = (System.nanoTime() - began) / 1000;
          ClusterJson.ping(document, pong.hostName(), true, micros);
          return;
        }
        session.print("Slurmctld(primary) at " + pong.hostName() + " is UP\n");
        return;
      }
    } catch (CommandException e) {
      // What matters is printed below.
    }
    JsonTarget document = session.document();
    if (document != null) {
      ClusterJson.ping(document, host, false, 0);
    } else {
      session.print("Slurmctld(primary) at " + host + " is DOWN\n");
    }
    throw CommandException.plain();
  }
}
