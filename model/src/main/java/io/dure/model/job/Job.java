package io.dure.model.job;

import io.dure.model.UserIdentity;
import io.dure.model.cron.CronEntry;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.Step;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job record: a job, an array task, or the tasks of an array that have not started.
 *
 * @param id job id, at least 1
 * @param array place in an array, null for none
 * @param owner whom it runs as
 * @param spec what was asked for
 * @param workload what it runs
 * @param submitTime when it was accepted first
 * @param eligibleTime when it could first have started, null if it could not yet
 * @param priority its place in the queue, larger first; 0 when held
 * @param restarts how often it was put back into the queue
 * @param run number of its runs so far; a message of an earlier run changes nothing
 * @param state where it is in its life
 * @param het place in a heterogeneous job, null for none
 * @param launched the numbered steps of its run, null if there were none
 * @param cron the entry of a crontab by whose times it comes again, null for none
 * @param requeuedAt when it was last put back into the queue, null if it was not
 */
@RecordBuilder
public record Job(
    int id,
    @Nullable ArrayPart array,
    UserIdentity owner,
    JobSpec spec,
    Workload workload,
    Instant submitTime,
    @Nullable Instant eligibleTime,
    long priority,
    int restarts,
    int run,
    JobState state,
    @Nullable HetComponent het,
    @Nullable RunSteps launched,
    @Nullable CronEntry cron,
    @Nullable Instant requeuedAt)
    implements JobBuilder.With {

  /** A job that has launched no step, and is in no crontab. */
  public Job(
      int id,
      @Nullable ArrayPart array,
      UserIdentity owner,
      JobSpec spec,
      Workload workload,
      Instant submitTime,
      @Nullable Instant eligibleTime,
      long priority,
      int restarts,
      int run,
      JobState state,
      @Nullable HetComponent het) {
    this(
        id,
        array,
        owner,
        spec,
        workload,
        submitTime,
        eligibleTime,
        priority,
        restarts,
        run,
        state,
        het,
        null,
        null,
        null);
  }

  /** The same job asking for something else. */
  public Job withSpec(JobSpec next, long nextPriority) {
    return with().spec(next).priority(nextPriority).build();
  }

  /** The same job with another place in its array. */
  public Job withArray(int nextId, @Nullable ArrayPart nextArray) {
    return with().id(nextId).array(nextArray).build();
  }

  /** Whether the passing of time has to look at it; most of a long queue it has not. */
  public boolean isTimeDependent() {
    return state instanceof JobState.Pending pending
        && (!pending.waitingFor().isEmpty()
            || pending.dependencyFailed()
            || spec.deadline() != null
            || eligibleTime == null && pending.hold() == Hold.NONE
            || spec.dependency().eachTaskDepends());
  }

  /** Since when this attempt at it is there: its submission, or its last return to the queue. */
  public Instant attemptTime() {
    return requeuedAt == null ? submitTime : requeuedAt;
  }

  /** When it comes again by its crontab's entry, null if it does not. */
  public @Nullable Instant nextTime(Instant after) {
    return cron == null ? null : cron.next(after);
  }

  /** A name that no other job of the cluster has and that sorts by the submission. */
  public String sluid() {
    return Sluid.of(submitTime, id);
  }

  /** Since when its age counts, null if it does not yet. */
  public @Nullable Instant accrueTime() {
    JobState.Accrual accrual = state instanceof JobState.Pending pending ? pending.accrual() : null;
    return switch (accrual) {
      case null -> eligibleTime;
      case JobState.Accrual.Waits _ -> null;
      case JobState.Accrual.Since(Instant at) -> at;
    };
  }

  /** Whether it is a component of a heterogeneous job that another one leads. */
  public boolean isHetFollower() {
    return het != null && !het.leads();
  }

  /** Whether it came with a batch script, as each component of such a job did. */
  public boolean isBatch() {
    return workload instanceof Workload.BatchSpec;
  }

  /** Whether a batch script of its own runs on its first node: not in most components. */
  public boolean runsScript() {
    return isBatch() && !isHetFollower();
  }

  /** The batch script of a job that runs one. */
  public Workload.BatchSpec batch() {
    if (workload instanceof Workload.BatchSpec script) {
      return script;
    }
    throw new IllegalStateException("job " + id + " has no batch script");
  }

  /** The numbered steps of its run. */
  public RunSteps runSteps() {
    return launched == null ? RunSteps.NONE : launched;
  }

  /**
   * The steps of a job that runs or is suspended: the one for logins and its batch step first,
   * where it has them, then those that {@code srun} began.
   */
  public List<Step> steps() {
    JobState.Running run = state.runningOrSuspended();
    if (run == null) {
      return List.of();
    }
    boolean suspended = state instanceof JobState.Suspended;
    List<Step> steps = new ArrayList<>();
    if (run.contained() && !run.configuring()) {
      List<String> nodes = run.allocation().nodes();
      Step.State stage = suspended ? Step.State.SUSPENDED : Step.State.RUNNING;
      steps.add(new Step(Step.EXTERN, nodes, nodes.size(), stage));
    }
    if (runsScript()) {
      Step.State stage =
          !run.launched()
              ? Step.State.STARTING
              : suspended ? Step.State.SUSPENDED : Step.State.RUNNING;
      steps.add(new Step(Step.BATCH, List.of(run.allocation().batchHost()), 1, stage));
    }
    for (LaunchedStep step : runSteps().live()) {
      steps.add(step.asStep(suspended));
    }
    return List.copyOf(steps);
  }

  /** Whether its batch script runs, or is to run, on the node. */
  public boolean hasScriptOn(String node) {
    JobState.Running run = state.runningOrSuspended();
    return run != null && runsScript() && run.allocation().batchHost().equals(node);
  }

  /** Id of the array, or of the leader of the heterogeneous job, it belongs to; or its own id. */
  public int baseId() {
    if (het != null) {
      return het.leader();
    }
    return array == null ? id : array.arrayJobId();
  }

  /** {@code 12}, {@code 12_3}, {@code 12_[4-9%2]} or {@code 12+1}. */
  public String displayId() {
    return switch (array) {
      case null -> het == null ? Integer.toString(id) : het.leader() + "+" + het.offset();
      case ArrayPart.Task task -> task.arrayJobId() + "_" + task.index();
      case ArrayPart.Waiting waiting ->
          waiting.arrayJobId()
              + "_["
              + waiting.waiting().text()
              + (waiting.throttle() == 0 ? "" : "%" + waiting.throttle())
              + "]";
    };
  }
}
