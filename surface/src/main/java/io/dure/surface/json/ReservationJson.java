package io.dure.surface.json;

import io.dure.model.HostList;
import io.dure.model.gres.License;
import io.dure.model.reservation.NodeCores;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.protocol.ReservationInfo;
import io.dure.surface.facts.ReservationFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A document of reservations, with the members that Slurm's data parser gives them. */
public final class ReservationJson {

  private ReservationJson() {}

  /** Writes reservations. */
  public static void print(JsonTarget target, List<ReservationInfo> reservations, Instant now) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_reservation_resp")) {
      json.object().list("reservations");
      reservations.forEach(info -> write(json, info));
      json.endList().time("last_update", now);
      JsonEnvelope.end(json, "");
    }
  }

  private static void write(SlurmJsonWriter json, ReservationInfo info) {
    Reservation reservation = info.reservation();
    json.object()
        .text("accounts", String.join(",", reservation.access().accounts()))
        .text("burst_buffer", "")
        .number("core_count", info.cores())
        .list("core_specializations");
    for (NodeCores some : reservation.cores()) {
      json.object()
          .text("node", some.node())
          .text("core", ReservationFormat.cores(some))
          .endObject();
    }
    json.endList()
        .time("end_time", reservation.end())
        .text("features", orEmpty(reservation.wish().features()))
        .texts("flags", reservation.flags().stream().map(ReservationFlag::word).toList())
        .text("groups", String.join(",", reservation.access().groups()))
        .text("licenses", License.text(reservation.licenses()))
        .number("max_start_delay", seconds(reservation.maxStartDelay()))
        .text("name", reservation.name())
        .number("node_count", reservation.nodes().size())
        .text("node_list", HostList.compress(reservation.nodes()))
        .text("partition", orEmpty(reservation.wish().partition()))
        .object("purge_completed")
        .bound("time", purge(reservation))
        .endObject()
        .time("start_time", reservation.start())
        .text("tres", ReservationFormat.tres(info))
        .text("users", String.join(",", reservation.access().users()))
        .endObject();
  }

  private static @Nullable Long purge(Reservation reservation) {
    Duration after = reservation.purgeAfter();
    return after == null ? null : Long.valueOf(after.toSeconds());
  }

  private static long seconds(@Nullable Duration length) {
    return length == null ? 0 : length.toSeconds();
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
