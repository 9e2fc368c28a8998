package io.dure.cluster;

import io.dure.cluster.derived.TimeSliceQueue;
import io.dure.model.TaskIndices;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.topology.NodePlaces;
import io.dure.model.cron.CronJob;
import io.dure.model.cron.Crontab;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import io.dure.model.request.ArrayRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What each event makes of the state. Replay and live operation both come through here. It cannot
 * fail on events that {@link Decider} made for the state; on others (a damaged journal) it throws
 * IllegalStateException naming event and state.
 */
public final class EventApplier {
  private EventApplier() {}

  /** The state after the event. */
  public static ClusterState apply(ClusterState state, Event event) {
    return state.edit(parts -> happened(parts, event));
  }

  /** The state after all the events. */
  public static ClusterState applyAll(ClusterState state, List<Event> events) {
    if (events.isEmpty()) {
      return state;
    }
    return state.edit(parts -> {
      for (Event event : events) {
        happened(parts, event);
      }
    });
  }

  private static void happened(ClusterState.StateBuilder parts, Event event) {
    parts.origin = parts.origin.next();
    apply(parts, event);
  }

  private static void apply(ClusterState.StateBuilder parts, Event event) {
    switch (event) {
      case Event.Configured e -> configured(parts, e);
      case Event.ControllerStarted e -> started(parts, e.at());
      case Event.TextStored e -> parts.texts = parts.texts.with(e.id(), e.text());
      case Event.JobSubmitted e -> submitted(parts, e);
      case Event.JobHeld e -> held(parts, e);
      case Event.JobReleased e -> released(parts, e);
      case Event.JobUpdated e -> updated(parts, e);
      case Event.JobOutputChanged e -> outputChanged(parts, e);
      case Event.ArrayThrottled e -> throttled(parts, e);
      case Event.ArrayTaskSplit e -> split(parts, e);
      case Event.DependencyChanged e -> dependency(parts, e);
      case Event.JobEligible e -> eligible(parts, e);
      case Event.JobStarted e -> RunEventApplier.started(parts, e);
      case Event.JobConfigured e -> RunEventApplier.configured(parts, e);
      case Event.JobLaunched e -> RunEventApplier.launched(parts, e);
      case Event.JobWarned e -> RunEventApplier.warned(parts, e);
      case Event.JobEnding e -> RunEventApplier.ending(parts, e);
      case Event.JobEpilogEnded e -> RunEventApplier.epilogEnded(parts, e);
      case Event.JobExitKnown e -> RunEventApplier.exitKnown(parts, e);
      case Event.RequeueRevoked e -> requeueRevoked(parts, e);
      case Event.NodeReleased e -> RunEventApplier.nodeReleased(parts, e);
      case Event.AllocationShrunk e -> RunEventApplier.shrunk(parts, e);
      case Event.JobFinished e -> finished(parts, e);
      case Event.JobRequeued e -> requeued(parts, e);
      case Event.JobDropped e -> dropped(parts, e);
      case Event.JobsPurged e -> purged(parts, e);
      case Event.NodeRegistered e -> registered(parts, e);
      case Event.NodeSilent e -> silent(parts, e);
      case Event.NodeConditionChanged e -> conditionChanged(parts, e);
      case Event.NodeDefined e -> defined(parts, e);
      case Event.NodeDeleted e -> deleted(parts, e);
      case Event.PartitionDefined e -> PartitionEventApplier.defined(parts, e.partition());
      case Event.PartitionDeleted e -> PartitionEventApplier.deleted(parts, e);
      case Event.ChangeAnswered e -> parts.answers = parts.answers.with(e.answer());
      case Event.AccountingChanged e -> AccountingEventApplier.changed(parts, e);
      case Event.AccountingReplaced e -> AccountingEventApplier.replaced(parts, e);
      case Event.UsageElsewhereChanged e -> AccountingEventApplier.usedElsewhere(parts, e);
      case Event.UsageReset e -> parts.usage = parts.usage.reset(e.at());
      case Event.ReservationDefined e -> reserved(parts, e);
      case Event.JobSuspended e -> RunEventApplier.suspended(parts, e);
      case Event.JobResumed e -> RunEventApplier.resumed(parts, e);
      case Event.JobNoticed e -> RunEventApplier.noticed(parts, e);
      case Event.ReservationDeleted e -> parts.reservations = parts.reservations.without(e.name());
      case Event.SliceTurned e -> turned(parts, e);
      case Event.StepCreated e -> RunEventApplier.stepCreated(parts, e);
      case Event.StepCancelled e -> RunEventApplier.stepCancelled(parts, e);
      case Event.StepLimitChanged e -> RunEventApplier.stepLimitChanged(parts, e);
      case Event.StepPartEnded e -> RunEventApplier.stepPartEnded(parts, e);
      case Event.StepExitKnown e -> RunEventApplier.stepExitKnown(parts, e);
      case Event.BatchStepEnded e -> RunEventApplier.batchStepEnded(parts, e);
      case Event.ForecastsMade e -> foretold(parts, e);
      case Event.CompletionsRecorded e -> recorded(parts, e);
      case Event.JobsCorrected e -> AccountingEventApplier.corrected(parts, e);
      case Event.TriggerChanged e -> parts.hooks = parts.hooks.with(e.trigger());
      case Event.TriggersCleared _, Event.TriggerFired _ -> triggers(parts, event);
      case Event.CrontabStored _, Event.CronJobDisabled _ -> crontabs(parts, event);
    }
  }

  private static void registered(ClusterState.StateBuilder parts, Event.NodeRegistered e) {
    parts.put(EventTargets.node(parts, e.node(), e).registered(e.facts(), e.at()));
  }

  private static void conditionChanged(
      ClusterState.StateBuilder parts, Event.NodeConditionChanged e) {
    parts.put(EventTargets.node(parts, e.node(), e).withCondition(e.condition()));
  }

  private static void turned(ClusterState.StateBuilder parts, Event.SliceTurned e) {
    parts.tally = parts.tally.turned(new TimeSliceQueue.Turn(e.partition(), e.at()));
  }

  private static void reserved(ClusterState.StateBuilder parts, Event.ReservationDefined e) {
    parts.reservations = parts.reservations.with(e.reservation());
  }

  private static void recorded(ClusterState.StateBuilder parts, Event.CompletionsRecorded e) {
    parts.hooks = parts.hooks.recorded(e.position(), e.fileLength());
  }

  private static void triggers(ClusterState.StateBuilder parts, Event event) {
    if (event instanceof Event.TriggersCleared cleared) {
      parts.hooks = parts.hooks.without(cleared.ids());
    } else if (event instanceof Event.TriggerFired fired) {
      parts.hooks = parts.hooks.fired(fired.id(), fired.at());
    }
  }

  private static void crontabs(ClusterState.StateBuilder parts, Event event) {
    if (event instanceof Event.CrontabStored stored) {
      crontab(parts, stored);
    } else if (event instanceof Event.CronJobDisabled disabled) {
      disabled(parts, disabled);
    }
  }

  /** Jobs of no entry any more do not come again; those that are new in it do. */
  private static void crontab(ClusterState.StateBuilder parts, Event.CrontabStored e) {
    Crontab next = e.crontab();
    int uid = next.owner().uid();
    Crontab before = parts.crontabs.of(uid);
    List<CronJob> old = before == null ? List.of() : before.jobs();
    for (CronJob one : old) {
      Job job = parts.job(one.jobId());
      if (job != null
          && job.owner().uid() == uid
          && one.entry().equals(job.cron())
          && next.job(one.jobId()) == null) {
        parts.put(job.withCron(null));
      }
    }
    for (CronJob one : next.jobs()) {
      boolean known = before != null && before.job(one.jobId()) != null;
      if (known && parts.job(one.jobId()) == null) {
        continue;
      }
      // By the job, not by the crontab before: an id that it still has may be another job's by now.
      Job job = EventTargets.job(parts, one.jobId(), e);
      if (!one.entry().equals(job.cron())) {
        parts.put(job.withCron(one.entry()));
      }
    }
    parts.crontabs = parts.crontabs.with(next);
  }

  private static void disabled(ClusterState.StateBuilder parts, Event.CronJobDisabled e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    Crontab crontab = parts.crontabs.of(job.owner().uid());
    CronJob entry = crontab == null ? null : crontab.job(job.id());
    if (crontab != null && entry != null) {
      parts.crontabs = parts.crontabs.with(crontab.without(entry));
    }
    parts.put(job.withCron(null));
  }

  private static void foretold(ClusterState.StateBuilder parts, Event.ForecastsMade e) {
    parts.tally =
        parts.tally.withForecasts(parts.tally.forecasts().told(parts::job, e.forecasts()));
  }

  private static void fresh(ClusterState.StateBuilder parts, int id, Event event) {
    if (parts.isTaken(id)) {
      throw new IllegalStateException("job id given twice: " + event);
    }
  }

  private static void configured(ClusterState.StateBuilder parts, Event.Configured e) {
    List<NodeRecord> nodes = new ArrayList<>();
    for (NodeConfig config : e.config().nodes()) {
      NodeRecord known = parts.node(config.name());
      nodes.add(
          known == null
              ? NodeRecord.fresh(
                  config, initialCondition(config, e.config().settings(), e.at()), e.at(), false)
              : known.configured(config.keeping(known.config())));
    }
    for (NodeRecord known : parts.nodes().values()) {
      if (known.dynamic() && e.config().node(known.name()) == null) {
        nodes.add(known);
      }
    }
    AccountingEventApplier.configured(parts, e);
    parts.origin = parts.origin.configured(e.at());
    parts.config = e.config();
    parts.partitions = e.config().partitions();
    parts.replaceNodes(nodes);
    placed(parts);
    parts.nextJobId = Math.max(parts.nextJobId, (int) e.config().settings().jobs().firstJobId());
  }

  /** Nodes may say themselves where they are in the networks. */
  static void placed(ClusterState.StateBuilder parts) {
    Map<String, String> places = new LinkedHashMap<>();
    for (NodeRecord node : parts.nodes().values()) {
      if (!node.config().topology().isEmpty()) {
        places.put(node.name(), node.config().topology());
      }
    }
    ClusterConfig config = parts.config;
    parts.networks = new NodePlaces.Networks(config.topology(), config.topologies()).with(places);
  }

  private static NodeCondition initialCondition(
      NodeConfig config, ClusterSettings settings, Instant at) {
    String reason = config.reason().isEmpty() ? null : config.reason();
    return switch (config.state()) {
      case DOWN -> new NodeCondition(true, false, false, reason, 0, at);
      case DRAIN -> new NodeCondition(false, true, false, reason, 0, at);
      case FAIL, FAILING -> new NodeCondition(false, false, true, reason, 0, at);
      case CLOUD ->
          settings.power().isEnabled()
              ? NodeCondition.GOOD.withAway(new NodeLife.PoweredDown(null))
              : NodeCondition.GOOD;
      case UNKNOWN, IDLE, FUTURE, EXTERNAL -> NodeCondition.GOOD;
    };
  }

  private static void started(ClusterState.StateBuilder parts, Instant at) {
    for (NodeRecord node : parts.nodes().values()) {
      // Even those that were silent before: their daemons had no controller to call.
      parts.put(node.withSilentSince(at));
    }
  }

  private static void silent(ClusterState.StateBuilder parts, Event.NodeSilent e) {
    NodeRecord node = EventTargets.node(parts, e.node(), e);
    if (!node.responding()) {
      throw new IllegalStateException("silent already: " + e);
    }
    parts.put(node.withSilentSince(e.since()));
  }

  private static void submitted(ClusterState.StateBuilder parts, Event.JobSubmitted e) {
    fresh(parts, e.jobId(), e);
    parts.give(e.jobId());
    JobState state = new JobState.Pending(e.hold(), null, e.waitingFor(), false, false);
    parts.put(
        new Job(
            e.jobId(),
            arrayOf(parts, e),
            e.owner(),
            e.spec(),
            e.workload(),
            e.at(),
            null,
            e.priority(),
            0,
            parts.firstRun,
            state,
            e.het()));
    if (e.requestId() != null) {
      parts.requests =
          parts.requests.with(
              new SubmissionIndex.Submission(e.requestId(), e.owner().uid(), e.jobId()));
    }
  }

  private static @Nullable ArrayPart arrayOf(
      ClusterState.StateBuilder parts, Event.JobSubmitted e) {
    ArrayRequest asked = e.spec().arrayTasks();
    try {
      return asked == null
          ? null
          : ArrayPart.Waiting.of(e.jobId(), asked.within(Integer.MAX_VALUE));
    } catch (ArrayRequest.InvalidArrayException invalid) {
      throw new IllegalStateException("array of " + e + " in " + parts.nextJobId, invalid);
    }
  }

  private static void held(ClusterState.StateBuilder parts, Event.JobHeld e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    parts.put(withPriority(job.withState(holding(job, e.hold(), e)), 0));
  }

  private static void released(ClusterState.StateBuilder parts, Event.JobReleased e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    parts.put(withPriority(job.withState(holding(job, Hold.NONE, e)), e.priority()));
  }

  /** A run that is held goes on: the hold is for its return to the queue. */
  private static JobState holding(Job job, Hold hold, Event event) {
    return switch (job.state()) {
      case JobState.Pending p -> p.withHold(hold);
      case JobState.Running r -> r.withHold(hold);
      case JobState.Completing c -> c.withHold(hold);
      case JobState.Suspended s -> s.with(s.run().withHold(hold));
      case JobState.Ended _ -> throw EventTargets.illegal(job, event);
    };
  }

  private static void updated(ClusterState.StateBuilder parts, Event.JobUpdated e) {
    Job before = EventTargets.job(parts, e.jobId(), e);
    Job job = before.withSpec(e.spec(), e.priority());
    switch (job.state()) {
      case JobState.Running r -> job = job.withState(r.withEnd(e.end()));
      case JobState.Suspended s -> job = job.withState(s.with(s.run().withEnd(e.end())));
      case JobState.Pending _, JobState.Completing _, JobState.Ended _ -> {}
    }
    boolean sameBegin = Objects.equals(before.spec().beginTime(), e.spec().beginTime());
    boolean inQueue = job.state() instanceof JobState.Pending;
    parts.put(sameBegin || !inQueue ? job : job.withEligibleTime(null));
  }

  private static void outputChanged(ClusterState.StateBuilder parts, Event.JobOutputChanged e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    EventTargets.state(job, JobState.Pending.class, e);
    parts.put(job.withWorkload(job.workload().withOutput(e.summary())));
  }

  private static void throttled(ClusterState.StateBuilder parts, Event.ArrayThrottled e) {
    List<Job> records = parts.records(e.arrayJobId());
    if (records.isEmpty()) {
      throw new IllegalStateException("no array for " + e);
    }
    for (Job job : records) {
      ArrayPart next =
          switch (job.array()) {
            case ArrayPart.Waiting w ->
                new ArrayPart.Waiting(w.arrayJobId(), w.shape(), w.waiting(), e.throttle());
            case ArrayPart.Task t ->
                new ArrayPart.Task(t.arrayJobId(), t.shape(), t.index(), e.throttle());
            case null -> throw new IllegalStateException("no array for " + e);
          };
      parts.put(job.withArray(job.id(), next));
    }
  }

  private static void split(ClusterState.StateBuilder parts, Event.ArrayTaskSplit e) {
    Job base = EventTargets.job(parts, e.arrayJobId(), e);
    if (!(base.array() instanceof ArrayPart.Waiting w) || !w.waiting().contains(e.taskIndex())) {
      throw new IllegalStateException(e + " in " + base.array());
    }
    TaskIndices left = w.waiting().without(e.taskIndex());
    if (left.isEmpty() && e.taskJobId() != base.id()) {
      throw new IllegalStateException("the last task keeps the id of its array: " + e);
    }
    if (!left.isEmpty()) {
      fresh(parts, e.taskJobId(), e);
      parts.give(e.taskJobId());
      parts.put(
          base.withArray(
              base.id(), new ArrayPart.Waiting(w.arrayJobId(), w.shape(), left, w.throttle())));
    }
    ArrayPart task = new ArrayPart.Task(w.arrayJobId(), w.shape(), e.taskIndex(), w.throttle());
    int run = left.isEmpty() ? base.run() : Math.max(base.run(), parts.firstRun);
    parts.put(base.withArray(e.taskJobId(), task).withRun(run));
  }

  private static void dependency(ClusterState.StateBuilder parts, Event.DependencyChanged e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    JobState.Pending p = EventTargets.state(job, JobState.Pending.class, e);
    Job next = job.withState(p.waiting(e.waitingFor(), e.failed()));
    parts.put(e.waitingFor().isEmpty() ? next : next.withEligibleTime(null));
  }

  private static void eligible(ClusterState.StateBuilder parts, Event.JobEligible e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    JobState.Pending p = EventTargets.state(job, JobState.Pending.class, e);
    parts.put(
        switch (e.age()) {
          case null -> job.withEligibleTime(e.at()).withState(p.withAccrual(null));
          case WAITS ->
              job.withEligibleTime(e.at()).withState(p.withAccrual(new JobState.Accrual.Waits()));
          case COUNTS -> job.withState(p.withAccrual(new JobState.Accrual.Since(e.at())));
        });
  }

  private static Job withPriority(Job job, long priority) {
    return job.withSpec(job.spec(), priority);
  }

  private static void requeueRevoked(ClusterState.StateBuilder parts, Event.RequeueRevoked e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    JobState.Completing c = EventTargets.state(job, JobState.Completing.class, e);
    if (c.afterwards() == PostRunAction.END) {
      throw EventTargets.illegal(job, e);
    }
    parts.put(job.withState(c.with(e.outcome().withExit(c.outcome().exit()), PostRunAction.END)));
  }

  private static void finished(ClusterState.StateBuilder parts, Event.JobFinished e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    JobState.Completing c = EventTargets.state(job, JobState.Completing.class, e);
    if (!c.isClean() || c.afterwards() != PostRunAction.END) {
      throw EventTargets.illegal(job, e);
    }
    parts.put(
        job.withState(
            new JobState.Ended(c.allocation(), c.start(), c.end(), c.outcome(), null, c.pauses())));
  }

  private static void requeued(ClusterState.StateBuilder parts, Event.JobRequeued e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    boolean over =
        switch (job.state()) {
          case JobState.Completing c -> c.isClean() && c.afterwards() != PostRunAction.END;
          case JobState.Ended _ -> true;
          case JobState.Pending _, JobState.Running _, JobState.Suspended _ -> false;
        };
    if (!over) {
      throw EventTargets.illegal(job, e);
    }
    JobState.Pending next = new JobState.Pending(e.hold(), e.notBefore(), List.of(), false, true);
    parts.put(
        job.with()
            .eligibleTime(null)
            .priority(e.priority())
            // Without one, the next run of a crontab's entry begins afresh.
            .restarts(e.countsAsRestart() ? job.restarts() + 1 : 0)
            .state(next)
            .launched(null)
            .requeuedAt(e.at())
            .build());
  }

  private static void dropped(ClusterState.StateBuilder parts, Event.JobDropped e) {
    Job job = EventTargets.job(parts, e.jobId(), e);
    EventTargets.state(job, JobState.Pending.class, e);
    parts.put(
        job.withState(
            new JobState.Ended((Allocation) null, null, e.at(), e.outcome(), e.reason())));
  }

  private static void defined(ClusterState.StateBuilder parts, Event.NodeDefined e) {
    NodeRecord known = parts.node(e.node().name());
    parts.put(
        known == null
            ? NodeRecord.fresh(
                e.node(),
                initialCondition(e.node(), parts.config.settings(), e.at()),
                e.at(),
                e.dynamic())
            : known.configured(e.node()));
    String before = known == null ? "" : known.config().topology();
    if (!before.equals(e.node().topology())) {
      placed(parts);
    }
  }

  private static void purged(ClusterState.StateBuilder parts, Event.JobsPurged e) {
    for (int id : e.jobIds()) {
      EventTargets.state(EventTargets.job(parts, id, e), JobState.Ended.class, e);
      parts.remove(id);
    }
  }

  private static void deleted(ClusterState.StateBuilder parts, Event.NodeDeleted e) {
    String name = e.node();
    if (!EventTargets.node(parts, name, e).shares().isEmpty()) {
      throw new IllegalStateException("jobs hold something there: " + e);
    }
    boolean isPlaced = !EventTargets.node(parts, name, e).config().topology().isEmpty();
    parts.removeNode(name);
    if (isPlaced) {
      placed(parts);
    }
    parts.partitions = parts.partitions.stream().map(p -> p.without(name)).toList();
  }
}
