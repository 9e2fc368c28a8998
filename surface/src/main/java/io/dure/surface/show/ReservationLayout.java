package io.dure.surface.show;

import io.dure.core.model.HostList;
import io.dure.core.model.gres.License;
import io.dure.core.reservation.NodeCores;
import io.dure.core.reservation.Reservation;
import io.dure.protocol.ReservationInfo;
import io.dure.surface.facts.ReservationText;
import io.dure.surface.print.ElapsedTime;
import io.dure.surface.print.TimeStamps;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The record of a reservation. */
public record ReservationLayout(TimeStamps times) {
  private static final String NONE = "(null)";

  public RecordText record(ReservationInfo info) {
    Reservation reservation = info.reservation();
    Duration length = Duration.between(reservation.start(), reservation.end());
    Duration delay = reservation.maxStartDelay();
    RecordText record = new RecordText();
    record.line(
        "ReservationName="
            + reservation.name()
            + " StartTime="
            + times.format(reservation.start())
            + " EndTime="
            + times.format(reservation.end())
            + " Duration="
            + ElapsedTime.full(length.toSeconds()));
    record.line(
        "Nodes="
            + orNone(HostList.compress(reservation.nodes()))
            + " NodeCnt="
            + reservation.nodes().size()
            + " CoreCnt="
            + info.cores()
            + " Features="
            + orNone(reservation.wish().features())
            + " PartitionName="
            + orNone(reservation.wish().partition())
            + " Flags="
            + String.join(",", ReservationText.flags(reservation)));
    for (NodeCores some : reservation.cores()) {
      record.line("  NodeName=" + some.node() + " CoreIDs=" + ReservationText.cores(some));
    }
    record.line("TRES=" + orNone(ReservationText.tres(info)));
    record.line(
        "Users="
            + names(reservation.access().users())
            + " Groups="
            + names(reservation.access().groups())
            + " Accounts="
            + names(reservation.access().accounts())
            + " Licenses="
            + orNone(License.text(reservation.licenses()))
            + " State="
            + (info.active() ? "ACTIVE" : "INACTIVE")
            + " BurstBuffer=(null)");
    record.line("MaxStartDelay=" + (delay == null ? NONE : ElapsedTime.full(delay.toSeconds())));
    return record;
  }

  private static String names(List<String> names) {
    return orNone(String.join(",", names));
  }

  private static String orNone(@Nullable String text) {
    return text == null || text.isEmpty() ? NONE : text;
  }
}
