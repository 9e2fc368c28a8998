package io.dure.surface.change;

import io.dure.surface.body.DocumentValue;
import io.dure.surface.json.DocumentProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a {@code reservation_desc_msg} says of a reservation. */
public final class ReservationChangeWords {
  private static final String FLAGS = "flags";
  private static final String PURGE = "purge_completed";
  private static final Map<String, ChangeMember> MEMBERS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("accounts", ChangeMember.key("Accounts")),
              Map.entry("burst_buffer", ChangeMember.key("BurstBuffer")),
              Map.entry("comment", ChangeMember.none("reservations have none")),
              Map.entry("core_count", ChangeMember.key("CoreCnt")),
              Map.entry("duration", ChangeMember.key("Duration")),
              Map.entry("end_time", ChangeMember.moment("EndTime")),
              Map.entry("features", ChangeMember.key("Features")),
              Map.entry(FLAGS, (_, _, _) -> {}),
              Map.entry("groups", ChangeMember.key("Groups")),
              Map.entry("licenses", ChangeMember.key("Licenses")),
              Map.entry("max_start_delay", ChangeMember.key("MaxStartDelay")),
              Map.entry("name", (_, _, _) -> {}),
              Map.entry("node_count", ChangeMember.key("NodeCnt")),
              Map.entry("node_list", ChangeMember.key("Nodes")),
              Map.entry("partition", ChangeMember.key("PartitionName")),
              Map.entry(PURGE, (_, _, _) -> {}),
              Map.entry("start_time", ChangeMember.moment("StartTime")),
              Map.entry("tres", ReservationChangeWords::tres),
              Map.entry("users", ChangeMember.key("Users"))));

  private ReservationChangeWords() {}

  private static void tres(ChangeWords words, String name, DocumentValue value) {
    List<String> all = new ArrayList<>();
    if (value instanceof DocumentValue.Items items) {
      for (DocumentValue.Members one : items.objects()) {
        String kind = one.text("type");
        String of = one.text("name");
        Long count = one.number("count");
        if (kind == null || count == null) {
          words.ignored(name, "a resource has type and count");
        } else {
          all.add(kind + (of == null ? "" : "/" + of) + "=" + count);
        }
      }
    }
    if (!all.isEmpty()) {
      words.put("TRES", String.join(",", all));
    }
  }

  /**
   * The words that the members mean; what is empty is not said.
   *
   * @param place of the object in the document
   * @param warnings get what has no meaning
   */
  public static List<String> of(
      DocumentValue.Members reservation, String place, List<DocumentProblem> warnings) {
    ChangeWords words = new ChangeWords(place, warnings);
    ChangeMember other = ChangeMember.none("it has no effect");
    for (var member : reservation.all().entrySet()) {
      if (!ChangeWords.text(member.getValue(), "").isEmpty()
          || !(member.getValue() instanceof DocumentValue.Text)) {
        MEMBERS.getOrDefault(member.getKey(), other).add(words, member.getKey(), member.getValue());
      }
    }
    List<String> flags = new ArrayList<>();
    DocumentValue.Members purge = reservation.members(PURGE);
    Long idle = purge == null ? null : purge.number("time");
    for (String flag : reservation.texts(FLAGS)) {
      if (!flag.equals("PURGE_COMP") || idle == null) {
        flags.add(flag);
      }
    }
    if (idle != null) {
      flags.add("PURGE_COMP=0:00:" + idle);
    }
    if (!flags.isEmpty()) {
      words.put("Flags", String.join(",", flags));
    }
    return words.words();
  }
}
