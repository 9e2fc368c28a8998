package io.dure.controller.server;

import io.dure.core.controller.Caller;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.Version;

/** Answers while another controller leads: whoever asks for more goes there. Any thread. */
public final class Standby {
  private final Administration administration;

  /** Of a program that can be administered. */
  public Standby(Administration administration) {
    this.administration = administration;
  }

  /** That it lives, that it will end, or that it is in standby. */
  Response answer(Request request, Caller.User caller) {
    return switch (request) {
      case Request.Ping _, Request.Greeting _ ->
          new Response.Pong(administration.hostName(), Version.SLURM);
      case Request.Shutdown _ when caller.operator() -> {
        administration.shutdown(false);
        yield new Response.Decided(new Reply.Done());
      }
      case Request.ShowReplicas _ -> {
        Response.Replicas seen = administration.replicas();
        // The leader knows more, if there is one.
        yield seen.replicas().stream().anyMatch(replica -> replica.role().equals("LEADER"))
            ? new Response.Failed(ErrorCode.IN_STANDBY, "")
            : seen;
      }
      default -> new Response.Failed(ErrorCode.IN_STANDBY, "");
    };
  }
}
