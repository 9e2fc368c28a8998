package io.dure.model.request;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for, as changed by later updates.
 *
 * @param name job name
 * @param partitions partitions in the order given; empty for the default partition (never empty in
 *     a job that the controller accepted)
 * @param account account to charge, null where none
 * @param qos quality of service, null where none
 * @param comment free text, null where none
 * @param resources shape of the allocation
 * @param timeLimit longest run
 * @param timeMin least time the user would accept, null where not asked
 * @param beginTime not before, null for at once
 * @param deadline the job must have ended by then, null for none
 * @param dependency conditions on other jobs
 * @param arrayTasks array indices and throttle, null where not an array
 * @param signal signal before the limit, null for none
 * @param requeue whether a node failure puts it back
 * @param priority priority the user set, null for the scheduler's own
 * @param nice subtracted from the priority
 * @param killOnInvalidDependency cancel when a dependency can never hold; null for the
 *     configuration's choice
 * @param mailType events to mail about as typed, null for none
 * @param mailUser whom to mail, null for the owner
 * @param asked long names of the options that the user gave, sorted: some environment variables
 *     exist only if asked for
 * @param siteFactor added to the priority by an operator
 * @param reservations names of the reservations that it may run in, empty for none
 * @param wckey workload key that accounting sums by, null where none
 * @param adminComment free text of an operator, null where none
 * @param survivesNodes whether it goes on when it loses a node, but not that of its script
 */
@RecordBuilder
public record JobSpec(
    String name,
    List<String> partitions,
    @Nullable String account,
    @Nullable String qos,
    @Nullable String comment,
    ResourceRequest resources,
    TimeLimit timeLimit,
    @Nullable Duration timeMin,
    @Nullable Instant beginTime,
    @Nullable Instant deadline,
    DependencyList dependency,
    @Nullable ArrayRequest arrayTasks,
    @Nullable SignalRequest signal,
    RequeuePolicy requeue,
    @Nullable Long priority,
    long nice,
    @Nullable Boolean killOnInvalidDependency,
    @Nullable String mailType,
    @Nullable String mailUser,
    List<String> asked,
    long siteFactor,
    List<String> reservations,
    @Nullable String wckey,
    @Nullable String adminComment,
    boolean survivesNodes)
    implements JobSpecBuilder.With {

  /** A request that says no more than that. */
  public static JobSpec of(
      String name, List<String> partitions, ResourceRequest resources, TimeLimit timeLimit) {
    return new JobSpec(
        name,
        partitions,
        null,
        null,
        null,
        resources,
        timeLimit,
        null,
        null,
        null,
        DependencyList.NONE,
        null,
        null,
        RequeuePolicy.DEFAULT,
        null,
        0,
        null,
        null,
        null,
        List.of(),
        0,
        List.of(),
        null,
        null,
        false);
  }

  /** The same that waits for no job and no time. */
  public JobSpec unconditional() {
    return with().beginTime(null).dependency(DependencyList.NONE).build();
  }

  /** What matters of it to others: no words, and no conditions. */
  public JobSpec plain() {
    return with()
        .comment(null)
        .beginTime(null)
        .deadline(null)
        .dependency(DependencyList.NONE)
        .signal(null)
        .killOnInvalidDependency(null)
        .mailType(null)
        .mailUser(null)
        .asked(List.of())
        .reservations(List.of())
        .wckey(null)
        .build();
  }
}
