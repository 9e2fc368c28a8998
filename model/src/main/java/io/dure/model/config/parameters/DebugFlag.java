package io.dure.model.config.parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A part of a daemon of which the log tells more ({@code DebugFlags}). */
public enum DebugFlag {
  ACCRUE("Accrue"),
  AGENT("Agent"),
  AUDIT_RPCS("AuditRPCs"),
  BACKFILL("Backfill"),
  CGROUP("Cgroup"),
  CPU_BIND("CPU_Bind"),
  CPU_FREQ("CpuFrequency"),
  DEPENDENCY("Dependency"),
  GANG("Gang"),
  GRES("Gres"),
  JOB_ACCOUNT_GATHER("JobAccountGather"),
  LICENSE("License"),
  NODE_FEATURES("NodeFeatures"),
  POWER("Power"),
  PRIORITY("Priority"),
  RESERVATION("Reservation"),
  SCRIPT("Script"),
  SELECT_TYPE("SelectType"),
  STEPS("Steps"),
  TRACE_JOBS("TraceJobs");

  /** What Slurm has besides, of which there is nothing to tell. */
  private static final List<String> SILENT =
      List.of(
          "audittls",
          "backfillmap",
          "burstbuffer",
          "certmgr",
          "conmgr",
          "data",
          "dbd_agent",
          "elasticsearch",
          "energy",
          "federation",
          "glob_silence",
          "hetjob",
          "interconnect",
          "jag",
          "jobcomp",
          "jobcontainer",
          "kafka",
          "metrics",
          "namespace",
          "net",
          "netraw",
          "network",
          "networkraw",
          "no_conf_hash",
          "profile",
          "protocol",
          "route",
          "sackd",
          "switch",
          "task",
          "tls",
          "triggers",
          "workqueue");

  private final String word;

  DebugFlag(String word) {
    this.word = word;
  }

  /** As slurm.conf writes it. */
  public String word() {
    return word;
  }

  /** The flag of that word, without regard to case; null where there is none. */
  public static @Nullable DebugFlag of(String text) {
    for (DebugFlag flag : values()) {
      if (flag.word.equalsIgnoreCase(text)) {
        return flag;
      }
    }
    return null;
  }

  /** Whether Slurm has a flag of that word, of which nothing comes here. */
  public static boolean isSilent(String text) {
    return SILENT.contains(text.toLowerCase(Locale.ROOT));
  }

  /** The flags of those words; others are left out. */
  public static List<DebugFlag> all(List<String> words) {
    List<DebugFlag> flags = new ArrayList<>();
    for (String text : words) {
      DebugFlag flag = of(text);
      if (flag != null && !flags.contains(flag)) {
        flags.add(flag);
      }
    }
    return List.copyOf(flags);
  }
}
