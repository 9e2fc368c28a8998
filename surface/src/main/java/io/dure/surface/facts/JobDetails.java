package io.dure.surface.facts;

import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.gres.GresShare;
import io.dure.model.gres.License;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.protocol.JobInfo;
import io.dure.rules.JobReadiness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job at a moment, with what follows from its state. Immutable. */
public final class JobDetails {

  private final JobInfo info;
  private final Job job;
  private final Instant now;
  private final SlurmJobState base;
  private final @Nullable SlurmJobState flag;
  private final @Nullable Allocation allocation;
  private final @Nullable Instant start;
  private final @Nullable Instant end;
  private final @Nullable String onlyPartition;

  /** The job as it is at that time. */
  public JobDetails(JobInfo info, Instant now) {
    this(info, now, null);
  }

  /** The job as it is at that time, of the partitions asked for only this one. */
  public JobDetails(JobInfo info, Instant now, @Nullable String onlyPartition) {
    this.info = info;
    this.onlyPartition = onlyPartition;
    this.job = info.job();
    this.now = now;
    JobState state = job.state();
    this.base = SlurmJobState.base(state);
    this.flag = SlurmJobState.flag(state);
    this.allocation = allocation(state);
    switch (state) {
      case JobState.Pending pending -> {
        start = plannedStart(pending);
        end = start == null ? null : endAfter(start);
      }
      case JobState.Running running -> {
        start = running.start();
        // The end of a grace is shown as if it were that of the limit.
        end = running.latestEnd();
      }
      case JobState.Suspended(JobState.Running run, _, _, _) -> {
        start = run.start();
        end = run.end();
      }
      case JobState.Completing completing -> {
        start = completing.start();
        end = completing.end();
      }
      case JobState.Ended ended -> {
        // A job that was cancelled while it waited started and ended at once.
        start = ended.start() == null ? ended.end() : ended.start();
        end = ended.end();
      }
    }
  }

  private @Nullable Instant plannedStart(JobState.Pending pending) {
    if (info.expectedStart() != null) {
      return info.expectedStart();
    }
    Instant begin = job.spec().beginTime();
    if (begin != null && begin.isAfter(now)) {
      return begin;
    }
    Instant notBefore = pending.notBefore();
    return notBefore != null && notBefore.isAfter(now) ? notBefore : null;
  }

  /** When it could first have started, or may by its wish or by the time that it was put back. */
  public @Nullable Instant eligibleTime() {
    Instant begin = JobReadiness.notBefore(job);
    return job.eligibleTime() != null || begin.equals(Instant.MIN) ? job.eligibleTime() : begin;
  }

  private @Nullable Instant endAfter(Instant from) {
    Duration limit = limit();
    return limit == null ? null : from.plus(limit);
  }

  /** What the controller told. */
  public JobInfo info() {
    return info;
  }

  /** The record. */
  public Job job() {
    return job;
  }

  /** What was asked for. */
  public JobSpec spec() {
    return job.spec();
  }

  /** The time at which all this is true. */
  public Instant now() {
    return now;
  }

  /** What it is. */
  public SlurmJobState base() {
    return base;
  }

  /** What is said instead of that, or null. */
  public @Nullable SlurmJobState flag() {
    return flag;
  }

  /** The one state that listings print. */
  public SlurmJobState status() {
    return flag == null ? base : flag;
  }

  /** What it holds or held, null if it never ran. */
  public @Nullable Allocation allocation() {
    return allocation;
  }

  /** What a job in that state holds or held, null if it never ran. */
  public static @Nullable Allocation allocation(JobState state) {
    return state instanceof JobState.Ended ended ? ended.allocation() : state.allocated();
  }

  /** When it started, or is expected to; null where unknown. */
  public @Nullable Instant start() {
    return start;
  }

  /** When it ended, or will at the latest; null where unknown. */
  public @Nullable Instant end() {
    return end;
  }

  /** How long it may run, null for no bound. */
  public @Nullable Duration limit() {
    return job.spec().timeLimit() instanceof TimeLimit.Limited(Duration limit) ? limit : null;
  }

  /** How long it has run, seconds, pauses left out; 0 if it has not. */
  public long elapsedSeconds() {
    if (base == SlurmJobState.PENDING || start == null) {
      return 0;
    }
    Instant until = end;
    if (job.state() instanceof JobState.Suspended suspended) {
      until = suspended.since();
    } else if (base == SlurmJobState.RUNNING || end == null) {
      until = now;
    }
    JobState.SuspensionTotals pauses = pauses();
    long paused = pauses == null ? 0 : pauses.total().toSeconds();
    long since = until == null ? 0 : until.getEpochSecond() - start.getEpochSecond();
    return Math.max(0, since - paused);
  }

  private JobState.@Nullable SuspensionTotals pauses() {
    return switch (job.state()) {
      case JobState.Running running -> running.pauses();
      case JobState.Suspended(JobState.Running run, _, _, _) -> run.pauses();
      case JobState.Completing completing -> completing.pauses();
      case JobState.Ended ended -> ended.pauses();
      case JobState.Pending _ -> null;
    };
  }

  /** When it was last suspended or went on, null if it never was. */
  public @Nullable Instant suspendTime() {
    JobState.SuspensionTotals pauses = pauses();
    return job.state() instanceof JobState.Suspended suspended
        ? suspended.since()
        : pauses == null ? null : pauses.last();
  }

  /** How long it had run before it was last suspended, seconds; 0 if it never was. */
  public long secondsBeforeSuspension() {
    JobState.SuspensionTotals pauses = pauses();
    return job.state() instanceof JobState.Suspended
        ? elapsedSeconds()
        : pauses == null ? 0 : pauses.ran().toSeconds();
  }

  /** When it was told to make room for another job, or ended for one; null if it never was. */
  public @Nullable Instant preemptTime() {
    if (outcome() instanceof JobOutcome.Preempted) {
      return end;
    }
    return job.state() instanceof JobState.Running running && running.notice() != null
        ? running.notice().at()
        : null;
  }

  /** When it last lost a node, or gave one back; null if it never did. */
  public @Nullable Instant resizeTime() {
    return allocation == null ? null : allocation.resized();
  }

  /** The reservation that it runs in, or those that it may run in; null for none. */
  public @Nullable String reservation() {
    if (allocation != null && allocation.reservation() != null) {
      return allocation.reservation();
    }
    List<String> names = spec().reservations();
    return names.isEmpty() ? null : String.join(",", names);
  }

  /** The partitions asked for, or the one in which it runs, set apart by commas. */
  public String partition() {
    if (allocation != null) {
      return allocation.partition();
    }
    if (onlyPartition != null) {
      return onlyPartition;
    }
    List<String> names = job.spec().partitions();
    return names.size() == 1 ? names.get(0) : String.join(",", names);
  }

  /** Whether it shares or shared its cores with other jobs of its partition. */
  public boolean sharesCores() {
    return allocation != null && allocation.sharesCores();
  }

  /** The nodes it holds or held as a host list, empty if it never ran. */
  public String nodeList() {
    if (allocation == null) {
      return "";
    }
    return allocation.shares().size() == 1
        ? allocation.batchHost()
        : HostList.compressInOrder(allocation.nodes());
  }

  /** The licences that it holds or held, {@code matlab:2}; another text where it has none. */
  public String licenses(String none) {
    return allocation == null || allocation.licenses().isEmpty()
        ? none
        : License.text(allocation.licenses());
  }

  /** How many nodes it holds, held or needs at least. */
  public int nodeCount() {
    return allocation == null ? job.spec().resources().minNodes() : allocation.shares().size();
  }

  /** How many tasks it has, had or asks for: of a range of nodes each has some. */
  public int tasks() {
    ResourceRequest asked = job.spec().resources();
    if (allocation == null
        || asked.reach().breadth() != ResourceRequest.NodeCountPreference.NODES) {
      return asked.tasks();
    }
    int tasks = 0;
    for (NodeShare share : allocation.shares()) {
      tasks += share.tasks();
    }
    return tasks;
  }

  /** How many CPUs it holds, held or needs. */
  public int cpus() {
    return allocation == null ? job.spec().resources().neededCpus() : allocation.cpus();
  }

  /** The fewest CPUs that it needs on a node. */
  public int minCpus() {
    ResourceRequest asked = job.spec().resources();
    int tasksPerNode = asked.tasksPerNode() == null ? 1 : asked.tasksPerNode();
    return Math.max(asked.minCpusPerNode(), asked.cpusPerTask() * tasksPerNode);
  }

  /** Memory it holds, held or needs on all nodes, MiB; 0 where none was named. */
  public long memoryMib() {
    return allocation == null ? askedMemoryMib() : allocation.memoryMib();
  }

  /** Memory that it asks for, on all nodes, MiB; 0 where it says none. */
  public long askedMemoryMib() {
    return job.spec().resources().memoryMib();
  }

  /** What it holds, held or needs as {@code cpu=4,mem=1G,node=1,billing=4}. */
  public String tres() {
    return allocation == null
        ? requestedTres()
        : TresFormat.ofJob(cpus(), memoryMib(), nodeCount(), allocation.billed())
            + heldGres(allocation)
            + GresFormat.ofLicenses(info.trackedTres(), allocation.licenses());
  }

  /** What it asked for, in the same form. */
  public String requestedTres() {
    int cpus = job.spec().resources().neededCpus();
    Long billing = info.askedBilling();
    return TresFormat.ofJob(
            cpus,
            askedMemoryMib(),
            job.spec().resources().minNodes(),
            billing == null ? cpus : billing)
        + GresFormat.tres(info.trackedTres(), job.spec().resources().totalGres())
        + GresFormat.ofLicenses(info.trackedTres(), askedLicenses());
  }

  /** The licences that it asks for, none where any of several will do. */
  public List<License> askedLicenses() {
    LicenseRequest asked = job.spec().resources().more().licenses();
    return asked == null ? List.of() : asked.only();
  }

  private String heldGres(Allocation held) {
    List<GresShare> shares = new ArrayList<>();
    held.shares().forEach(share -> shares.addAll(share.gres()));
    return GresFormat.tres(info.trackedTres(), GresFormat.counts(shares));
  }

  /** How it ended, null before that. */
  public @Nullable JobOutcome outcome() {
    return switch (job.state()) {
      case JobState.Pending _, JobState.Running _, JobState.Suspended _ -> null;
      case JobState.Completing completing -> completing.outcome();
      case JobState.Ended ended -> ended.outcome();
    };
  }

  /** Its exit status; {@code 0:0} before its end. */
  public ExitStatus exit() {
    JobOutcome outcome = outcome();
    return outcome == null ? ExitStatus.OK : outcome.exit();
  }

  /** Whether the user gave the option of that long name. */
  public boolean asked(String option) {
    return job.spec().asked().contains(option);
  }
}
