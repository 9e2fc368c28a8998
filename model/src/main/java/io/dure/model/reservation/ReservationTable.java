package io.dure.model.reservation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All reservations of a cluster. Immutable.
 *
 * @param nextId the number of the next one
 * @param all those that there are, the first made first
 */
public record ReservationTable(int nextId, List<Reservation> all) {
  /** None at all. */
  public static final ReservationTable EMPTY = new ReservationTable(1, List.of());

  /** The one of that name, null if there is none. */
  public @Nullable Reservation named(String name) {
    for (Reservation reservation : all) {
      if (reservation.name().equals(name)) {
        return reservation;
      }
    }
    return null;
  }

  /** With this one, in place of the one of its name or as the last. */
  public ReservationTable with(Reservation next) {
    List<Reservation> list = new ArrayList<>(all);
    int at = -1;
    for (int i = 0; i < list.size(); i++) {
      at = list.get(i).name().equals(next.name()) ? i : at;
    }
    if (at < 0) {
      list.add(next);
    } else {
      list.set(at, next);
    }
    return new ReservationTable(Math.max(nextId, next.id() + 1), List.copyOf(list));
  }

  /** Without the one of that name. */
  public ReservationTable without(String name) {
    return new ReservationTable(
        nextId, all.stream().filter(one -> !one.name().equals(name)).toList());
  }
}
