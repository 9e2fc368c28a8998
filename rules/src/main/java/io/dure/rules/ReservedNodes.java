package io.dure.rules;

import io.dure.model.command.PendingReason;
import io.dure.model.command.Placement;
import io.dure.model.gres.License;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which jobs may use which nodes when, as far as reservations go. */
public final class ReservedNodes {
  private ReservedNodes() {}

  /**
   * The reservations that the job may run in: those that it names, or those that take in whoever
   * may use them; the first to begin first.
   */
  public static List<Reservation> of(List<Reservation> all, Job job) {
    List<Reservation> its = new ArrayList<>();
    for (Reservation reservation : all) {
      if (admits(reservation, job)) {
        its.add(reservation);
      }
    }
    its.sort(Comparator.comparing(Reservation::start));
    return its;
  }

  private static boolean admits(Reservation reservation, Job job) {
    List<String> names = job.spec().reservations();
    boolean asked =
        names.isEmpty()
            ? reservation.is(ReservationFlag.MAGNETIC)
            : names.contains(reservation.name());
    return asked && reservation.access().permitsJob(job.owner().userName(), job.spec());
  }

  /** Why reservations forbid the placement, null if they do not. */
  public static @Nullable String objection(
      SchedulerView view, Job job, Placement placement, Instant now) {
    String name = placement.allocation().reservation();
    if (name == null && !job.spec().reservations().isEmpty()) {
      return PendingReason.RESERVATION;
    }
    if (view.reservations().isEmpty()) {
      return name == null ? null : PendingReason.RESERVATION_DELETED;
    }
    Reservation own = view.reservation(name);
    if (name != null) {
      if (own == null
          || !admits(own, job)
          || !own.access().permitsPartition(placement.allocation().partition())) {
        return PendingReason.RESERVATION_DELETED;
      }
      if (own.binds() && !own.active(now)) {
        return PendingReason.RESERVATION;
      }
    }
    List<NodeShare> shares = placement.allocation().shares();
    if (own != null && own.bindsToNodes() && !own.covers(shares)) {
      return "a node or core is not in reservation " + name;
    }
    Instant end = RunEndTime.of(view, job.spec(), placement.allocation(), now);
    for (Reservation other : view.reservations()) {
      if (closes(other, own, now, end) && other.touches(shares)) {
        return "a node or core is in reservation " + other.name();
      }
    }
    return null;
  }

  /** The licences that a job would get that starts now, null where too few are free for it. */
  public static @Nullable List<License> licenses(
      SchedulerView view, JobSpec spec, Allocation allocation, Instant now) {
    LicenseRequest asked = spec.resources().more().licenses();
    if (asked == null) {
      return List.of();
    }
    Instant end = view.reservations().isEmpty() ? null : RunEndTime.of(view, spec, allocation, now);
    List<License> barred =
        view.licenseUse().barred(view.reservations(), allocation.reservation(), now, end);
    return asked.free(view.licenses(), barred);
  }

  /** The allocation with the licences that are free now of those that the job asks for. */
  public static Allocation licensed(
      SchedulerView view, JobSpec spec, Allocation allocation, Instant now) {
    List<License> licenses = licenses(view, spec, allocation, now);
    return licenses == null ? allocation : allocation.with(licenses);
  }

  private static boolean closes(
      Reservation other, @Nullable Reservation own, Instant now, @Nullable Instant end) {
    Instant until = end == null ? Instant.MAX : end;
    Duration delay = other.maxStartDelay();
    boolean isShort = own == null && delay != null && end != null && !now.plus(delay).isBefore(end);
    return !isShort && other.closesTo(own) && other.overlaps(now, until, now);
  }
}
