package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobId;
import io.dure.model.job.JobState;
import io.dure.model.request.Dependency;
import io.dure.rules.dependency.DependencyResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Records of their own for tasks of an array. */
final class TaskSplits {
  private TaskSplits() {}

  /** Gives a waiting task a record of its own; the last one takes over the array's. */
  static Job split(DecisionBuilder draft, int arrayJobId, int index) {
    Job waiting = draft.state().job(arrayJobId);
    if (waiting == null || !(waiting.array() instanceof ArrayPart.Waiting part)) {
      throw new IllegalStateException("no waiting tasks: " + arrayJobId);
    }
    int id = part.waiting().size() == 1 ? arrayJobId : draft.state().nextJobId();
    if (id > JobId.MAX_LOCAL) {
      throw new IllegalStateException(
          "task "
              + index
              + " of job "
              + arrayJobId
              + " gets no id: all up to "
              + JobId.MAX_LOCAL
              + " are taken");
    }
    draft.emit(new Event.ArrayTaskSplit(arrayJobId, index, id));
    Job pending = draft.state().pending().get(id);
    if (pending != null) {
      ownConditions(draft, pending);
    }
    return Objects.requireNonNull(draft.state().job(id));
  }

  /** A task that got a record of its own has conditions of its own from then on. */
  private static void ownConditions(DecisionBuilder draft, Job task) {
    List<Dependency> own = DependencyResolver.ofTasks(task);
    if (own.isEmpty() || !(task.state() instanceof JobState.Pending pending)) {
      return;
    }
    DependencyResolver.Resolved resolved =
        DependencyResolver.resolve(
            DependencyResolver.DependencyContext.of(draft.state()),
            own,
            false,
            DependencyResolver.DependentJob.of(task),
            draft.now());
    List<Dependency> all = new ArrayList<>(pending.waitingFor());
    resolved.waitingFor().stream().filter(c -> !all.contains(c)).forEach(all::add);
    boolean failed = resolved.failed() || pending.dependencyFailed();
    if (!all.equals(pending.waitingFor()) || failed != pending.dependencyFailed()) {
      draft.emit(new Event.DependencyChanged(task.id(), List.copyOf(all), failed));
    }
  }
}
