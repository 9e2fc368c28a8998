package io.dure.core.controller.reserve;

import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
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
