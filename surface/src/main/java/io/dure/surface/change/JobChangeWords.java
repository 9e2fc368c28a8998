package io.dure.surface.change;

import io.dure.surface.body.DocumentValue;
import io.dure.surface.json.DocumentProblem;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a {@code job_desc_msg} changes of a job. */
public final class JobChangeWords {
  private static final int MINUTE = 60;
  private static final String SWITCHES = "required_switches";
  private static final String WAIT = "wait_for_switch";
  private static final String LEAST = "minimum_nodes";
  private static final String MOST = "maximum_nodes";
  private static final Map<String, ChangeMember> MEMBERS = new TreeMap<>();

  static {
    texts();
    numbers();
    others();
  }

  private JobChangeWords() {}

  private static void key(String member, String key) {
    MEMBERS.put(member, ChangeMember.key(key));
  }

  private static void texts() {
    key("account", "Account");
    key("admin_comment", "AdminComment");
    key("burst_buffer", "BurstBuffer");
    key("cluster_constraint", "ClusterFeatures");
    key("clusters", "Clusters");
    key("comment", "Comment");
    key("constraints", "Features");
    key("contiguous", "Contiguous");
    key("cpus_per_tres", "CpusPerTres");
    key("current_working_directory", "WorkDir");
    key("dependency", "Dependency");
    key("excluded_nodes", "ExcNodeList");
    key("extra", "Extra");
    key("licenses", "Licenses");
    key("mail_user", "MailUser");
    key("mcs_label", "McsLabel");
    key("memory_per_tres", "MemPerTres");
    key("name", "JobName");
    key("nodes", "NumNodes");
    key("partition", "Partition");
    key("prefer", "Prefer");
    key("qos", "QOS");
    key("reboot", "Reboot");
    key("required_nodes", "ReqNodeList");
    key("requeue", "Requeue");
    key("reservation", "ReservationName");
    key("standard_error", "StdErr");
    key("standard_input", "StdIn");
    key("standard_output", "StdOut");
    key("tres_bind", "TresBind");
    key("tres_freq", "TresFreq");
    key("tres_per_job", "TresPerJob");
    key("tres_per_node", "TresPerNode");
    key("tres_per_socket", "TresPerSocket");
    key("tres_per_task", "TresPerTask");
    key("wckey", "WCKey");
  }

  private static void numbers() {
    key("core_specification", "CoreSpec");
    key("cores_per_socket", "ReqCores");
    key("cpus_per_task", "CPUsPerTask");
    key("minimum_cpus", "NumCPUs");
    key("minimum_cpus_per_node", "MinCPUsNode");
    key("nice", "Nice");
    key("priority", "Priority");
    key("site_factor", "SiteFactor");
    key("sockets_per_node", "ReqSockets");
    key("tasks", "NumTasks");
    key("tasks_per_node", "TasksPerNode");
    key("threads_per_core", "ReqThreads");
    key("time_limit", "TimeLimit");
    key("time_minimum", "TimeMin");
    MEMBERS.put("memory_per_cpu", ChangeMember.key("MinMemoryCPU", "M"));
    MEMBERS.put("memory_per_node", ChangeMember.key("MinMemoryNode", "M"));
    MEMBERS.put("temporary_disk_per_node", ChangeMember.key("MinTmpDiskNode", "M"));
    MEMBERS.put("begin_time", ChangeMember.moment("StartTime"));
    MEMBERS.put("deadline", ChangeMember.moment("Deadline"));
    MEMBERS.put("end_time", ChangeMember.moment("EndTime"));
  }

  private static void others() {
    MEMBERS.put(
        "delay_boot",
        (words, _, value) -> {
          if (value instanceof DocumentValue.Whole(long seconds)) {
            words.put("DelayBoot", minutes(seconds));
          }
        });
    MEMBERS.put(
        "hold",
        (words, name, value) -> {
          if (value.equals(new DocumentValue.Flag(true))) {
            words.put("Priority", "0");
          } else {
            words.ignored(name, "a priority that is infinite releases a job");
          }
        });
    MEMBERS.put(
        "mail_type",
        (words, _, value) ->
            words.put(
                "MailType",
                ChangeWords.text(value, "")
                    .replace("TIME=100%", "TIME_LIMIT")
                    .replace("TIME=", "TIME_LIMIT_")
                    .replace("%", "")
                    .replace("INVALID_DEPENDENCY", "INVALID_DEPEND")));
    MEMBERS.put(
        "shared",
        (words, name, value) -> {
          switch (ChangeWords.text(value, "")) {
            case "none" -> words.put("OverSubscribe", "NO");
            case "oversubscribe" -> words.put("OverSubscribe", "YES");
            default -> words.ignored(name, "none and oversubscribe can be set");
          }
        });
    for (String joined : List.of(SWITCHES, WAIT, LEAST, MOST)) {
      MEMBERS.put(joined, (_, _, _) -> {});
    }
  }

  private static String minutes(long seconds) {
    return seconds / MINUTE + ":" + String.format(Locale.ROOT, "%02d", seconds % MINUTE);
  }

  /**
   * The words that the members of a job mean.
   *
   * @param place of the object in the document
   * @param warnings get what cannot be changed
   */
  public static List<String> of(
      DocumentValue.Members job, String place, List<DocumentProblem> warnings) {
    ChangeWords words = new ChangeWords(place, warnings);
    ChangeMember other = ChangeMember.none("it cannot be changed");
    for (var member : job.all().entrySet()) {
      MEMBERS.getOrDefault(member.getKey(), other).add(words, member.getKey(), member.getValue());
    }
    Long least = job.number(LEAST);
    Long most = job.number(MOST);
    if (job.text("nodes") == null && (least != null || most != null)) {
      long from = least == null ? 1 : least;
      words.put("NumNodes", most == null || most == 0 ? from + "" : from + "-" + most);
    }
    Long switches = job.number(SWITCHES);
    Long wait = job.number(WAIT);
    if (switches != null) {
      words.put("Switches", wait == null ? switches + "" : switches + "@" + minutes(wait));
    } else if (wait != null) {
      words.ignored(WAIT, SWITCHES + " is not set");
    }
    return words.words();
  }
}
