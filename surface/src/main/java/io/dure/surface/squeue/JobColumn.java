package io.dure.surface.squeue;

import io.dure.surface.print.TableColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of the job listing, those with a letter first. */
public enum JobColumn implements TableColumn {
  ACCOUNT('a', "Account", "ACCOUNT"),
  TRES_PER_NODE('b', "tres-per-node", "TRES_PER_NODE"),
  MIN_CPUS('c', "MinCPUs", "MIN_CPUS"),
  MIN_TMP_DISK('d', "MinTmpDisk", "MIN_TMP_DISK"),
  END_TIME('e', "EndTime", "END_TIME"),
  FEATURES('f', "Feature", "FEATURES"),
  GROUP_NAME('g', "GroupName", "GROUP"),
  OVER_SUBSCRIBE('h', "OverSubscribe", "OVER_SUBSCRIBE"),
  JOB_ARRAY_ID('i', "JobArrayID", "JOBID"),
  NAME('j', "Name", "NAME"),
  COMMENT('k', "Comment", "COMMENT"),
  TIME_LIMIT('l', "TimeLimit", "TIME_LIMIT"),
  MIN_MEMORY('m', "MinMemory", "MIN_MEMORY"),
  REQ_NODES('n', "ReqNodes", "REQ_NODES"),
  COMMAND('o', "Command", "COMMAND"),
  PRIORITY('p', "Priority", "PRIORITY"),
  QOS('q', "QOS", "QOS"),
  REASON('r', "Reason", "REASON"),
  SLUID('s', "SLUID", "SLUID"),
  STATE_COMPACT('t', "StateCompact", "ST"),
  USER_NAME('u', "UserName", "USER"),
  RESERVATION('v', "Reservation", "RESERVATION"),
  WCKEY('w', "WCKey", "WCKEY"),
  EXC_NODES('x', "ExcNodes", "EXC_NODES"),
  NICE('y', "Nice", "NICE"),
  SHAPE('z', "SCT", "S:C:T"),
  JOB_ID('A', "JobID", "JOBID"),
  BATCH_HOST('B', "BatchHost", "EXEC_HOST"),
  CPUS('C', "NumCPUs", "CPUS"),
  NODES('D', "NumNodes", "NODES"),
  DEPENDENCY('E', "Dependency", "DEPENDENCY"),
  ARRAY_JOB_ID('F', "ArrayJobID", "ARRAY_JOB_ID"),
  GROUP_ID('G', "GroupID", "GROUP"),
  SOCKETS('H', "Sockets", "SOCKETS_PER_NODE"),
  CORES('I', "Cores", "CORES_PER_SOCKET"),
  THREADS('J', "Threads", "THREADS_PER_CORE"),
  ARRAY_TASK_ID('K', "ArrayTaskID", "ARRAY_TASK_ID"),
  TIME_LEFT('L', "TimeLeft", "TIME_LEFT"),
  TIME_USED('M', "TimeUsed", "TIME"),
  NODE_LIST('N', "NodeList", "NODELIST"),
  CONTIGUOUS('O', "Contiguous", "CONTIGUOUS"),
  PARTITION('P', "Partition", "PARTITION"),
  PRIORITY_LONG('Q', "PriorityLong", "PRIORITY"),
  REASON_LIST('R', "ReasonList", "NODELIST(REASON)"),
  START_TIME('S', "StartTime", "START_TIME"),
  STATE('T', "State", "STATE"),
  USER_ID('U', "UserID", "UID"),
  SUBMIT_TIME('V', "SubmitTime", "SUBMIT_TIME"),
  LICENSES('W', "Licenses", "LICENSES"),
  CORE_SPEC('X', "CoreSpec", "CORE_SPEC", "N/A"),
  SCHED_NODES('Y', "SchedNodes", "SCHEDNODES"),
  WORK_DIR('Z', "WorkDir", "WORK_DIR"),
  ACCRUE_TIME(NO_LETTER, "AccrueTime", "ACCRUE_TIME"),
  ADMIN_COMMENT(NO_LETTER, "admin_comment", "ADMIN_COMMENT"),
  ALLOC_NODES(NO_LETTER, "AllocNodes", "ALLOC_NODES"),
  ALLOC_SID(NO_LETTER, "AllocSID", "ALLOC_SID"),
  ASSOC_ID(NO_LETTER, "AssocID", "ASSOC_ID", "0"),
  BATCH_FLAG(NO_LETTER, "BatchFlag", "BATCH_FLAG"),
  BOARDS_PER_NODE(NO_LETTER, "BoardsPerNode", "BOARDS_PER_NODE", "N/A"),
  BURST_BUFFER(NO_LETTER, "BurstBuffer", "BURST_BUFFER", "(null)"),
  BURST_BUFFER_STATE(NO_LETTER, "BurstBufferState", "BURST_BUFFER_STATE", "(null)"),
  CLUSTER(NO_LETTER, "Cluster", "CLUSTER"),
  CLUSTER_FEATURES(NO_LETTER, "ClusterFeature", "CLUSTER_FEATURES", "(null)"),
  CONTAINER(NO_LETTER, "Container", "CONTAINER"),
  CONTAINER_ID(NO_LETTER, "ContainerID", "CONTAINER_ID"),
  CONTAINER_TYPE(NO_LETTER, "ContainerType", "CONTAINER_TYPE"),
  CPUS_PER_TASK(NO_LETTER, "CPUsPerTask", "CPUS_PER_TASK"),
  CPUS_PER_TRES(NO_LETTER, "cpus-per-tres", "CPUS_PER_TRES"),
  CRON_JOB(NO_LETTER, "CronJob", "CRON_JOB"),
  DEADLINE(NO_LETTER, "Deadline", "DEADLINE"),
  DELAY_BOOT(NO_LETTER, "DelayBoot", "DELAY_BOOT", "00:00:00"),
  DERIVED_EC(NO_LETTER, "DerivedEC", "DERIVED_EC"),
  ELIGIBLE_TIME(NO_LETTER, "EligibleTime", "ELIGIBLE_TIME"),
  EXCLUSIVE(NO_LETTER, "Exclusive", "EXCLUSIVE"),
  EXIT_CODE(NO_LETTER, "exit_code", "EXIT_CODE"),
  GRES(NO_LETTER, "Gres", "TRES_PER_NODE"),
  HET_JOB_ID(NO_LETTER, "HetJobID", "HET_JOB_ID"),
  HET_JOB_ID_SET(NO_LETTER, "HetJobIDSet", "HET_JOB_ID_SET"),
  HET_JOB_OFFSET(NO_LETTER, "HetJobOffset", "HET_JOB_OFFSET"),
  LAST_SCHED_EVAL(NO_LETTER, "LastSchedEval", "LAST_SCHED_EVAL"),
  LICENSES_ALLOC(NO_LETTER, "LicensesAlloc", "LICENSES_ALLOC"),
  MAX_CPUS(NO_LETTER, "MaxCPUs", "MAX_CPUS", "0"),
  MAX_NODES(NO_LETTER, "MaxNodes", "MAX_NODES"),
  MCS_LABEL(NO_LETTER, "MCSLabel", "MCSLABEL", "(null)"),
  MEM_PER_TRES(NO_LETTER, "mem-per-tres", "MEM_PER_TRES"),
  MIN_TIME(NO_LETTER, "MinTime", "TIME_MIN"),
  NETWORK(NO_LETTER, "Network", "NETWORK", "(null)"),
  NT_PER_BOARD(NO_LETTER, "NTPerBoard", "NTASKS_PER_BOARD", "N/A"),
  NT_PER_CORE(NO_LETTER, "NTPerCore", "NTASKS_PER_CORE"),
  NT_PER_NODE(NO_LETTER, "NTPerNode", "NTASKS_PER_NODE"),
  NT_PER_SOCKET(NO_LETTER, "NTPerSocket", "NTASKS_PER_SOCKET"),
  NUM_TASKS(NO_LETTER, "NumTasks", "TASKS"),
  ORIGIN(NO_LETTER, "Origin", "ORIGIN", "NA"),
  ORIGIN_RAW(NO_LETTER, "OriginRaw", "ORIGIN_RAW", "NA"),
  PACK_JOB_ID(NO_LETTER, "PackJobID", "HET_JOB_ID"),
  PACK_JOB_ID_SET(NO_LETTER, "PackJobIDSet", "HET_JOB_ID_SET"),
  PACK_JOB_OFFSET(NO_LETTER, "PackJobOffset", "HET_JOB_OFFSET"),
  PENDING_TIME(NO_LETTER, "PendingTime", "PENDING_TIME"),
  PREEMPT_TIME(NO_LETTER, "PreemptTime", "PREEMPT_TIME"),
  PREFER(NO_LETTER, "Prefer", "PREFER"),
  PROFILE(NO_LETTER, "Profile", "PROFILE", "NotSet"),
  REBOOT(NO_LETTER, "Reboot", "REBOOT"),
  REQ_SWITCH(NO_LETTER, "ReqSwitch", "REQ_SWITCH"),
  REQUEUE(NO_LETTER, "Requeue", "REQUEUE"),
  RESIZE_TIME(NO_LETTER, "ResizeTime", "RESIZE_TIME"),
  RESTART_COUNT(NO_LETTER, "RestartCnt", "RESTART_COUNT"),
  SEGMENT_SIZE(NO_LETTER, "SegmentSize", "SEGMENT_SIZE"),
  SIBLINGS_ACTIVE(NO_LETTER, "SiblingsActive", "ACTIVE_SIBLINGS", "NA"),
  SIBLINGS_ACTIVE_RAW(NO_LETTER, "SiblingsActiveRaw", "ACTIVE_SIBLINGS_RAW", "NA"),
  SIBLINGS_VIABLE(NO_LETTER, "SiblingsViable", "VIABLE_SIBLINGS", "NA"),
  SIBLINGS_VIABLE_RAW(NO_LETTER, "SiblingsViableRaw", "VIALBLE_SIBLINGS_RAW", "NA"),
  SOCKETS_PER_BOARD(NO_LETTER, "SPerBoard", "SOCKETS_PER_BOARD", "N/A"),
  STD_ERR(NO_LETTER, "StdErr", "STDERR"),
  STD_IN(NO_LETTER, "StdIn", "STDIN"),
  STD_OUT(NO_LETTER, "StdOut", "STDOUT"),
  SYSTEM_COMMENT(NO_LETTER, "system_comment", "SYSTEM_COMMENT", "(null)"),
  TRES_ALLOC(NO_LETTER, "tres-alloc", "TRES_ALLOC"),
  TRES_BIND(NO_LETTER, "tres-bind", "TRES_BIND", "N/A"),
  TRES_FREQ(NO_LETTER, "tres-freq", "TRES_FREQ", "N/A"),
  TRES_PER_JOB(NO_LETTER, "tres-per-job", "TRES_PER_JOB"),
  TRES_PER_SOCKET(NO_LETTER, "tres-per-socket", "TRES_PER_SOCKET"),
  TRES_PER_TASK(NO_LETTER, "tres-per-task", "TRES_PER_TASK"),
  WAIT_FOR_SWITCH(NO_LETTER, "Wait4Switch", "WAIT4SWITCH");

  private static final List<JobColumn> ALL = List.of(values());

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final Names names;

  private final @Nullable String fixed;

  JobColumn(char letter, String longName, String header) {
    this(letter, longName, header, null);
  }

  JobColumn(char letter, String longName, String header, @Nullable String fixed) {
    names = new Names(letter, longName, header);
    this.fixed = fixed;
  }

  /** All columns in order. */
  public static List<JobColumn> all() {
    return ALL;
  }

  @Override
  public Names names() {
    return names;
  }

  /** What stands there for every job, null where it depends on the job. */
  @Nullable String fixed() {
    return fixed;
  }
}
