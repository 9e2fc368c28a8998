package io.dure.cluster.reservations;

import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import java.util.List;

/** What a command that concerns a reservation leads to. */
public record ReservationDecision(List<Event> events, Reply reply) {
  /** Nothing changes: a refusal in Slurm's words. */
  static ReservationDecision refuse(ErrorCode code) {
    return refuse(code, "");
  }

  /** Nothing changes: a refusal in Slurm's words and some of our own. */
  static ReservationDecision refuse(ErrorCode code, String detail) {
    return new ReservationDecision(List.of(), new Reply.Refused(code, detail));
  }
}
