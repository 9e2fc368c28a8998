package io.dure.model.command;

import io.dure.model.gres.GresRequest;
import io.dure.model.request.DependencyList;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.TimeLimit;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code scontrol update job} changes; null components stay as they are.
 *
 * @param name job name
 * @param partitions partitions to run in
 * @param account account; empty for none
 * @param qos quality of service; empty for none
 * @param comment free text; empty for none
 * @param timeLimit new limit
 * @param timeLimitDelta minutes to add to the limit, negative to take away
 * @param beginTime not before; the past for at once
 * @param deadline must have ended by then
 * @param dependency conditions on other jobs; empty list for none
 * @param priority fixed priority; 0 holds
 * @param nice subtracted from the priority
 * @param requeue whether a node failure puts it back
 * @param arrayThrottle most tasks at a time, 0 for no bound
 * @param shape the resources asked for
 * @param output paths
 * @param endTime when a running job ends at the latest
 * @param mailType events to mail about; empty for none
 * @param mailUser whom to mail; empty for the owner
 * @param siteFactor what is added to the priority
 * @param reservations reservations to run in; empty list for none
 * @param wckey workload key; empty for none
 * @param adminComment an operator's text; empty for none
 * @param timeMin least time limit that would do; zero for none
 * @param resetAge whether the age that counts in the priority begins anew
 * @param reboot whether its nodes are booted before it starts
 */
@RecordBuilder
public record JobChange(
    @Nullable String name,
    @Nullable List<String> partitions,
    @Nullable String account,
    @Nullable String qos,
    @Nullable String comment,
    @Nullable TimeLimit timeLimit,
    @Nullable Long timeLimitDelta,
    @Nullable Instant beginTime,
    @Nullable Instant deadline,
    @Nullable DependencyList dependency,
    @Nullable Long priority,
    @Nullable Long nice,
    @Nullable RequeuePolicy requeue,
    @Nullable Integer arrayThrottle,
    JobChange.ResourceChange shape,
    JobChange.OutputChange output,
    @Nullable Instant endTime,
    @Nullable String mailType,
    @Nullable String mailUser,
    @Nullable Long siteFactor,
    @Nullable List<String> reservations,
    @Nullable String wckey,
    @Nullable String adminComment,
    @Nullable Duration timeMin,
    boolean resetAge,
    @Nullable Boolean reboot)
    implements JobChangeBuilder.With {

  /** Nothing changes. */
  public static final JobChange NONE =
      JobChangeBuilder.builder().shape(ResourceChange.NONE).output(OutputChange.NONE).build();

  /** Whether nothing but comments change. */
  public boolean isOnlyComment() {
    return equals(NONE.withComment(comment).withAdminComment(adminComment));
  }

  /**
   * Changes to the resources asked for; null components stay as they are.
   *
   * @param cpus CPUs in all, by which the number of tasks follows from the CPUs of each
   * @param gres generic resources; an empty request for none
   * @param licenses licences; empty for none
   * @param reach switches and preferred features; its other components stay as they are
   * @param shape sockets, cores and threads of a node
   * @param kept what is kept and shown
   */
  @RecordBuilder
  public record ResourceChange(
      @Nullable Integer minNodes,
      @Nullable Integer maxNodes,
      @Nullable Integer tasks,
      @Nullable Integer cpusPerTask,
      @Nullable Integer tasksPerNode,
      @Nullable Integer minCpusPerNode,
      @Nullable MemoryRequest memory,
      @Nullable Long tmpDiskMib,
      @Nullable OversubscribeMode sharing,
      @Nullable List<String> requiredNodes,
      @Nullable List<String> excludedNodes,
      @Nullable String features,
      @Nullable Boolean contiguous,
      @Nullable Integer cpus,
      @Nullable GresRequest gres,
      @Nullable String licenses,
      @Nullable Reach reach,
      @Nullable NodeShape shape,
      @Nullable KeptOptions kept)
      implements JobChangeResourceChangeBuilder.With {
    /** Nothing changes. */
    public static final ResourceChange NONE = JobChangeResourceChangeBuilder.builder().build();
  }

  /**
   * Changes to which nodes of many are asked for; null components stay as they are.
   *
   * @param prefer features that are tried first; empty for none
   * @param switches most leaf switches; 0 for any number
   * @param switchWait how long to wait for so few; null with switches for as long as the cluster
   *     lets jobs wait
   */
  public record Reach(
      @Nullable String prefer, @Nullable Integer switches, @Nullable Duration switchWait) {}

  /** Changes to the least shape of a node; null components stay as they are. */
  public record NodeShape(
      @Nullable Integer sockets, @Nullable Integer cores, @Nullable Integer threads) {}

  /** Changes to paths, of which the working directory is absolute; null components stay. */
  @RecordBuilder
  public record OutputChange(
      @Nullable String standardInput,
      @Nullable String standardOutput,
      @Nullable String standardError,
      @Nullable String workDirectory)
      implements JobChangeOutputChangeBuilder.With {
    /** Nothing changes. */
    public static final OutputChange NONE = new OutputChange(null, null, null, null);
  }
}
