package io.dure.surface.show;

import io.dure.model.HostList;
import io.dure.model.gres.License;
import io.dure.model.reservation.NodeCores;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationAccess;
import io.dure.protocol.ReservationInfo;
import io.dure.surface.facts.ReservationFormat;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.print.TimestampFormat;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The record of a reservation. */
public record ReservationRecordText(TimestampFormat times) {
  private static final String NONE = "(null)";

  public RecordText record(ReservationInfo info) {
    Reservation reservation = info.reservation();
    Duration length = Duration.between(reservation.start(), reservation.end());
    Duration delay = reservation.maxStartDelay();
    RecordText record = new RecordText();
    record
        .line("ReservationName", reservation.name())
        .and("StartTime", times.format(reservation.start()))
        .and("EndTime", times.format(reservation.end()))
        .and("Duration", ElapsedTimeFormat.full(length.toSeconds()));
    record
        .line("Nodes", orNone(HostList.compress(reservation.nodes())))
        .and("NodeCnt", reservation.nodes().size())
        .and("CoreCnt", info.cores())
        .and("Features", orNone(reservation.wish().features()))
        .and("PartitionName", orNone(reservation.wish().partition()))
        .and("Flags", String.join(",", ReservationFormat.flags(reservation)));
    for (NodeCores some : reservation.cores()) {
      record.line("  NodeName=" + some.node() + " CoreIDs=" + ReservationFormat.cores(some));
    }
    record.line("TRES=" + orNone(ReservationFormat.tres(info)));
    record
        .line("Users", names(reservation.access().users()))
        .and("Groups", names(reservation.access().groups()))
        .and("Accounts", names(reservation.access().accounts()))
        .and("Licenses", orNone(License.text(reservation.licenses())))
        .and("State", info.active() ? "ACTIVE" : "INACTIVE")
        .and("BurstBuffer", "(null)");
    ReservationAccess access = reservation.access();
    if (!access.qos().isEmpty() || !access.partitions().isEmpty()) {
      record.line("AllowedPartitions", names(access.partitions())).and("QOS", names(access.qos()));
    }
    record.line("MaxStartDelay", delay == null ? NONE : ElapsedTimeFormat.full(delay.toSeconds()));
    return record;
  }

  private static String names(List<String> names) {
    return orNone(String.join(",", names));
  }

  private static String orNone(@Nullable String text) {
    return text == null || text.isEmpty() ? NONE : text;
  }
}
