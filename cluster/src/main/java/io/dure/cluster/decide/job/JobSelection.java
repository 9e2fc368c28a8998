package io.dure.cluster.decide.job;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionBuilder;
import io.dure.model.ErrorCode;
import io.dure.model.TaskIndices;
import io.dure.model.command.Caller;
import io.dure.model.command.JobSelector;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.privacy.CallerSight;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the job records that a selector names. */
final class JobSelection {
  private JobSelection() {}

  /** What a selector names, or why it names nothing that the caller may touch. */
  record Found(List<Job> jobs, @Nullable ErrorCode refusal) {}

  /**
   * The records meant, all of which the caller may change. Waiting tasks that are named singly get
   * records of their own in the draft.
   */
  static Found find(DecisionBuilder draft, JobSelector selector, Caller.User caller) {
    return find(draft, selector, caller, ErrorCode.ACCESS_DENIED);
  }

  /** The same with the word for jobs of others, of which Slurm has two. */
  static Found find(
      DecisionBuilder draft, JobSelector selector, Caller.User caller, ErrorCode jobOfAnother) {
    TaskIndices tasks = selector.tasks();
    List<Job> jobs =
        tasks == null
            ? ofComponent(draft.state().records(selector.jobId()), selector.component())
            : tasks(draft.state(), selector.jobId(), tasks);
    if (jobs.isEmpty()) {
      return new Found(List.of(), ErrorCode.INVALID_JOB_ID);
    }
    CallerSight sight = CallerSight.of(draft.state().accounts(), draft.state().settings(), caller);
    for (Job job : jobs) {
      ErrorCode refusal = sight.refusal(job, jobOfAnother);
      if (refusal != null) {
        return new Found(List.of(), refusal);
      }
    }
    return new Found(tasks == null ? jobs : split(draft, jobs, tasks), null);
  }

  private static List<Job> ofComponent(List<Job> jobs, @Nullable Integer component) {
    return component == null
        ? jobs
        : jobs.stream().filter(j -> j.het() != null && j.het().offset() == component).toList();
  }

  private static List<Job> tasks(ClusterState state, int arrayJobId, TaskIndices tasks) {
    List<Job> jobs = new ArrayList<>();
    // The selector may name a billion tasks, so the array's own are walked, not the selector's.
    for (Job job : state.records(arrayJobId)) {
      boolean meant =
          job.baseId() == arrayJobId
              && switch (job.array()) {
                case ArrayPart.Task task -> tasks.contains(task.index());
                case ArrayPart.Waiting part ->
                    part.waiting().toList().stream().anyMatch(tasks::contains);
                case null -> false;
              };
      if (meant) {
        jobs.add(job);
      }
    }
    return jobs;
  }

  private static List<Job> split(DecisionBuilder draft, List<Job> found, TaskIndices tasks) {
    List<Job> jobs = new ArrayList<>();
    for (Job job : found) {
      if (!(job.array() instanceof ArrayPart.Waiting part)
          || !(job.state() instanceof JobState.Pending)) {
        jobs.add(job);
        continue;
      }
      if (part.waiting().toList().stream().allMatch(tasks::contains)) {
        jobs.add(job);
        continue;
      }
      jobs.addAll(splitTasks(draft, job.id(), part, tasks));
    }
    return jobs;
  }

  private static List<Job> splitTasks(
      DecisionBuilder draft, int arrayJobId, ArrayPart.Waiting part, TaskIndices tasks) {
    List<Job> jobs = new ArrayList<>();
    for (int index : part.waiting().toList()) {
      if (tasks.contains(index)) {
        jobs.add(TaskSplits.split(draft, arrayJobId, index));
      }
    }
    return jobs;
  }

  /** Of tasks that ended together, gives records of their own to those that a selector names. */
  static List<Job> splitEnded(DecisionBuilder draft, List<Job> found, @Nullable TaskIndices tasks) {
    List<Job> jobs = new ArrayList<>();
    for (Job job : found) {
      if (tasks != null
          && job.state() instanceof JobState.Ended
          && job.array() instanceof ArrayPart.Waiting part
          && !part.waiting().toList().stream().allMatch(tasks::contains)) {
        jobs.addAll(splitTasks(draft, job.id(), part, tasks));
      } else {
        jobs.add(job);
      }
    }
    return jobs;
  }
}
