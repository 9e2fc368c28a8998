package io.dure.placement.admission;

import io.dure.model.ErrorCode;
import io.dure.model.request.JobSpec;
import io.dure.model.reservation.Reservation;
import io.dure.placement.JobFeasibility;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a job may wait for the reservations that it names. */
public final class ReservationChecks {
  private ReservationChecks() {}

  /**
   * Why not, null if it may.
   *
   * @param user the user who asks
   * @param groups the user's groups
   */
  public static @Nullable ErrorCode refusal(
      AdmissionView view, JobSpec spec, String user, List<String> groups, Instant now) {
    if (spec.reservations().isEmpty()) {
      return null;
    }
    boolean fits = false;
    for (String name : spec.reservations()) {
      Reservation reservation = view.reservation(name);
      if (reservation == null || !now.isBefore(reservation.end(now)) && !reservation.repeats()) {
        return ErrorCode.RESERVATION_INVALID;
      }
      boolean may =
          reservation.access().permits(user, spec.account(), groups)
              && reservation.access().permitsKind(spec);
      if (!may) {
        return ErrorCode.RESERVATION_ACCESS;
      }
      fits |= !reservation.bindsToNodes() || JobFeasibility.suffices(view, spec, reservation);
    }
    return fits ? null : ErrorCode.NODE_CONFIG_UNAVAILABLE;
  }
}
