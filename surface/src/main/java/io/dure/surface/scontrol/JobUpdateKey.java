package io.dure.surface.scontrol;

import io.dure.surface.scontrol.AbbreviationTable.Entry;
import java.util.List;

/** The keys of {@code scontrol update job}. */
enum JobUpdateKey {
  ACCOUNT,
  ARRAY_THROTTLE("ArrayTaskThrottle"),
  COMMENT,
  CONTIGUOUS("Contiguous"),
  CPUS("NumCPUs"),
  CPUS_PER_TASK("CPUsPerTask"),
  CPUS_PER_TRES("CpusPerTres"),
  DEADLINE,
  DEPENDENCY,
  END_TIME,
  EXCLUDED_NODES,
  FEATURES,
  GRES("Gres"),
  LICENSES("Licenses"),
  MAIL_TYPE("MailType"),
  MAIL_USER,
  MEM_PER_TRES("MemPerTres"),
  MIN_CPUS("MinCPUsNode"),
  MIN_MEMORY_CPU("MinMemoryCPU"),
  MIN_MEMORY_NODE("MinMemoryNode"),
  MIN_TMP_DISK("MinTmpDiskNode"),
  NAME,
  NICE,
  NODES,
  PARTITION,
  PRIORITY("Priority"),
  QOS,
  REQUEUE("Requeue"),
  REQUIRED_NODES,
  RESERVATION,
  SHARING("OverSubscribe"),
  SITE_FACTOR("SiteFactor"),
  START_TIME,
  STANDARD_ERROR,
  STANDARD_INPUT,
  STANDARD_OUTPUT,
  TASKS("NumTasks"),
  TASKS_PER_NODE("TasksPerNode"),
  TIME_LIMIT,
  TRES_PER_JOB("TresPerJob"),
  TRES_PER_NODE("TresPerNode"),
  TRES_PER_SOCKET("TresPerSocket"),
  TRES_PER_TASK("TresPerTask"),
  WCKEY,
  WORK_DIRECTORY("WorkDir"),
  /** Known to Slurm, obeyed by nothing so far. */
  NOT_YET;

  static final AbbreviationTable<JobUpdateKey> WORDS =
      new AbbreviationTable<>(
          List.of(
              new Entry<>("account", 1, ACCOUNT),
              new Entry<>("admincomment", 3, NOT_YET),
              new Entry<>("arraytaskthrottle", 10, ARRAY_THROTTLE),
              new Entry<>("burstbuffer", 1, NOT_YET),
              new Entry<>("clusterfeatures", 8, NOT_YET),
              new Entry<>("clusters", 7, NOT_YET),
              new Entry<>("comment", 3, COMMENT),
              new Entry<>("contiguous", 3, CONTIGUOUS),
              new Entry<>("corespec", 4, NOT_YET),
              new Entry<>("cpuspertask", 9, CPUS_PER_TASK),
              new Entry<>("cpuspertres", 9, CPUS_PER_TRES),
              new Entry<>("deadline", 3, DEADLINE),
              new Entry<>("delayboot", 5, NOT_YET),
              new Entry<>("dependency", 2, DEPENDENCY),
              new Entry<>("eligibletime", 2, START_TIME),
              new Entry<>("endtime", 2, END_TIME),
              new Entry<>("excnodelist", 3, EXCLUDED_NODES),
              new Entry<>("extra", 3, NOT_YET),
              new Entry<>("features", 1, FEATURES),
              new Entry<>("gres", 2, GRES),
              new Entry<>("jobname", 4, NAME),
              new Entry<>("licenses", 1, LICENSES),
              new Entry<>("mailtype", 5, MAIL_TYPE),
              new Entry<>("mailuser", 5, MAIL_USER),
              new Entry<>("mcslabel", 2, NOT_YET),
              new Entry<>("mempertres", 4, MEM_PER_TRES),
              new Entry<>("mincpusnode", 4, MIN_CPUS),
              new Entry<>("minmemorycpu", 10, MIN_MEMORY_CPU),
              new Entry<>("minmemorynode", 10, MIN_MEMORY_NODE),
              new Entry<>("mintmpdisknode", 4, MIN_TMP_DISK),
              new Entry<>("name", 2, NAME),
              new Entry<>("nice", 2, NICE),
              new Entry<>("nodelist", 5, REQUIRED_NODES),
              new Entry<>("numcpus", 4, CPUS),
              new Entry<>("numnodes", 4, NODES),
              new Entry<>("numtasks", 4, TASKS),
              new Entry<>("oversubscribe", 2, SHARING),
              new Entry<>("partition", 2, PARTITION),
              new Entry<>("prefer", 3, NOT_YET),
              new Entry<>("priority", 2, PRIORITY),
              new Entry<>("qos", 2, QOS),
              new Entry<>("reboot", 3, NOT_YET),
              new Entry<>("requeue", 4, REQUEUE),
              new Entry<>("reqcores", 4, NOT_YET),
              new Entry<>("reqcpus", 4, CPUS),
              new Entry<>("reqnodelist", 8, REQUIRED_NODES),
              new Entry<>("reqnodes", 8, NODES),
              new Entry<>("reqprocs", 4, TASKS),
              new Entry<>("reqsockets", 4, NOT_YET),
              new Entry<>("reqthreads", 4, NOT_YET),
              new Entry<>("reservationname", 3, RESERVATION),
              new Entry<>("resetaccruetime", 5, NOT_YET),
              new Entry<>("shared", 2, SHARING),
              new Entry<>("sitefactor", 3, SITE_FACTOR),
              new Entry<>("starttime", 2, START_TIME),
              new Entry<>("stderr", 4, STANDARD_ERROR),
              new Entry<>("stdin", 4, STANDARD_INPUT),
              new Entry<>("stdout", 4, STANDARD_OUTPUT),
              new Entry<>("switches", 2, NOT_YET),
              new Entry<>("taskspernode", 2, TASKS_PER_NODE),
              new Entry<>("threadspec", 4, NOT_YET),
              new Entry<>("timelimit", 5, TIME_LIMIT),
              new Entry<>("timemin", 5, NOT_YET),
              new Entry<>("tresperjob", 5, TRES_PER_JOB),
              new Entry<>("trespernode", 5, TRES_PER_NODE),
              new Entry<>("trespersocket", 5, TRES_PER_SOCKET),
              new Entry<>("trespertask", 5, TRES_PER_TASK),
              new Entry<>("userid", 3, NOT_YET),
              new Entry<>("wait-for-switch", 2, NOT_YET),
              new Entry<>("wckey", 1, WCKEY),
              new Entry<>("workdir", 2, WORK_DIRECTORY)));

  private final String title;

  JobUpdateKey() {
    this("");
  }

  JobUpdateKey(String title) {
    this.title = title;
  }

  /** The key as messages about its value write it, empty for those that have none. */
  String title() {
    return title;
  }
}
