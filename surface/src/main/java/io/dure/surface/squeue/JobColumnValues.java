package io.dure.surface.squeue;

import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.jobtext.TextValue;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.surface.facts.GresFormat;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.JobIdFormat;
import io.dure.surface.facts.OutputPaths;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.print.ColumnValueSource;
import io.dure.surface.print.ElapsedTimeFormat;
import io.dure.surface.print.MemorySizeFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of the job listing's columns. For one thread. */
public final class JobColumnValues implements ColumnValueSource<JobColumn, JobDetails> {

  private static final String NULL = "(null)";
  private static final String NOT_AVAILABLE = "N/A";
  private static final String ANY = "*";

  /** Priorities are shown as a part of the highest one there is. */
  private static final double PRIORITY_SCALE = 4294967295.0;

  private static final double PRIORITY_UNITS = 1e14;

  private final ListingStyle style;

  public JobColumnValues(ListingStyle style) {
    this.style = style;
  }

  @Override
  public String value(JobColumn column, JobDetails row) {
    String fixed = column.fixed();
    if (fixed != null) {
      return fixed;
    }
    Job job = row.job();
    return switch (column) {
      case JOB_ARRAY_ID -> ids().text(job);
      case PARTITION -> row.partition();
      case NAME -> job.spec().name();
      case USER_NAME -> job.owner().userName();
      case STATE_COMPACT -> row.status().compact();
      case STATE -> row.status().name();
      case TIME_USED -> ElapsedTimeFormat.compact(row.elapsedSeconds());
      case TIME_LIMIT -> timeLimit(row);
      case NODES -> Integer.toString(row.nodeCount());
      case REASON_LIST -> reasonOrNodes(row);
      case JOB_ID -> Integer.toString(job.id());
      case ARRAY_JOB_ID -> Integer.toString(job.het() == null ? job.baseId() : job.id());
      case HET_JOB_ID, PACK_JOB_ID ->
          job.het() == null ? "N/A" : Integer.toString(job.het().leader());
      case HET_JOB_ID_SET, PACK_JOB_ID_SET -> job.het() == null ? "N/A" : job.het().idSet();
      case HET_JOB_OFFSET, PACK_JOB_OFFSET ->
          job.het() == null ? "N/A" : Integer.toString(job.het().offset());
      case ARRAY_TASK_ID -> taskId(job.array());
      case ACCOUNT -> text(job.spec().account());
      case QOS -> text(job.spec().qos());
      case RESERVATION -> text(row.reservation());
      case COMMENT -> text(job.spec().comment());
      case SLUID -> job.sluid();
      case ADMIN_COMMENT -> text(job.spec().adminComment());
      case WCKEY -> text(job.spec().wckey());
      case COMMAND -> text(job.workload().command());
      case WORK_DIR -> job.workload().workDirectory();
      case GROUP_NAME -> job.owner().groupName();
      case GROUP_ID -> Integer.toUnsignedString(job.owner().gid());
      case USER_ID -> Integer.toUnsignedString(job.owner().uid());
      case REASON -> row.info().reason();
      case DEPENDENCY -> orNull(row.info().dependency());
      case PRIORITY -> fraction(job.priority());
      case PRIORITY_LONG -> Long.toString(job.priority());
      case NICE -> Long.toString(job.spec().nice());
      case CLUSTER -> style.cluster();
      case ALLOC_NODES -> job.workload().submitHost();
      case ALLOC_SID -> Integer.toString(job.workload().sessionId());
      case CRON_JOB -> job.cron() == null ? "No" : "Yes";
      case BATCH_FLAG -> job.isBatch() ? "1" : "0";
      case REBOOT -> row.asked("reboot") ? "1" : "0";
      case REQUEUE -> row.info().requeue() ? "1" : "0";
      case RESTART_COUNT -> Integer.toString(job.restarts());
      case STD_IN -> path(OutputPaths.input(row), row);
      case STD_OUT -> path(OutputPaths.output(row), row);
      case STD_ERR -> path(OutputPaths.error(row), row);
      case EXIT_CODE -> exit(row.exit());
      case DERIVED_EC -> exit(job.runSteps().highest());
      default -> shape(column, row);
    };
  }

  private String shape(JobColumn column, JobDetails row) {
    ResourceRequest asked = row.spec().resources();
    return switch (column) {
      case CPUS -> Integer.toString(row.cpus());
      case MIN_CPUS -> Integer.toString(row.minCpus());
      case MIN_MEMORY -> memory(asked.memory());
      case MIN_TMP_DISK -> amount(asked.tmpDiskMib());
      case MAX_NODES -> row.asked("nodes") ? Integer.toString(asked.maxNodes()) : "0";
      case NUM_TASKS -> Integer.toString(row.tasks());
      case CPUS_PER_TASK ->
          row.asked("cpus-per-task") ? Integer.toString(asked.cpusPerTask()) : NOT_AVAILABLE;
      case NT_PER_NODE -> number(asked.tasksPerNode(), NOT_AVAILABLE);
      case FEATURES -> text(asked.features());
      case PREFER -> text(asked.reach().prefer());
      case REQ_SWITCH -> number(asked.reach().switches(), "0");
      case WAIT_FOR_SWITCH -> switchWait(asked);
      case SEGMENT_SIZE -> number(asked.reach().segment(), NOT_AVAILABLE);
      case SOCKETS -> number(asked.socketsPerNode(), ANY);
      case CORES -> number(asked.coresPerSocket(), ANY);
      case THREADS -> number(asked.threadsPerCore(), ANY);
      case SHAPE ->
          number(asked.socketsPerNode(), ANY)
              + ':'
              + number(asked.coresPerSocket(), ANY)
              + ':'
              + number(asked.threadsPerCore(), ANY);
      case OVER_SUBSCRIBE ->
          switch (row.sharesCores() ? OversubscribeMode.OVERSUBSCRIBE : asked.sharing()) {
            case DEFAULT -> "OK";
            case EXCLUSIVE -> "NO";
            case USER -> "USER";
            case OVERSUBSCRIBE -> "YES";
          };
      case EXCLUSIVE ->
          switch (asked.sharing()) {
            case EXCLUSIVE -> "NODE";
            case USER -> "USER";
            case DEFAULT, OVERSUBSCRIBE -> "NO";
          };
      case CONTIGUOUS -> asked.contiguous() ? "1" : "0";
      case REQ_NODES -> HostList.compressInOrder(asked.requiredNodes());
      case EXC_NODES -> HostList.compressInOrder(asked.excludedNodes());
      case NODE_LIST -> row.nodeList();
      case SCHED_NODES -> orNull(nodes(row.info().scheduledNodes()));
      case CONTAINER -> text(asked.more().shown().container());
      case CONTAINER_ID -> text(asked.more().shown().containerId());
      case CONTAINER_TYPE -> text(asked.more().shown().containerType());
      case BATCH_HOST -> batchHost(row.allocation());
      case TRES_ALLOC -> row.tres();
      default -> gres(column, row);
    };
  }

  private String gres(JobColumn column, JobDetails row) {
    ResourceRequest asked = row.spec().resources();
    GresRequest gres = asked.gresOrNone();
    return switch (column) {
      case NT_PER_CORE -> number(asked.more().tasksPerCore(), NOT_AVAILABLE);
      case NT_PER_SOCKET -> number(asked.more().tasksPerSocket(), NOT_AVAILABLE);
      case LICENSES -> text(TextValue.textOf(asked.more().licenses()));
      case LICENSES_ALLOC -> row.licenses(text(null));
      case GRES, TRES_PER_NODE -> known(GresFormat.asked(gres.perNode()));
      case TRES_PER_JOB -> known(GresFormat.asked(gres.perJob()));
      case TRES_PER_SOCKET -> known(GresFormat.asked(gres.perSocket()));
      case TRES_PER_TASK -> known(GresFormat.perTask(gres.perTask()));
      case CPUS_PER_TRES ->
          gres.cpusPerGpu() == null ? NOT_AVAILABLE : "gres/gpu:" + gres.cpusPerGpu();
      case MEM_PER_TRES ->
          asked.memory() instanceof MemoryRequest.PerGpu(long mib)
              ? "gres/gpu:" + mib
              : NOT_AVAILABLE;
      default -> moment(column, row);
    };
  }

  private static String known(String text) {
    return text.isEmpty() ? NOT_AVAILABLE : text;
  }

  private String moment(JobColumn column, JobDetails row) {
    return switch (column) {
      case START_TIME -> time(row.start());
      case END_TIME -> time(row.end());
      case SUBMIT_TIME -> time(row.job().submitTime());
      case ELIGIBLE_TIME -> time(row.eligibleTime());
      case ACCRUE_TIME -> time(row.job().accrueTime());
      case LAST_SCHED_EVAL -> time(row.info().lastEvaluated());
      case DEADLINE -> time(row.spec().deadline());
      case PREEMPT_TIME -> time(row.preemptTime());
      case RESIZE_TIME -> time(row.resizeTime());
      case TIME_LEFT -> timeLeft(row);
      case MIN_TIME -> {
        Duration least = row.spec().timeMin();
        yield least == null ? NOT_AVAILABLE : ElapsedTimeFormat.compact(least.toSeconds());
      }
      case PENDING_TIME -> Long.toString(pendingSeconds(row));
      default -> throw new IllegalStateException("no value for " + column);
    };
  }

  private String taskId(@Nullable ArrayPart array) {
    return switch (array) {
      case null -> NOT_AVAILABLE;
      case ArrayPart.Task task -> Integer.toString(task.index());
      case ArrayPart.Waiting waiting -> ids().tasks(waiting);
    };
  }

  private JobIdFormat ids() {
    return new JobIdFormat(style.taskListLimit());
  }

  private static String timeLimit(JobDetails row) {
    Duration limit = row.limit();
    return limit == null
        ? ElapsedTimeFormat.UNLIMITED
        : ElapsedTimeFormat.compact(limit.toSeconds());
  }

  private static String timeLeft(JobDetails row) {
    Duration limit = row.limit();
    return limit == null
        ? ElapsedTimeFormat.UNLIMITED
        : ElapsedTimeFormat.compact(limit.toSeconds() - row.elapsedSeconds());
  }

  private static String reasonOrNodes(JobDetails row) {
    boolean reason =
        row.flag() != SlurmJobState.COMPLETING
            && switch (row.base()) {
              case PENDING, TIMEOUT, OUT_OF_MEMORY, DEADLINE, FAILED -> true;
              default -> false;
            };
    return reason ? '(' + row.info().reason() + ')' : row.nodeList();
  }

  private static long pendingSeconds(JobDetails row) {
    Instant until =
        row.job().state() instanceof JobState.Pending || row.start() == null
            ? row.now()
            : row.start();
    return Math.max(0, until.getEpochSecond() - row.job().attemptTime().getEpochSecond());
  }

  private String memory(MemoryRequest memory) {
    return switch (memory) {
      case MemoryRequest.PerNode(long mib) -> amount(mib);
      case MemoryRequest.PerCpu(long mib) -> amount(mib);
      case MemoryRequest.PerGpu(long mib) -> amount(mib);
      case MemoryRequest.Default _ -> amount(0);
    };
  }

  private String amount(long mib) {
    if (mib == 0) {
      return "0";
    }
    return style.plainUnits() ? MemorySizeFormat.plain(mib) : MemorySizeFormat.format(mib);
  }

  private String path(String path, JobDetails row) {
    return style.expandPatterns() ? OutputPaths.expand(path, row) : path;
  }

  String time(@Nullable Instant moment) {
    return moment == null ? NOT_AVAILABLE : style.times().format(moment);
  }

  private static String exit(ExitStatus exit) {
    return exit.text();
  }

  private static String batchHost(@Nullable Allocation allocation) {
    return allocation == null ? "n/a" : allocation.batchHost();
  }

  private static String nodes(List<String> names) {
    return names.isEmpty() ? "" : HostList.compressInOrder(names);
  }

  private static String switchWait(ResourceRequest asked) {
    Duration wait = asked.reach().switchWait();
    return wait == null ? "0:00" : ElapsedTimeFormat.compact(wait.toSeconds());
  }

  private static String text(@Nullable String value) {
    return value == null ? NULL : value;
  }

  private static String orNull(String value) {
    return value.isEmpty() ? NULL : value;
  }

  private static String number(@Nullable Integer value, String absent) {
    return value == null ? absent : Integer.toString(value);
  }

  /** The priority with fourteen decimals. */
  static String fraction(long priority) {
    long units = Math.round(priority / PRIORITY_SCALE * PRIORITY_UNITS);
    long whole = units / 100_000_000_000_000L;
    String decimals = Long.toString(units % 100_000_000_000_000L);
    return whole + "." + "0".repeat(14 - decimals.length()) + decimals;
  }
}
