package io.dure.model.reservation;

import io.dure.model.gres.License;
import io.dure.model.job.Allocation;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Licences that jobs hold. Immutable.
 *
 * @param all those that all jobs hold together
 * @param inside of these those of jobs in reservations, by the reservation's name
 */
public record LicenseUse(List<License> all, Map<String, List<License>> inside) {
  /** Nothing is held. */
  public static final LicenseUse NONE = new LicenseUse(List.of(), Collections.emptyMap());

  /** A job takes what it is given, or gives it back. */
  public LicenseUse changed(Allocation its, int sign) {
    return changed(its.licenses(), its.reservation(), sign);
  }

  /**
   * A job takes some, or gives them back.
   *
   * @param reservation the one that it runs in, null for none
   * @param sign 1 if it takes them, -1 if it gives them back
   */
  public LicenseUse changed(List<License> some, @Nullable String reservation, int sign) {
    if (some.isEmpty()) {
      return this;
    }
    List<License> total = License.sum(all, some, sign);
    if (reservation == null) {
      return new LicenseUse(total, inside);
    }
    TreeMap<String, List<License>> next = new TreeMap<>(inside);
    List<License> its = License.sum(next.getOrDefault(reservation, List.of()), some, sign);
    if (its.isEmpty()) {
      next.remove(reservation);
    } else {
      next.put(reservation, its);
    }
    return new LicenseUse(total, Collections.unmodifiableMap(next));
  }

  /**
   * What a job cannot have from now on: what is held, and what reservations keep for others.
   *
   * @param own the reservation that it would run in, null for none
   * @param end its end, null for never
   */
  public List<License> barred(
      List<Reservation> reservations, @Nullable String own, Instant now, @Nullable Instant end) {
    List<License> barred = all;
    for (Reservation other : reservations) {
      if (!other.licenses().isEmpty()
          && !other.name().equals(own)
          && other.overlaps(now, end == null ? Instant.MAX : end, now)) {
        List<License> held = inside.getOrDefault(other.name(), List.of());
        barred = License.sum(barred, License.sum(other.licenses(), held, -1), 1);
      }
    }
    return barred;
  }

  /**
   * What other reservations keep while one lasts.
   *
   * @param own a reservation of which the licences do not count, null for none
   * @param now the time as of which floating ones are where they are
   */
  public static List<License> keptBeside(
      List<Reservation> reservations, Reservation one, @Nullable Reservation own, Instant now) {
    List<License> kept = List.of();
    for (Reservation other : reservations) {
      if (!other.name().equals(one.name())
          && (own == null || !other.name().equals(own.name()))
          && other.overlaps(one.start(now), one.end(now), now)) {
        kept = License.sum(kept, other.licenses(), 1);
      }
    }
    return kept;
  }
}
