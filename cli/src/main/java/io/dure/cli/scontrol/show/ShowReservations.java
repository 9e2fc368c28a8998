package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.protocol.Request;
import io.dure.protocol.ReservationInfo;
import io.dure.protocol.Response;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.ReservationJson;
import io.dure.surface.message.CommandException;
import io.dure.surface.show.ReservationRecordText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints reservations. */
final class ShowReservations {
  private static final String LOAD = "slurm_load_reservations error";

  private final ScontrolSession session;

  ShowReservations(ScontrolSession session) {
    this.session = session;
  }

  /** All reservations, or the one of that name. */
  void show(@Nullable String name) throws CommandException {
    Response.Reservations answer =
        session.ask(LOAD, new Request.ShowReservations(), Response.Reservations.class);
    List<ReservationInfo> all = answer.reservations();
    List<ReservationInfo> wanted =
        all.stream().filter(i -> name == null || i.reservation().name().equals(name)).toList();
    JsonTarget document = session.document();
    if (document != null) {
      ReservationJson.print(document, wanted, answer.now());
    } else {
      ReservationRecordText layout = new ReservationRecordText(session.times(answer.now()));
      for (ReservationInfo info : wanted) {
        session.print(layout.record(info).text(session.display().isOneLine()));
      }
      if (name == null && wanted.isEmpty()) {
        session.print("No reservations in the system\n");
      }
    }
    if (name != null && wanted.isEmpty()) {
      session.print(session.document() != null ? "" : "Reservation " + name + " not found\n");
      throw CommandException.plain();
    }
  }
}
