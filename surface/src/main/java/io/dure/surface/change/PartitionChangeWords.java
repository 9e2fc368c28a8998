package io.dure.surface.change;

import io.dure.surface.body.DocumentValue;
import io.dure.surface.json.DocumentProblem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a {@code partition_info} says of a partition. */
public final class PartitionChangeWords {
  private static final String CLEAR = "_CLEAR";

  private static final Map<String, String> FLAGS =
      Map.of(
          "DEFAULT", "Default",
          "HIDDEN", "Hidden",
          "NO_ROOT", "DisableRootJobs",
          "ROOT_ONLY", "RootOnly",
          "REQ_RESV", "ReqResv",
          "LLN", "LLN",
          "PDOI", "PowerDownOnIdle");

  private static final Map<String, ChangeMember> MEMBERS = new TreeMap<>();

  static {
    String counted = "it follows from the nodes";
    key("nodes/allowed_allocation", "AllocNodes");
    key("nodes/configured", "Nodes");
    none("nodes/total", counted);
    key("accounts/allowed", "AllowAccounts");
    key("accounts/deny", "DenyAccounts");
    key("groups/allowed", "AllowGroups");
    key("qos/allowed", "AllowQOS");
    key("qos/deny", "DenyQOS");
    key("qos/assigned", "QOS");
    key("alternate", "Alternate");
    key("tres/billing_weights", "TRESBillingWeights");
    none("tres/configured", counted);
    none("cluster", "it is this one");
    none("select_type", "it is the cluster's");
    none("cpus/task_binding", "it can be set in slurm.conf");
    none("cpus/total", counted);
    none("defaults/memory_per_cpu", "partition_memory_per_cpu says it");
    key("defaults/partition_memory_per_cpu", "DefMemPerCPU");
    key("defaults/partition_memory_per_node", "DefMemPerNode");
    key("defaults/time", "DefaultTime");
    key("defaults/job", "JobDefaults");
    MEMBERS.put("flags", PartitionChangeWords::flags);
    MEMBERS.put("partition/exclusive", PartitionChangeWords::exclusive);
    key("partition/oversubscribe", "OverSubscribe");
    key("partition/state", "State");
    key("grace_time", "GraceTime");
    key("maximums/cpus_per_node", "MaxCPUsPerNode");
    key("maximums/cpus_per_socket", "MaxCPUsPerSocket");
    none("maximums/memory_per_cpu", "partition_memory_per_cpu says it");
    key("maximums/partition_memory_per_cpu", "MaxMemPerCPU");
    key("maximums/partition_memory_per_node", "MaxMemPerNode");
    key("maximums/nodes", "MaxNodes");
    none("maximums/shares", "partition/oversubscribe says it");
    none("maximums/oversubscribe/jobs", "partition/oversubscribe says it");
    none("maximums/oversubscribe/flags", "partition/oversubscribe says it");
    key("maximums/time", "MaxTime");
    key("maximums/over_time_limit", "OverTimeLimit");
    key("minimums/nodes", "MinNodes");
    MEMBERS.put("name", (_, _, _) -> {});
    none("node_sets", "nodes/configured says it");
    key("preempt_mode", "PreemptMode");
    key("priority/job_factor", "PriorityJobFactor");
    key("priority/tier", "PriorityTier");
    key("timeouts/resume", "ResumeTimeout");
    key("timeouts/suspend", "SuspendTimeout");
    key("topology", "Topology");
    key("suspend_time", "SuspendTime");
  }

  private PartitionChangeWords() {}

  private static void key(String member, String key) {
    MEMBERS.put(member, ChangeMember.key(key));
  }

  private static void none(String member, String why) {
    MEMBERS.put(member, ChangeMember.none(why));
  }

  private static void flags(ChangeWords words, String name, DocumentValue value) {
    if (value instanceof DocumentValue.Items items) {
      for (String flag : items.texts()) {
        boolean off = flag.endsWith(CLEAR);
        String key = FLAGS.get(off ? flag.substring(0, flag.length() - CLEAR.length()) : flag);
        if (key == null) {
          words.ignored(name, flag + " cannot be set");
        } else {
          words.put(key, off ? "NO" : "YES");
        }
      }
    }
  }

  private static void exclusive(ChangeWords words, String name, DocumentValue value) {
    String way = ChangeWords.text(value, "");
    switch (way) {
      case "NO" -> words.put("ExclusiveUser", "NO");
      case "USER" -> words.put("ExclusiveUser", "YES");
      case "NODE" -> words.put("OverSubscribe", "EXCLUSIVE");
      default -> words.ignored(name, way + " cannot be set");
    }
  }

  /** Where members are known, such as {@code priority/tier}. */
  static Iterable<String> known() {
    return MEMBERS.keySet();
  }

  /**
   * The words that the members mean; what is empty is not said.
   *
   * @param place of the object in the document
   * @param warnings get what has no meaning
   */
  public static List<String> of(
      DocumentValue.Members partition, String place, List<DocumentProblem> warnings) {
    ChangeWords words = new ChangeWords(place, warnings);
    add(words, "", partition);
    return words.words();
  }

  private static void add(ChangeWords words, String path, DocumentValue.Members at) {
    ChangeMember other = ChangeMember.none("it has no effect");
    for (var member : at.all().entrySet()) {
      String name = path + member.getKey();
      switch (member.getValue()) {
        case DocumentValue.Members object -> add(words, name + "/", object);
        case DocumentValue.Text(String text) when text.isEmpty() -> {}
        case DocumentValue.Items(List<DocumentValue> all) when all.isEmpty() -> {}
        case DocumentValue.Text _,
            DocumentValue.Items _,
            DocumentValue.Flag _,
            DocumentValue.Whole _,
            DocumentValue.Fraction _,
            DocumentValue.Infinite _ ->
            MEMBERS.getOrDefault(name, other).add(words, name, member.getValue());
      }
    }
  }
}
