package io.dure.surface.facts;

import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresShare;
import io.dure.model.reservation.NodeCores;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.protocol.ReservationInfo;
import io.dure.surface.print.ElapsedTimeFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Texts about reservations that several printers share. */
public final class ReservationFormat {

  private ReservationFormat() {}

  /** The numbers of cores, {@code 0-3,8}. */
  public static String cores(NodeCores some) {
    return GresShare.ranges(some.cores());
  }

  /** What is counted of it, {@code cpu=16,gres/gpu=2}; empty for nothing. */
  public static String tres(ReservationInfo info) {
    List<String> parts = new ArrayList<>();
    if (info.cpus() > 0) {
      parts.add("cpu=" + info.cpus());
    }
    for (GresCount one : info.reservation().wish().gres()) {
      parts.add("gres/" + one.kind() + "=" + one.count());
    }
    return String.join(",", parts);
  }

  /** The flags as Slurm prints them, {@code PURGE_COMP=00:05:00} among them. */
  public static List<String> flags(Reservation reservation) {
    List<String> words = new ArrayList<>();
    for (ReservationFlag flag : reservation.flags()) {
      Duration purge = reservation.purgeAfter();
      if (flag == ReservationFlag.PURGE_COMP && purge != null) {
        words.add(flag.word() + "=" + ElapsedTimeFormat.full(purge.toSeconds()));
      } else {
        words.add(flag.word());
      }
    }
    return words;
  }
}
