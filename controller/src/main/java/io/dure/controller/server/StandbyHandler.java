package io.dure.controller.server;

import io.dure.controller.service.ControllerAdmin;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.protocol.DureVersion;
import io.dure.protocol.Request;
import io.dure.protocol.Response;

/** Answers while another controller leads: other requests have to go there. Any thread. */
public final class StandbyHandler {
  private final ControllerAdmin administration;

  /** Of a program that can be administered. */
  public StandbyHandler(ControllerAdmin administration) {
    this.administration = administration;
  }

  private static boolean sendsOn(Response.Replica replica) {
    return replica.role().equals("LEADER") || replica.role().equals("STALLED");
  }

  /** That it lives, that it will end, or that it is in standby. */
  Response answer(Request request, Caller.User caller) {
    if (request instanceof Request.Ping || request instanceof Request.Greeting) {
      return new Response.Pong(administration.hostName(), DureVersion.SLURM, caller.identity());
    }
    if (request instanceof Request.Shutdown && caller.operator()) {
      administration.shutdown(false);
      return new Response.Decided(new Reply.Done());
    }
    if (request instanceof Request.ShowReplicas) {
      Response.Replicas seen = administration.replicas();
      // A leader knows more, if there is one, and so does a controller with a live log.
      if (seen.replicas().stream().noneMatch(StandbyHandler::sendsOn)) {
        return seen;
      }
    }
    return new Response.Failed(ErrorCode.IN_STANDBY, "");
  }
}
