package io.dure.cli.sinfo;

import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.model.HostList;
import io.dure.model.reservation.Reservation;
import io.dure.protocol.Request;
import io.dure.protocol.ReservationInfo;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.print.TimestampFormat;
import java.time.Duration;
import java.util.List;

/** The listing of reservations. */
final class ReservationListing {
  private static final String FAILED = "slurm_load_reservations: ";

  private final CommandContext context;

  ReservationListing(CommandContext context) {
    this.context = context;
  }

  void print(boolean header) throws CommandException {
    Response.Reservations answer =
        Question.ask(
            context,
            text -> CommandException.plain(FAILED + text),
            null,
            new Request.ShowReservations(),
            Response.Reservations.class);
    List<ReservationInfo> all = answer.reservations();
    if (all.isEmpty()) {
      context.out().print("No reservations in the system\n");
      return;
    }
    TimestampFormat times =
        TimestampFormat.of(context.environment(), answer.now(), context.clock().zone());
    int width = "RESV_NAME".length();
    for (ReservationInfo info : all) {
      width = Math.max(width, info.reservation().name().length());
    }
    if (header) {
      row(width, "RESV_NAME", "STATE", "START_TIME", "END_TIME", "DURATION", "NODELIST");
    }
    for (ReservationInfo info : all) {
      Reservation reservation = info.reservation();
      Duration length = Duration.between(reservation.start(), reservation.end());
      row(
          width,
          reservation.name(),
          info.active() ? "ACTIVE" : "INACTIVE",
          times.format(reservation.start()),
          times.format(reservation.end()),
          ElapsedTimeFormat.full(length.toSeconds()),
          HostList.compress(reservation.nodes()));
    }
  }

  private void row(int width, String... cells) {
    StringBuilder line = new StringBuilder(cells[0]);
    line.repeat(' ', width - cells[0].length()).append("  ");
    int[] widths = {8, 19, 19, 11};
    for (int i = 0; i < widths.length; i++) {
      line.repeat(' ', Math.max(0, widths[i] - cells[i + 1].length()));
      line.append(cells[i + 1]).append("  ");
    }
    context.out().print(line + cells[cells.length - 1] + "\n");
  }
}
