package io.dure.virtual;

import io.dure.model.ExitStatus;
import io.dure.model.command.Placement;
import io.dure.model.command.Preemption;
import io.dure.model.config.PartitionConfig;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunHistory;
import io.dure.model.history.RunResources;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.rules.JobReadiness;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import io.dure.rules.RunEndTime;
import io.dure.rules.SchedulerNode;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.rules.preemption.PreemptionActions;
import io.dure.rules.preemption.PreemptionEligibility;
import io.dure.rules.preemption.ResumeRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the jobs of a virtual cluster: they come, wait, start, make room, stop, go on,
 * end and return, by the rules of the controller. One thread.
 */
final class JobLifecycle implements PendingQueue {
  private final VirtualClusterOptions options;
  private final VirtualClusterObserver observer;
  private final SchedulingHooks orders;
  private final RunEndQueue ends;
  private final DependencyTracker dependencies;
  private final WakeupSchedule wakeups;
  private VirtualClusterView view;

  /** The jobs of a view as it is then. */
  JobLifecycle(
      VirtualClusterView from,
      Instant now,
      VirtualClusterOptions options,
      VirtualClusterPorts ports) {
    this.options = options;
    observer = ports.observer();
    orders = ports.orders();
    view = from;
    ends = new RunEndQueue(options.lifetimes());
    dependencies = new DependencyTracker(view, options.arrivals()::mayName);
    wakeups = new WakeupSchedule();
    PreemptionEligibility rules = exemptions();
    for (Job job : view.active().values()) {
      ends.take(view, job, PlannerTime.second(now));
      if (job.state() instanceof JobState.Suspended still) {
        wakeups.wake(ResumeRules.patientUntil(still), now);
      }
      wakePreemptible(rules, job, now);
    }
    for (Job job : view.pending().values()) {
      note(job, now);
    }
  }

  /** The same jobs going on in another cluster. */
  JobLifecycle(
      JobLifecycle before,
      VirtualClusterView from,
      VirtualClusterOptions options,
      VirtualClusterPorts ports) {
    this.options = options;
    observer = ports.observer();
    orders = ports.orders();
    view = from;
    ends = new RunEndQueue(before.ends, options.lifetimes());
    dependencies = new DependencyTracker(before.dependencies, from, options.arrivals()::mayName);
    wakeups = new WakeupSchedule(before.wakeups);
  }

  @Override
  public VirtualClusterView view() {
    return view;
  }

  WakeupSchedule wakeups() {
    return wakeups;
  }

  RunEndQueue ends() {
    return ends;
  }

  DependencyTracker dependencies() {
    return dependencies;
  }

  /** The cluster is that one now, in which no job is otherwise. */
  void become(VirtualClusterView next) {
    view = next;
  }

  private boolean isCounted() {
    return options.fidelity() != VirtualClusterOptions.Fidelity.ONE_PASS;
  }

  /** What waits is counted where that is known, and told. */
  @SuppressWarnings("ReferenceEquality") // a book that was not written in is the same object
  private void changed(@Nullable Job before, @Nullable Job after) {
    if (isCounted()) {
      RunHistory counted = view.runs().changed(before, after);
      view = counted == view.runs() ? view : view.withRuns(counted);
    }
    observer.changed(before, after);
  }

  // Coming and waiting.

  /** A job comes. */
  void arrive(Job job, Instant now) {
    if (job.array() instanceof ArrayPart.Task task) {
      view = view.joins(task.arrayJobId(), task.index(), job.id());
    }
    queue(job, now);
  }

  private void queue(Job job, Instant now) {
    note(job, now);
    update(job);
  }

  /** A job that waits is known, with all that it waits for. */
  private void note(Job job, Instant from) {
    dependencies.know(job);
    wakeups.note(job, from);
    wakeups.wake(JobReadiness.switchesUntil(job, view.settings()), from);
  }

  @Override
  public void update(Job job) {
    changed(view.pending().get(job.id()), job);
    view = view.queue(job);
  }

  /** Jobs whose time has come grow older from now on. */
  void beginDue(Instant now) {
    for (int id : wakeups.begun(PlannerTime.second(now))) {
      Job job = view.pending().get(id);
      if (job != null
          && job.eligibleTime() == null
          && JobReadiness.blockingVerdict(job, now) == null) {
        update(job.withEligibleTime(now));
      }
    }
  }

  /** Jobs go that would miss their deadlines. */
  void dropLate(Instant now) {
    for (int id : wakeups.late(PlannerTime.second(now))) {
      Job job = view.pending().get(id);
      if (job != null) {
        drop(job, new JobOutcome.DeadlineMissed(ExitStatus.OK), now);
      }
    }
  }

  @Override
  public void drop(Job job, JobOutcome outcome, Instant now) {
    int first = job.het() == null ? job.id() : job.het().leader();
    int last = job.het() == null ? job.id() : job.het().last();
    for (int id = first; id <= last; id++) {
      Job one = view.pending().get(id);
      if (one != null) {
        changed(one, null);
        view = view.withdraw(id);
        dependencies.ended(one, null, now, outcome);
        observer.dropped(one, outcome, now);
      }
    }
  }

  // Running.

  /** What the scheduler proposes happens: the job as it runs, null if it does not wait any more. */
  @Nullable Job start(Placement placement, Instant now, IntSupplier ids) {
    Job waiting = view.pending().get(placement.jobId());
    if (waiting == null) {
      return null;
    }
    if (isCounted()) {
      // As in the cluster, what starts has waited when it starts.
      view = view.withRuns(view.runs().started(now));
    }
    VirtualClusterView.StartedJob start = view.start(placement, now, ids.getAsInt());
    Job rest = start.view().pending().get(waiting.id());
    Job job = start.job();
    view = start.view();
    changed(waiting, rest == null ? job : rest);
    if (rest != null) {
      observer.changed(null, job);
    }
    ends.take(view, job, PlannerTime.second(now));
    dependencies.started(job);
    observer.started(job, placement, now);
    return job;
  }

  /** Runs take as long from now on as lifetimes say now. */
  void retime(Instant now) {
    for (Job job : view.active().values()) {
      ends.take(view, job, PlannerTime.second(now));
    }
  }

  /** When jobs may have to make room, the scheduler is asked. */
  void wakePreemptible(@Nullable PreemptionEligibility rules, Job job, Instant from) {
    JobState.Running run = job.state().runningOrSuspended();
    if (rules != null && run != null) {
      wakeups.wake(rules.eligible(job, run.start()), from);
    }
  }

  /** Says from when on jobs may have to make room; null where none ever has to. */
  @Nullable PreemptionEligibility exemptions() {
    return PreemptionEligibility.of(view, (job, _) -> job.priority());
  }

  /** A run is over since then; what it held is free now. */
  void over(RunEndQueue.QueuedEnd end, Instant now) {
    Job job = view.active().get(end.job());
    if (job == null) {
      return;
    }
    Instant ended = Instant.ofEpochSecond(end.second());
    PostRunAction afterwards = RunEndHandler.afterwards(job, ended, end.own());
    JobOutcome outcome = RunEndHandler.of(job, afterwards, ended, end.own());
    free(job, now);
    if (afterwards != null && afterwards != PostRunAction.END) {
      requeue(job, outcome, now);
      return;
    }
    end(job, outcome, now);
    if (job.het() != null && job.het().leads()) {
      for (Job component : together(job)) {
        free(component, now);
        end(component, outcome, now);
      }
    }
  }

  /** What runs of the heterogeneous job that a job belongs to, or the job alone. */
  private List<Job> together(Job job) {
    if (job.het() == null) {
      return List.of(job);
    }
    List<Job> all = new ArrayList<>();
    for (int id = job.het().leader(); id <= job.het().last(); id++) {
      Job one = view.active().get(id);
      if (one != null) {
        all.add(one);
      }
    }
    return all;
  }

  private void free(Job job, Instant at) {
    ends.forget(job.id());
    changed(job, null);
    view = view.end(job.id(), at);
  }

  private void end(Job job, JobOutcome outcome, Instant at) {
    JobState.Running run = job.state().runningOrSuspended();
    boolean telling =
        outcome instanceof JobOutcome.Completed || outcome instanceof JobOutcome.TimedOut;
    if (telling && run != null && isCounted()) {
      learn(job, run, at);
    }
    Instant start = job.state() instanceof JobState.Completing over ? over.start() : null;
    dependencies.ended(job, run == null ? start : run.start(), at, outcome);
    if (run != null) {
      observer.ended(new VirtualClusterObserver.Ended(job, run, at, outcome, false));
    }
  }

  /** How long it ran tells of the jobs like it. */
  private void learn(Job job, JobState.Running run, Instant at) {
    PartitionConfig partition = view.partition(run.allocation().partition());
    if (partition != null) {
      long limit = PlannerTime.seconds(PartitionRules.runTime(partition, job.spec()));
      SimilarRunKey kind = SimilarRunKey.of(job.spec(), limit);
      Instant until = job.state() instanceof JobState.Suspended stood ? stood.since() : at;
      RecordedRun ran = new RecordedRun(PlannerTime.seconds(run.elapsed(until)), limit);
      RunResources used = RunResources.of(job.spec().resources(), run.allocation());
      view = view.withRuns(view.runs().ended(job.owner().uid(), kind, used, ran));
    }
  }

  private void requeue(Job job, JobOutcome outcome, Instant at) {
    Instant from = at.plus(view.settings().scheduling().requeueDelay());
    Hold hold = RunEndHandler.hold(job, outcome, view.settings().jobs().maxBatchRequeue());
    JobState waits =
        new JobState.Pending(
            hold, from, DependencyResolver.dependenciesAfterRequeue(job), false, true);
    Job again = job.with().state(waits).eligibleTime(null).restarts(job.restarts() + 1).build();
    Job back = orders.returning(again, at);
    JobState.Running run = job.state().runningOrSuspended();
    if (run != null) {
      observer.ended(new VirtualClusterObserver.Ended(job, run, at, outcome, true));
    }
    dependencies.returned(back);
    queue(back, at);
  }

  // Making room.

  /** Jobs make room, now or soon; whether any does. */
  boolean makeRoom(List<Preemption> preemptions, PreemptionEligibility rules, Instant at) {
    boolean some = false;
    for (Preemption one : preemptions) {
      for (PreemptionActions.VictimAction fate : PreemptionActions.of(view, rules, one, at)) {
        some = true;
        observer.preempted(fate.victim());
        switch (fate) {
          case PreemptionActions.VictimAction.Suspends(Job victim, JobState.Running run) ->
              suspend(victim, run, one.jobId(), at);
          case PreemptionActions.VictimAction.Ends(Job victim, PostRunAction afterwards) -> {
            JobOutcome preempted = new JobOutcome.Preempted(ExitStatus.OK);
            free(victim, at);
            if (afterwards == PostRunAction.END) {
              end(victim, preempted, at);
            } else {
              requeue(victim, preempted, at);
            }
          }
          case PreemptionActions.VictimAction.IsTold(
                  Job victim,
                  JobState.Running run,
                  JobState.PreemptionNotice notice) -> {
            change(victim, victim.withState(run.withNotice(notice)));
            ends.atLatest(victim.id(), PlannerTime.second(notice.killAt()));
          }
        }
      }
    }
    return some;
  }

  private void change(Job before, Job after) {
    changed(before, after);
    view = view.change(after);
  }

  private void suspend(Job victim, JobState.Running run, int forJob, Instant at) {
    ends.pause(victim.id(), PlannerTime.second(at));
    JobState.Suspended still =
        new JobState.Suspended(run, at, JobState.Suspended.Cause.PREEMPTION, forJob);
    wakeups.wake(ResumeRules.patientUntil(still), at);
    Job stands = victim.withState(still);
    changed(victim, stands);
    view = view.suspend(stands, run.allocation(), at);
    observer.suspended(stands, at);
  }

  /** Lets those jobs go on whose cores no other job has any more. */
  void resume(Instant at) {
    for (int id : ends.paused()) {
      Job job = view.active().get(id);
      if (job != null
          && job.state() instanceof JobState.Suspended stood
          && ResumeRules.isDue(view, stood, at)) {
        resume(job, stood, at);
      }
    }
  }

  private void resume(Job job, JobState.Suspended stood, Instant at) {
    Instant limit = ResumeRules.end(view, job.spec(), stood, at);
    JobState.Running run =
        stood
            .run()
            .afterPause(
                stood.pausesUntil(at).inVain(ResumeRules.absentPreemptor(view, stood, at)), limit);
    Job running = job.withState(run);
    changed(job, running);
    view = view.resume(running, run.allocation(), at);
    Duration grace = RunEndTime.grace(view, run.allocation().partition());
    Instant killed = limit == null || grace == null ? null : limit.plus(grace);
    Instant latest = RunEndTime.earlier(killed, job.spec().deadline());
    ends.resume(job.id(), PlannerTime.second(at), PlannerTime.second(latest));
    observer.resumed(running, stood, at);
  }

  // Nodes.

  /** A node is lost, and with it the jobs that run there. */
  void fail(int node, Instant at) {
    SchedulerNode lost = view.nodes().require(node);
    for (int id : lost.shares().keys()) {
      Job job = view.active().get(id);
      if (job == null) {
        continue;
      }
      List<Job> all = together(job);
      all.forEach(one -> free(one, at));
      for (Job one : all) {
        lose(one, lost.config().name(), at);
      }
    }
  }

  private void lose(Job job, String node, Instant at) {
    JobOutcome failed = new JobOutcome.NodeFailed(new ExitStatus(1, 0), node);
    if (job.spec().requeue().allows(view.settings().jobs().requeue())) {
      requeue(job, failed, at);
    } else {
      end(job, failed, at);
    }
  }
}
