package io.dure.cluster.reservations;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The end of a reservation: jobs that waited for it alone are held, or may run elsewhere. */
final class ReservationRemoval {
  private ReservationRemoval() {}

  static List<Event> events(ClusterState state, Reservation reservation, Instant now) {
    List<Event> events = new ArrayList<>();
    events.add(new Event.ReservationDeleted(reservation.name(), now));
    boolean free = reservation.is(ReservationFlag.NO_HOLD_JOBS_AFTER_END);
    for (Job job : state.pending().values()) {
      List<String> names = job.spec().reservations();
      if (names.contains(reservation.name())) {
        List<String> left = names.stream().filter(n -> !n.equals(reservation.name())).toList();
        events.add(
            new Event.JobUpdated(
                job.id(), job.spec().withReservations(left), job.priority(), null));
        boolean held = ((JobState.Pending) job.state()).hold() != Hold.NONE;
        if (left.isEmpty() && !free && !held) {
          events.add(new Event.JobHeld(job.id(), Hold.RESERVATION_DELETED));
        }
      }
    }
    return List.copyOf(events);
  }
}
