package io.dure.surface.change;

import io.dure.surface.body.DocumentValue;
import io.dure.surface.json.DocumentProblem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an {@code update_node_msg} changes of nodes. */
public final class NodeChangeWords {
  private static final Map<String, ChangeMember> MEMBERS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("address", ChangeMember.key("NodeAddr")),
              Map.entry("comment", ChangeMember.key("Comment")),
              Map.entry("cpu_bind", ChangeMember.none("it can be set in slurm.conf")),
              Map.entry("extra", ChangeMember.key("Extra")),
              Map.entry("features", ChangeMember.key("AvailableFeatures")),
              Map.entry("features_act", ChangeMember.key("ActiveFeatures")),
              Map.entry("gres", ChangeMember.key("Gres")),
              Map.entry("hostname", ChangeMember.key("NodeHostname")),
              Map.entry("name", (_, _, _) -> {}),
              Map.entry("reason", ChangeMember.key("Reason")),
              Map.entry("reason_uid", ChangeMember.none("the reason is the caller's")),
              Map.entry("resume_after", ChangeMember.key("ResumeAfter")),
              Map.entry("state", NodeChangeWords::state),
              Map.entry("topology_str", ChangeMember.key("Topology")),
              Map.entry("weight", ChangeMember.key("Weight"))));

  /** States that documents name in other words than {@code scontrol}, and those it asks for. */
  private static final Map<String, String> STATES =
      Map.ofEntries(
          Map.entry("DOWN", "DOWN"),
          Map.entry("DRAIN", "DRAIN"),
          Map.entry("FAIL", "FAIL"),
          Map.entry("FUTURE", "FUTURE"),
          Map.entry("IDLE", "IDLE"),
          Map.entry("NOT_RESPONDING", "NoResp"),
          Map.entry("POWERED_DOWN", "POWER_DOWN"),
          Map.entry("POWERING_DOWN", "POWER_DOWN"),
          Map.entry("POWERING_UP", "POWER_UP"),
          Map.entry("REBOOT_CANCELED", "CANCEL_REBOOT"),
          Map.entry("RESUME", "RESUME"),
          Map.entry("UNDRAIN", "UNDRAIN"));

  private NodeChangeWords() {}

  /** The last that can be asked for: a base state stands before what is wanted of it. */
  private static void state(ChangeWords words, String name, DocumentValue value) {
    String wanted = null;
    if (value instanceof DocumentValue.Items items) {
      for (String word : items.texts()) {
        String state = STATES.get(word);
        if (state == null) {
          words.ignored(name, word + " cannot be asked for");
        } else {
          wanted = state;
        }
      }
    }
    if (wanted != null) {
      words.put("State", wanted);
    }
  }

  /**
   * The words that the members mean.
   *
   * @param place of the object in the document
   * @param warnings get what cannot be changed
   */
  public static List<String> of(
      DocumentValue.Members node, String place, List<DocumentProblem> warnings) {
    ChangeWords words = new ChangeWords(place, warnings);
    ChangeMember other = ChangeMember.none("it cannot be changed");
    for (var member : node.all().entrySet()) {
      MEMBERS.getOrDefault(member.getKey(), other).add(words, member.getKey(), member.getValue());
    }
    return words.words();
  }
}
