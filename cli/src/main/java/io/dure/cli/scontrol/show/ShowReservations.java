package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.Session;
import io.dure.protocol.Request;
import io.dure.protocol.ReservationInfo;
import io.dure.protocol.Response;
import io.dure.surface.json.ReservationsDocument;
import io.dure.surface.message.CommandException;
import io.dure.surface.print.TimeStamps;
import io.dure.surface.show.ReservationLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints reservations. */
final class ShowReservations {
  private static final String LOAD = "slurm_load_reservations error";

  private final Session session;

  ShowReservations(Session session) {
    this.session = session;
  }

  /** All reservations, or the one of that name. */
  void show(@Nullable String name) throws CommandException {
    Response answer = session.ask(LOAD, new Request.ShowReservations());
    if (!(answer instanceof Response.Reservations(List<ReservationInfo> all, var now))) {
      throw Session.unexpected(LOAD);
    }
    List<ReservationInfo> wanted =
        all.stream().filter(i -> name == null || i.reservation().name().equals(name)).toList();
    if (session.display().isJson()) {
      ReservationsDocument.print(session.context().json(), wanted, now);
    } else {
      TimeStamps times =
          TimeStamps.of(session.context().environment(), now, session.context().clock().zone());
      ReservationLayout layout = new ReservationLayout(times);
      for (ReservationInfo info : wanted) {
        session.print(layout.record(info).text(session.display().isOneLine()));
      }
      if (name == null && wanted.isEmpty()) {
        session.print("No reservations in the system\n");
      }
    }
    if (name != null && wanted.isEmpty()) {
      session.print(session.display().isJson() ? "" : "Reservation " + name + " not found\n");
      throw new CommandException(1, List.of());
    }
  }
}
